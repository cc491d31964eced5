// SPDX-License-Identifier: Apache-2.0
// Long lines in parts, so that more of them are under way at once. A part begins WARM steps early, as if paths began
// there: most have forgotten by its first pixel which levels they began with. It keeps the levels that it has there,
// and those that it ends with. What mends compares, where two parts meet, and where they differ it walks on from the
// true levels, until what it finds is what is there already. So all numbers are those of lines in one piece; pictures
// that forget nothing take longer.
//
//   PARTED  1: lines may be in parts, 0: all are in one piece
//   WARM    steps that a part takes before its own, a multiple of 16
#include "packed.h"
#include "stereo/packed_lines.h"
#include "stereo/packed_step.h"

#define BEFORE_PART 0
#define AFTER_PART 1
// 1: the group that ends last mends; 0: a kernel of its own does, so that PoCL compiles in seconds and not in minutes.
#if defined(VERGENCE_NVIDIA) && PARTED
#define MENDS_AT_ONCE 1
#else
#define MENDS_AT_ONCE 0
#endif
#if MENDS_AT_ONCE
#define DEVICE_FENCE() VERGENCE_ASM_VOLATILE("fence.acq_rel.gpu;" : : : "memory")
#endif

typedef struct {
  __global uint* done;    // of the lines' parts, how many are; 0 before the launch and after it
  __global uint* levels;  // of the lines' first part, before it, then after it; then of the next part
  LOCAL_POINTER uint* flag;
} Seams;
// A counter and two pixels' levels for each group of the launch; of counters, each line's first part's is in use.
#define USE_SEAMS(name, done, levels, lines)                                                                 \
  __local uint name##_flag[1];                                                                               \
  const int name##_first = (int)get_group_id(0) - (lines).part;                                              \
  const Seams name = {(done) + name##_first, (levels) + (int64)name##_first * PACKED_SEAM_WORDS(GROUP, OWN), \
                      name##_flag}

// Whether it holds for any work-item of the group. All of it call it.
static ALWAYS_INLINE bool any_of_group(Seams seams, bool here) {
  GROUP_BARRIER();
  if (get_local_id(0) == 0) seams.flag[0] = 0;
  GROUP_BARRIER();
  if (here) seams.flag[0] = 1;
  GROUP_BARRIER();
  return seams.flag[0] != 0;
}
#if MENDS_AT_ONCE
// Says that this group's part is done, and whether it is the last one.
static ALWAYS_INLINE bool is_last_part(Seams seams, int parts) {
  GLOBAL_BARRIER();
  bool last = false;
  if (get_local_id(0) == 0) {
    DEVICE_FENCE();
    last = (int)atomic_add(seams.done, 1u) + 1 == parts;
    DEVICE_FENCE();
    if (last) seams.done[0] = 0;  // for the next launch
  }
  return any_of_group(seams, last);
}
#endif

static ALWAYS_INLINE __global uint* place_of_levels(Seams seams, int part, int which) {
  return seams.levels + (int64)part * PACKED_SEAM_WORDS(GROUP, OWN) + which * (GROUP * PAIRS) + get_local_id(0);
}
static ALWAYS_INLINE void keep_levels(Seams seams, int part, int which, const uint* level) {
  __global uint* to = place_of_levels(seams, part, which);
  UNROLL for (int i = 0; i < PAIRS; ++i) to[i * GROUP] = level[i];
}
static ALWAYS_INLINE void take_levels(uint* level, Seams seams, int part, int which) {
  __global const uint* from = place_of_levels(seams, part, which);
  UNROLL for (int i = 0; i < PAIRS; ++i) level[i] = from[i * GROUP];
}

// Whether others differ from levels, where these are of candidates.
static ALWAYS_INLINE bool differ(const uint* level, const uint* other) {
  uint bits = 0;
  UNROLL for (int i = 0; i < PAIRS; ++i) bits |= (level[i] ^ other[i]) & ~NO_HALVES(level[i]);
  return bits != 0;
}
