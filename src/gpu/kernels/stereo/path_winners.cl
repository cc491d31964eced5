// SPDX-License-Identifier: Apache-2.0
// What pixels' candidates cost over all paths, and what becomes of the pixels. A team of work-items sums the volumes of
// one pixel after the other, and finds its best candidates; then each work-item finishes pixels of its own.
//
//   DIAGONAL    1: of the view whose paths were not summed: candidate k of a pixel costs what it costs at the pixel of
//               the other view that it names
//   PIXELS      of a team, a multiple of LANES
//   ORDER_BITS  a sum and a candidate's order, of so many bits, fit 32 bits together; 0: they do not
//   BOTH_VIEWS  1: notes the other view's best keys too, each a sum and an order as ORDER_BITS says; then DIAGONAL is 0
//   FULL, WANT_WINNER, WANT_DISPARITY: see emit.h
#include "definitions/stereo/candidate.h"
#define TAPS_DIFFER 0
#define SMALL_COSTS 0
#include "stereo/emit.h"
#include "stereo/paths.h"
#if !defined(DIAGONAL) || !defined(PIXELS) || !defined(ORDER_BITS) || !defined(BOTH_VIEWS)
#error "path_winners needs DIAGONAL, PIXELS, ORDER_BITS and BOTH_VIEWS"
#endif

#define NO_SUM 0xFFFFFFFFu
// Of candidates of equal sums the least order wins; it is its own inverse.
#define ORDER(k) (TIE_HIGHEST ? COUNT - 1 - (k) : (k))

// The pixels of the other view that a group's candidates name, from the leftmost one on.
#define OTHER_KEYS PATHS_OTHER_KEYS(TEAMS* PIXELS, COUNT)
#define OTHER_LEFT(left) partner_column(left, DMIN + (MATCHES_LEFT ? COUNT - 1 : 0), MATCHES_LEFT)

// Where sums come from.
typedef struct {
  __global const VALUE* restrict volumes;
  int width, height, paths;
} Volumes;

// The sums of the lane's candidates of a pixel; NO_SUM for what is no candidate.
static ALWAYS_INLINE void sum_paths(uint* sums, Volumes v, int x, int y, Candidates c, int lane) {
  const int64 volume = (int64)v.width * v.height * PLACES;
  EACH_OWN for (int i = 0; i < OWN; ++i) sums[i] = 0;
#if DIAGONAL
  const int64 row = (int64)y * v.width;
  for (int path = 0; path < v.paths; ++path) {
    EACH_OWN for (int i = 0; i < OWN; ++i) {
      const int k = lane * OWN + i, column = partner_column(x, DMIN + k, MATCHES_LEFT);
      if (k >= c.first && k <= c.last) sums[i] += v.volumes[path * volume + (row + column) * PLACES + k];
    }
  }
#else
  const int64 pixel = ((int64)y * v.width + x) * PLACES;
  for (int path = 0; path < v.paths; ++path) {
    LEVEL level[OWN];
    load_own(level, v.volumes + path * volume + pixel, lane);
    EACH_OWN for (int i = 0; i < OWN; ++i) sums[i] += level[i];
  }
#endif
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = lane * OWN + i;
    if (k < c.first || k > c.last) sums[i] = NO_SUM;
  }
}

// The least sum of the team's candidates from..to, counted from DMIN; NO_SUM where there are none.
static ALWAYS_INLINE uint least_from(Team team, const uint* sums, int from, int to) {
  uint least = NO_SUM;
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = team.lane * OWN + i;
    if (k >= from && k <= to) least = min(least, sums[i]);
  }
  return team_least(team, least);
}

// Another candidate of the other view's pixel.
static ALWAYS_INLINE void note_key(LOCAL_POINTER uint* place, uint key) {
#if LANES * TEAMS == 1
  *place = min(*place, key);
#else
  if (key < *place) atomic_min(place, key);
#endif
}

