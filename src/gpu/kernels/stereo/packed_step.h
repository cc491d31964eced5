// SPDX-License-Identifier: Apache-2.0
// One step of the recursion of semi-global matching, as path_cost() of definitions/stereo/sgm.h, for a lane's OWN
// candidates in pairs: two 16-bit numbers in a word. Word i of a pixel has candidate i in its low half and candidate
// HALF + i in its high half; a lane has PAIRS neighbouring words. So the words beside one have the candidates beside
// its own, and only the outermost words of a pixel continue each other: they lie in a ring.
#include "packed.h"

#define PAIRS (OWN / 2)
#define LAST_LANE (HALF / PAIRS - 1)  // the lanes above it have no candidates
// Stands for what is no candidate, in both halves: from 2^15 on. No cost with a penalty reaches that.
#define NO_LEVELS 0x80008000u
#define BOTH_HALVES(value) ((value)*0x00010001u)
// All bits of the halves that are from 2^15 on.
#define NO_HALVES(word) (((word) >> 15 & 0x00010001u) * 0xFFFFu)

// NO_LEVELS in the halves of a lane's words that are no candidates.
static ALWAYS_INLINE void find_absent(uint* absent, Candidates c, int lane) {
  UNROLL for (int i = 0; i < PAIRS; ++i) {
    const int k = lane * PAIRS + i, other = k + HALF;
    const bool low = k >= c.first && k <= c.last && k < HALF, high = other >= c.first && other <= c.last && k < HALF;
    absent[i] = (low ? 0u : 0x8000u) | (high ? 0u : 0x80000000u);
  }
}

// The least of the team's words in each half. All of the group call it.
static ALWAYS_INLINE uint team_least_halves(Team team, uint word) {
#if BY_SHUFFLES
  UNROLL for (uint lanes = LANES / 2; lanes > 2; lanes /= 2) word = min_halves(word, from_lane_across(word, lanes));
  // Three words at once take less time than one after the other, and shuffles are what a step waits for longest.
  const uint next = from_lane_across(word, 1);
  if (LANES > 2) word = min_halves(min_halves(from_lane_across(word, 2), from_lane_across(word, 3)), word);
  word = min_halves(word, next);
#elif LANES > 1
  team.words[team.lane] = word;
  GROUP_BARRIER();
  for (int i = 0; i < LANES; ++i) word = min_halves(word, team.words[i]);
  GROUP_BARRIER();
#endif
  return word;
}
// What the words beside a lane's cost after a change of disparity by 1, round the ring; NO_LEVELS in the halves that
// have no candidate there. p1: in both halves. All of the group call it.
static ALWAYS_INLINE void look_around(Around* around, Team team, const uint* level, uint p1) {
  const int before = team.lane == 0 ? LAST_LANE : team.lane - 1, after = team.lane >= LAST_LANE ? 0 : team.lane + 1;
  uint below = level[PAIRS - 1] + p1, above = level[0] + p1;
#if BY_SHUFFLES
  const uint first = get_local_id(0) & 31u & ~(LANES - 1u);
  below = from_lane(below, first + (uint)before);
  above = from_lane(above, first + (uint)after);
#elif LANES > 1
  show_ends(team, above, below);
  GROUP_BARRIER();
  below = team.words[2 * LANES + before];
  above = team.words[LANES + after];
  GROUP_BARRIER();
#endif
  around->below = pick_bytes(below, NO_LEVELS, team.lane == 0 ? 0x1054 : 0x3210);
  around->above = pick_bytes(above, NO_LEVELS, after == 0 ? HIGH_HALVES : 0x3210);
}

static ALWAYS_INLINE uint least_pair(const uint* pairs) {
  uint least = pairs[0];
  UNROLL for (int i = 1; i < PAIRS; ++i) least = min_halves(least, pairs[i]);
  return least;
}
static ALWAYS_INLINE uint swap_halves(uint word) { return pick_bytes(word, word, 0x1032); }

// What a lane has to know of its pixel's other ones; the least level in both halves. All of the group call it.
static ALWAYS_INLINE void find_around(Around* n, Team team, const uint* level, uint p1) {
  const uint least = team_least_halves(team, least_pair(level));
  n->least = min_halves(least, swap_halves(least));
  look_around(n, team, level, p1);
}

// The least of what leads to each candidate: itself, those beside it, which cost p1, and a jump; both in both halves.
// Each candidate meets the jump in one word beside it, so half of the words are compared with it, two of each four.
static ALWAYS_INLINE void come_near(uint* near, const uint* level, Around n, uint p1, uint jump) {
  uint changed[PAIRS + 2];
  changed[0] = n.below, changed[PAIRS + 1] = n.above;
  UNROLL for (int i = 0; i < PAIRS; ++i)
    changed[i + 1] = PAIRS % 4 == 0 && i % 4 != 1 && i % 4 != 2 ? level[i] + p1 : add_min_halves(level[i], p1, jump);
  UNROLL for (int i = 0; i < PAIRS; ++i) near[i] = min_halves(min_halves(changed[i], changed[i + 2]), level[i]);
  if (PAIRS < 2) near[0] = min_halves(near[0], jump);
}

// One step, where candidates may be absent and may be the first of their paths. Penalties and the least level are in
// both halves. The levels of the pixel before give way to those of this one.
static ALWAYS_INLINE void step_at_edge(uint* level, Around* n, const uint* cost, const uint* absent, Team team, uint p1,
                                       uint p2) {
  uint near[PAIRS];
  come_near(near, level, *n, p1, n->least + p2);
  UNROLL for (int i = 0; i < PAIRS; ++i) {
    const uint none = NO_HALVES(level[i]);
    const uint next = near[i] + (cost[i] - n->least);
    level[i] = (next & ~none) | (cost[i] & none) | absent[i];
  }
  find_around(n, team, level, p1);
}

// One step, where all candidates have one before them. `absent`: of places that are no candidates.
static ALWAYS_INLINE void step_inside(uint* level, Around* n, const uint* cost, const uint* absent, Team team, uint p1,
                                      uint p2) {
  uint near[PAIRS];
  come_near(near, level, *n, p1, n->least + p2);
  UNROLL for (int i = 0; i < PAIRS; ++i) level[i] = (near[i] + cost[i] - n->least) | absent[i];
  find_around(n, team, level, p1);
}
