// SPDX-License-Identifier: Apache-2.0
// How the work-items of a group agree about up to 32 candidates whose sums all of them share: lane c of each 32 lanes
// gets the sum of candidate c. On NVIDIA the lanes of a warp exchange words by instructions, and newer devices sum and
// compare them by one instruction; other devices use local memory. Both find the same integers.

// The launch configuration, and what the device can do:
#ifndef GROUP
#define GROUP 32  // work-items of a group; a multiple of 32
#endif
#ifndef WARP_MINIMUM
#define WARP_MINIMUM 0  // 1: an instruction finds the least word and the sum of a warp
#endif

#include "packed.h"

#define TEAM 32
#if defined(VERGENCE_NVIDIA) && WARP_MINIMUM
#define BY_WARPS 1
#define TEAM_WORDS (2 * GROUP)  // of local memory
#else
#define BY_WARPS 0
#define TEAM_WORDS (TEAM * GROUP)
#endif

typedef struct {
  LOCAL_POINTER uint* words;
  int lane, turn;
} Team;

/// Adds up candidate `slot`; each work-item has its part. What comes of it is given to end_sums(). All of the group
/// call it.
static inline void put_sum(Team* team, uint* mine, uint part, int slot) {
#if BY_WARPS
  const uint sum = sum_of_warp(part);
  if (team->lane % TEAM == slot) *mine = sum;
#else
  team->words[slot * GROUP + team->lane] = part;
#endif
}
/// The sum of candidate lane % 32; anything where there is none.
static inline uint end_sums(Team* team, uint mine) {
#if BY_WARPS && GROUP == TEAM
  return mine;
#elif BY_WARPS
  // Two places take turns, so that one barrier is enough.
  LOCAL_POINTER uint* words = team->words + team->turn * GROUP;
  team->turn = 1 - team->turn;
  words[team->lane] = mine;
  GROUP_BARRIER();
  uint sum = 0;
  UNROLL for (int i = 0; i < GROUP / TEAM; ++i) sum += words[i * TEAM + team->lane % TEAM];
  return sum;
#else
  GROUP_BARRIER();
  uint sum = 0;
  NO_UNROLL for (int i = 0; i < GROUP; ++i) sum += team->words[team->lane % TEAM * GROUP + i];
  GROUP_BARRIER();
  return sum;
#endif
}
/// The least of what lanes 0 to 31 hold; every 32 lanes hold the same.
static inline uint least_of_team(Team* team, uint value) {
#if BY_WARPS
  return least_of_warp(value);
#else
  team->words[team->lane] = value;
  GROUP_BARRIER();
  uint least = team->words[0];
  NO_UNROLL for (int i = 1; i < TEAM; ++i) least = min(least, team->words[i]);
  GROUP_BARRIER();
  return least;
#endif
}