// The winner and its sum. `other`: the key of the other view's pixel that candidate 0 names, where BOTH_VIEWS.
static ALWAYS_INLINE void find_winner(Found* found, Team team, const uint* sums, LOCAL_POINTER uint* other) {
#if ORDER_BITS > 0
  uint key = NO_SUM;
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = team.lane * OWN + i;
    const uint mine = sums[i] << ORDER_BITS | (uint)ORDER(k);
    if (sums[i] == NO_SUM) continue;
    key = min(key, mine);
    if (BOTH_VIEWS) note_key(other + (MATCHES_LEFT ? -k : k), mine);
  }
  key = team_least(team, key);
  const uint order = key & ((1u << ORDER_BITS) - 1);
  found->cost = key >> ORDER_BITS;
#else
  found->cost = least_from(team, sums, 0, COUNT - 1);
  uint order = COUNT - 1;
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = team.lane * OWN + i;
    if (k < COUNT && sums[i] == found->cost) order = min(order, (uint)ORDER(k));
  }
  order = team_least(team, order);
#endif
  found->k = ORDER((int)order);
}

static ALWAYS_INLINE Found search(Team team, const uint* sums, Candidates c, LOCAL_POINTER uint* other) {
  Found found = {c.first <= c.last, 0, 0, false, 0, false, 0, 0, false, 1, 1};
  find_winner(&found, team, sums, other);
#if FULL
  if (NEEDS_SECOND || REJECT_TIES) {
    uint second = NO_SUM;
    EACH_OWN for (int i = 0; i < OWN; ++i)
      if (may_be_second_best(team.lane * OWN + i, found.k)) second = min(second, sums[i]);
    found.second = team_least(team, second);
    found.has_second = found.second != NO_SUM;
    found.tied = found.second == found.cost;
  }
  if (NEEDS_NEIGHBOURS) {
    found.before = least_from(team, sums, found.k - 1, found.k - 1);
    found.after = least_from(team, sums, found.k + 1, found.k + 1);
    found.pair = found.before != NO_SUM && found.after != NO_SUM;
  }
#endif
  return found;
}

__kernel WORK_GROUP(GROUP, 1) void path_winners(__global const VALUE* restrict volumes,
                                                __global const uchar* restrict textureless,
                                                __global MAP* restrict disparity, __global int* restrict winner,
                                                __global uchar* restrict confidences, __global uint* restrict costs,
                                                __global uint* restrict other_keys,
                                                const PathWinnersArguments arguments) {
  const int thread = (int)get_local_id(0);
  USE_TEAM(team, thread);
  const int width = arguments.match.width, y = (int)get_group_id(1);
  const Outputs outputs = outputs_of(disparity, winner, textureless, confidences, costs, arguments.match);
  const Volumes v = {volumes, width, arguments.match.height, arguments.paths};
  const int group_left = (int)get_group_id(0) * TEAMS * PIXELS, left = group_left + thread / LANES * PIXELS;
#if BOTH_VIEWS
  __local uint others[OTHER_KEYS];
  for (int i = thread; i < OTHER_KEYS; i += GROUP) others[i] = NO_SUM;
  GROUP_BARRIER();
#else
  LOCAL_POINTER uint* const others = 0;
#endif
  for (int first = left; first < left + PIXELS; first += LANES) {
    Found mine = {false, 0, 0, false, 0, false, 0, 0, false, 1, 1};
    for (int n = 0; n < LANES; ++n) {
      // Lanes agree on every pixel; those beyond the row are the last one again.
      const int x = min(first + n, width - 1);
      const Candidates c = candidates_of(WORKING_COLUMN(x, width), width);
      uint sums[OWN];
      sum_paths(sums, v, x, y, c, team.lane);
      const int other = x - group_left + (MATCHES_LEFT ? COUNT - 1 : 0);
      const Found found = search(team, sums, c, others + other);
      if (n == team.lane) mine = found;
    }
    const int x = first + team.lane;
    if (x < width) emit(mine, WORKING_COLUMN(x, width), y, outputs);
  }
#if BOTH_VIEWS
  GROUP_BARRIER();
  __global uint* row = other_keys + (int64)y * width;
  for (int i = thread; i < OTHER_KEYS; i += GROUP)
    if (others[i] != NO_SUM) atomic_min(row + (OTHER_LEFT(group_left) + i), others[i]);
#endif
}
