// SPDX-License-Identifier: Apache-2.0
// What the kernels of semi-global matching share: volumes, and teams of work-items that share a pixel's candidates.
// Lane n of a team has the candidates n * OWN to n * OWN + OWN - 1, which lie together in a volume.
//
//   VALUE         type of a volume's numbers: uchar, ushort or uint
//   VALUE_BYTES   its size
//   LANES         work-items of a team, a power of two up to 32
//   OWN           candidates of a work-item, 4, 8 or a multiple of 16; a team has COUNT or more
//   TEAMS         of a group
//   LEVEL         type in which a work-item keeps its numbers: uint, or ushort where that is enough
//   WORD          what taps compare: uchar, ushort, uint or uint64
//   PAIRED        1: volumes are those that packed_paths.cl fills, where candidates half of the places apart lie side
//   by
//                 side; 0: candidates lie in their order
//   WARP_MINIMUM  1: the device finds the least word of a warp by one instruction
#include "gpu/shared/stereo/paths.h"
#include "packed.h"
#include "stereo/candidates.h"
#include "stereo/settings.h"
#if !defined(VALUE) || !defined(VALUE_BYTES) || !defined(LANES) || !defined(OWN) || !defined(TEAMS)
#error "paths needs VALUE, VALUE_BYTES, LANES, OWN and TEAMS"
#endif
#if !defined(LEVEL) || !defined(WORD)
#error "paths needs LEVEL and WORD"
#endif
#ifndef WARP_MINIMUM
#define WARP_MINIMUM 0
#endif
#ifndef PAIRED
#define PAIRED 0
#endif

#define PLACES PATHS_PLACES(COUNT)
#define HALF (PLACES / 2)
#define GROUP (LANES * TEAMS)
// Few candidates stay in registers, where all indices are known.
#if LANES == 1
#define EACH_OWN  // compilers for processors make vectors of these loops
#elif OWN <= 32
#define EACH_OWN UNROLL
#else
#define EACH_OWN NO_UNROLL
#endif
#if LANES == 1
#define BY_SHUFFLES 0
#define TEAM_WORDS 0
#elif defined(VERGENCE_NVIDIA)
#define BY_SHUFFLES 1
#define TEAM_WORDS 0
#else
#define BY_SHUFFLES 0
#define TEAM_WORDS (3 * LANES)  // of local memory
#endif

