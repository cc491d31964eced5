// SPDX-License-Identifier: Apache-2.0
// One step of the recursion of semi-global matching, as path_cost() of definitions/stereo/sgm.h, for a lane's OWN
// candidates in pairs: two 16-bit numbers in a word, the lower candidate in the low half.
#include "packed.h"

#define PAIRS (OWN / 2)
// Stands for what is no candidate, in both halves: from 2^15 on. No cost with a penalty reaches that.
#define NO_LEVELS 0x80008000u
#define BOTH_HALVES(value) ((value)*0x00010001u)

// Bits 0 to OWN - 1 tell which of the lane's candidates a pixel has.
static ALWAYS_INLINE uint bits_of(Candidates c, int lane) {
  const int from = clamp(c.first - lane * OWN, 0, OWN), to = clamp(c.last - lane * OWN + 1, 0, OWN);
  return ((1u << to) - 1) & ~((1u << from) - 1);
}
// NO_LEVELS in the halves of pair i that are no candidates.
static ALWAYS_INLINE uint absent_of(uint bits, int i) {
  const uint two = ~bits >> (2 * i);
  return (two & 1u) << 15 | (two & 2u) << 30;
}

// The least of the team's words in each half. All of the group call it.
static ALWAYS_INLINE uint team_least_halves(Team team, uint word) {
#if BY_SHUFFLES
  UNROLL for (uint lanes = LANES / 2; lanes > 0; lanes /= 2) word = min_halves(word, from_lane_across(word, lanes));
#elif LANES > 1
  team.words[team.lane] = word;
  GROUP_BARRIER();
  for (int i = 0; i < LANES; ++i) word = min_halves(word, team.words[i]);
  GROUP_BARRIER();
#endif
  return word;
}
// NO_LEVELS where there is no lane beside it. All of the group call it.
static ALWAYS_INLINE void look_around(Around* around, Team team, const uint* level) {
  show_ends(team, level[0], level[PAIRS - 1]);
  WORDS_BARRIER();
  take_ends(around, team, level[0], level[PAIRS - 1], NO_LEVELS);
  WORDS_BARRIER();
}

static ALWAYS_INLINE uint least_pair(const uint* pairs) {
  uint least = pairs[0];
  UNROLL for (int i = 1; i < PAIRS; ++i) least = min_halves(least, pairs[i]);
  return least;
}
static ALWAYS_INLINE uint swap_halves(uint word) { return pick_bytes(word, word, 0x1032); }

// The least of what leads to each candidate without a jump; p1: in both halves.
static ALWAYS_INLINE void come_near(uint* near, const uint* level, Around n, uint p1) {
  uint changed[PAIRS], between[PAIRS + 1];  // the higher candidate of a pair, and the lower one of the next
  UNROLL for (int i = 0; i < PAIRS; ++i) changed[i] = level[i] + p1;
  between[0] = pick_bytes(n.below + p1, changed[0], 0x5432);
  UNROLL for (int i = 1; i < PAIRS; ++i) between[i] = pick_bytes(changed[i - 1], changed[i], 0x5432);
  between[PAIRS] = pick_bytes(changed[PAIRS - 1], n.above + p1, 0x5432);
  UNROLL for (int i = 0; i < PAIRS; ++i) near[i] = min_halves(min_halves(between[i], between[i + 1]), level[i]);
}

// One step, where candidates may be absent and may be the first of their paths. Penalties and the least level are in
// both halves. The
// levels of the pixel before give way to those of this one.
static ALWAYS_INLINE void step_at_edge(uint* level, Around* n, const uint* cost, const uint* absent, Team team, uint p1,
                                       uint p2) {
  uint near[PAIRS];
  come_near(near, level, *n, p1);
  const uint jump = n->least + p2;
  UNROLL for (int i = 0; i < PAIRS; ++i) {
    const uint none = (level[i] >> 15 & 0x00010001u) * 0xFFFFu;
    const uint next = min_halves(near[i], jump) + (cost[i] - n->least);
    level[i] = (next & ~none) | (cost[i] & none) | absent[i];
  }
  const uint least = team_least_halves(team, least_pair(level));
  n->least = min_halves(least, swap_halves(least));
  look_around(n, team, level);
}

// One step, where all candidates have one before them. Levels stay too high by the least level of the pixel before. So
// the next least one follows from levels two pixels back, by its two terms: the team need not wait for the least one
// before it looks for the next. `store`: levels of this pixel.
static ALWAYS_INLINE void step_inside(uint* level, Around* n, uint* store, const uint* cost, const uint* absent,
                                      Team team, uint p1, uint p2) {
  uint near[PAIRS], own[PAIRS];
  come_near(near, level, *n, p1);
  UNROLL for (int i = 0; i < PAIRS; ++i) {
    near[i] = (near[i] + cost[i]) | absent[i];
    own[i] = cost[i] | absent[i];
  }
  const uint a = least_pair(near), b = least_pair(own);
  const uint least = team_least_halves(team, min_halves(pick_bytes(a, b, LOW_HALVES), pick_bytes(a, b, HIGH_HALVES)));
  const uint jump = n->least + p2;
  UNROLL for (int i = 0; i < PAIRS; ++i) {
    level[i] = add_min_halves(own[i], jump, near[i]);
    store[i] = level[i] - n->least;
  }
  n->least = add_min_halves(pick_bytes(least, least, 0x3232), jump, pick_bytes(least, least, 0x1010));
  look_around(n, team, level);
}
