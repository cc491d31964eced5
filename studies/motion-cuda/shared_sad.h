// SPDX-License-Identifier: Apache-2.0
// One SAD by all LANES work-items of a group, and its sum: through local memory with barriers, or by shuffles within
// warps of 32, which only NVIDIA's compilers know.
#include "motion-cuda/candidate.h"
#if !defined(LANES) || !defined(WARPS)
#error "shared_sad needs LANES (work-items of a group: 32 or 256) and WARPS (0: local memory, 1: shuffles)"
#endif

#if WARPS
static inline int sum_of_warp(int value) {
  for (uint lanes = 16; lanes > 0; lanes /= 2) {
    uint other;
    VERGENCE_ASM_VOLATILE("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
                          : "=r"(other)
                          : "r"((uint)value), "r"(lanes));
    value += (int)other;
  }
  return value;
}
#endif

// Right for work-item 0. `sums` has LANES places.
static inline int group_sum(int value, LOCAL_POINTER int* sums, int lane) {
#if WARPS
  value = sum_of_warp(value);
#if LANES > 32
  if (lane % 32 == 0) sums[lane / 32] = value;
  GROUP_BARRIER();
  if (lane == 0)
    for (int warp = 1; warp < LANES / 32; ++warp) value += sums[warp];
#endif
  return value;
#else
  sums[lane] = value;
  for (int half_count = LANES / 2; half_count > 0; half_count /= 2) {
    GROUP_BARRIER();
    if (lane < half_count) sums[lane] += sums[lane + half_count];
  }
  return sums[0];
#endif
}

// This work-item's share of the differences: 32 of them go down a column of the block each, 256 take four each.
static inline int share_of_sad(__global const uchar* restrict block, __global const uchar* restrict area, int px,
                               int py, int lane) {
  int sad = 0;
  for (int k = lane; k < BLOCK * BLOCK; k += LANES) {
    const int i = k / BLOCK, j = k % BLOCK;
    sad += distance(block[k], area[(px + i) * AREA + py + j]);
  }
  return sad;
}