// A work-item's place in its team, and the team's words of local memory, if any.
typedef struct {
  int lane;
  LOCAL_POINTER uint* words;
} Team;
#if TEAM_WORDS > 0
#define USE_TEAM(name, thread)                   \
  __local uint name##_words[TEAMS * TEAM_WORDS]; \
  const Team name = {(thread) % LANES, name##_words + (thread) / LANES * TEAM_WORDS}
#else
#define USE_TEAM(name, thread) const Team name = {(thread) % LANES, 0}
#endif

// The least of the team's values. All of the group call it.
static ALWAYS_INLINE uint team_least(Team team, uint value) {
#if LANES == 1
  return value;
#elif BY_SHUFFLES && WARP_MINIMUM && LANES == 32
  return least_of_warp(value);
#elif BY_SHUFFLES
  UNROLL for (uint lanes = LANES / 2; lanes > 0; lanes /= 2) value = min(value, from_lane_across(value, lanes));
  return value;
#else
  team.words[team.lane] = value;
  GROUP_BARRIER();
  uint least = team.words[0];
  for (int i = 1; i < LANES; ++i) least = min(least, team.words[i]);
  GROUP_BARRIER();
  return least;
#endif
}

// What a work-item has to know of the others': the least of all, the last one of the lane below, and the first one of
// the lane above; `none` where there is no such lane.
typedef struct {
  uint least, below, above;
} Around;

// The outermost words of a lane, for those beside it, who take them after a barrier.
static ALWAYS_INLINE void show_ends(Team team, uint first, uint last) {
#if TEAM_WORDS > 0
  team.words[LANES + team.lane] = first;
  team.words[2 * LANES + team.lane] = last;
#endif
}
static ALWAYS_INLINE void take_ends(Around* around, Team team, uint first, uint last, uint none) {
  around->below = around->above = none;
#if BY_SHUFFLES
  const uint below = from_lane_below(last, 1), above = from_lane(first, (get_local_id(0) + 1u) & 31u);
  if (team.lane > 0) around->below = below;
  if (team.lane < LANES - 1) around->above = above;
#elif TEAM_WORDS > 0
  if (team.lane > 0) around->below = team.words[2 * LANES + team.lane - 1];
  if (team.lane < LANES - 1) around->above = team.words[LANES + team.lane + 1];
#endif
}
#if TEAM_WORDS > 0
#define WORDS_BARRIER() GROUP_BARRIER()
#else
#define WORDS_BARRIER()
#endif

// All of the group call it.
static ALWAYS_INLINE Around team_around(Team team, uint least, uint first, uint last, uint none) {
  Around around;
  show_ends(team, first, last);
  around.least = team_least(team, least);  // with a barrier before it reads and one after
  take_ends(&around, team, first, last, none);
  WORDS_BARRIER();
  return around;
}

// Whether the i-th candidate of a lane has a place in the volume. Where OWN divides 16, all of a lane have or none.
#define HAS_PLACE(lane, i) (LANES * OWN <= PLACES || (lane)*OWN + (OWN <= 16 ? 0 : (i)) < PLACES)
// Candidates of a pixel's places, and places of candidates; then the candidate at the i-th place of a lane, COUNT or
// more where it has no such place; a lane's first one.
#if PAIRED
#define CANDIDATE_AT(place) ((place) / 2 + (place) % 2 * HALF)
#define PLACE_OF(k) (2 * (k) - ((k) >= HALF) * (PLACES - 1))
#define FIRST_CANDIDATE(lane) ((lane) * (OWN / 2))
#define CANDIDATE_OF(lane, i) (HAS_PLACE(lane, i) ? FIRST_CANDIDATE(lane) + CANDIDATE_AT(i) : PLACES)
#else
#define FIRST_CANDIDATE(lane) ((lane)*OWN)
#define CANDIDATE_AT(place) (place)
#define PLACE_OF(k) (k)
#define CANDIDATE_OF(lane, i) (FIRST_CANDIDATE(lane) + (i))
#endif
// Several lanes move words of 4 bytes, a single one numbers.
#define IN_WORD (LANES > 1 ? 4 / VALUE_BYTES : 1)
#if LANES > 1
#define WORD_OF_VALUES uint
#else
#define WORD_OF_VALUES VALUE
#endif
#define VALUE_BITS (8 * VALUE_BYTES)
#define VALUE_MASK (0xFFFFFFFFu >> (32 - VALUE_BITS))

// The numbers of the team's pixel, which begin at `pixel`: those of the lane, anything where there is no place.
static ALWAYS_INLINE void load_own(LEVEL* to, __global const VALUE* pixel, int lane) {
  __global const WORD_OF_VALUES* from = (__global const WORD_OF_VALUES*)(pixel + lane * OWN);
  EACH_OWN for (int w = 0; w < OWN / IN_WORD; ++w) {
    const uint word = HAS_PLACE(lane, w * IN_WORD) ? from[w] : 0;
    EACH_OWN for (int j = 0; j < IN_WORD; ++j)
      to[w * IN_WORD + j] = (LEVEL)(word >> (VALUE_BITS * j % 32) & VALUE_MASK);
  }
}
static ALWAYS_INLINE void store_own(const LEVEL* from, __global VALUE* pixel, int lane) {
  __global WORD_OF_VALUES* to = (__global WORD_OF_VALUES*)(pixel + lane * OWN);
  EACH_OWN for (int w = 0; w < OWN / IN_WORD; ++w) {
    uint word = 0;
    EACH_OWN for (int j = 0; j < IN_WORD; ++j)
      word |= ((uint)from[w * IN_WORD + j] & VALUE_MASK) << (VALUE_BITS * j % 32);
    if (HAS_PLACE(lane, w * IN_WORD)) to[w] = (WORD_OF_VALUES)word;
  }
}

// What two pixels' words cost.
static ALWAYS_INLINE uint tap(WORD a, WORD b) {
#if COST == COST_SAD
  return (uint)(a > b ? a - b : b - a);
#elif COST == COST_SSD
  const uint difference = (uint)(a > b ? a - b : b - a);
  return difference * difference;
#else
  return (uint)popcount(a ^ b);
#endif
}
// The word of the other picture's row in column p, which may lie outside.
static ALWAYS_INLINE WORD other_word(__global const WORD* restrict row, int p, int width) {
  if (OUTSIDE == OUTSIDE_ZERO && (p < 0 || p >= width)) return 0;
  return row[clamp(p, 0, width - 1)];
}
