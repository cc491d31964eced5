// SPDX-License-Identifier: Apache-2.0
// What pixels' candidates cost over all paths, and what becomes of the pixels. A team of work-items sums the volumes of
// one pixel after the other, and finds its best candidates; then each work-item finishes pixels of its own.
//
//   PATHS       of which there are volumes
//   SUM_BYTES   2: no sum reaches 2^16, and OWN numbers of a volume are 16 bytes; 4: sums are added one by one
//   DIAGONAL    1: of the view whose paths were not summed: candidate k of a pixel costs what it costs at the pixel of
//               the other view that it names
//   PIXELS      of a team, a multiple of LANES
//   ORDER_BITS  a sum and a candidate's order, of so many bits, fit 32 bits together; 0: they do not
//   BOTH_VIEWS  1: notes the other view's best keys too, each a sum and an order as ORDER_BITS says; then DIAGONAL is 0
//   FULL, WANT_WINNER, WANT_DISPARITY: see emit.h
//   SOURCES     see sources.h
#include "definitions/stereo/candidate.h"
#define TAPS_DIFFER 0
#define SMALL_COSTS 0
#include "stereo/emit.h"
#include "stereo/paths.h"
#include "stereo/sources.h"
#if !defined(PATHS) || !defined(SUM_BYTES) || !defined(DIAGONAL) || !defined(PIXELS) || !defined(ORDER_BITS) || \
    !defined(BOTH_VIEWS)
#error "path_winners needs PATHS, SUM_BYTES, DIAGONAL, PIXELS, ORDER_BITS and BOTH_VIEWS"
#endif

#define NO_SUM 0xFFFFFFFFu
#define NO_KEY (0xFFFFFFFFu << ORDER_BITS)  // as large as the least one of what is no candidate
// Of candidates of equal sums the least order wins; it is its own inverse.
#define ORDER(k) (TIE_HIGHEST ? COUNT - 1 - (k) : (k))

// The pixels of the other view that a group's candidates name, from the leftmost one on.
#define OTHER_KEYS PATHS_OTHER_KEYS(TEAMS* PIXELS, COUNT)
#define OTHER_LEFT(left) partner_column(left, DMIN + (MATCHES_LEFT ? COUNT - 1 : 0), MATCHES_LEFT)

// Where sums come from.
typedef struct {
  __global const VALUE* restrict volumes;
  __global const uchar* restrict own_mask;
  __global const uchar* restrict other_mask;
  int width, height;
} Volumes;

// Sums of a pixel's candidates wait in local memory until its winner is known, who asks for its neighbours.
#define KEEPS_SUMS (!DIAGONAL && SUM_BYTES == 2 && FULL && NEEDS_NEIGHBOURS)
#if KEEPS_SUMS
#define KEPT_WORDS (LANES * OWN / 2)
#if BY_SHUFFLES
#define TEAM_BARRIER() WARP_BARRIER()
#else
#define TEAM_BARRIER() GROUP_BARRIER()
#endif
#else
#define KEPT_WORDS 0
#endif

#if !DIAGONAL && SUM_BYTES == 2
// Which half of which word of a lane has the sum of its candidate i.
#define PAIR_OF(i) (VALUE_BYTES == 2 ? (i) / 2 : (i) / 4 * 2 + (i) % 2)
#define SHIFT_OF(i) (VALUE_BYTES == 2 ? (i) % 2 * 16 : (i) / 2 % 2 * 16)

static ALWAYS_INLINE void add_own(uint* sums, LOCAL_POINTER uint* kept, Volumes v, int64 pixel, int lane) {
  const int64 volume = (int64)v.width * v.height * PLACES;
  uint4 words[PATHS];
  UNROLL for (int path = 0; path < PATHS; ++path)
    words[path] =
        read_once((__global const uint4*)(v.volumes + path * volume + pixel + (HAS_PLACE(lane, 0) ? lane * OWN : 0)));
  uint pairs[OWN / 2];
  UNROLL for (int i = 0; i < OWN / 2; ++i) pairs[i] = 0;
  UNROLL for (int path = 0; path < PATHS; ++path) {
    const uint four[4] = {words[path].x, words[path].y, words[path].z, words[path].w};
    UNROLL for (int w = 0; w < 4; ++w) {
#if VALUE_BYTES == 2
      pairs[w] += four[w];
#else
      pairs[2 * w] += four[w] & 0x00FF00FFu;
      pairs[2 * w + 1] += pick_bytes(four[w], 0, 0x4341);
#endif
    }
  }
#if KEEPS_SUMS
  TEAM_BARRIER();  // the pixel before has been read
  UNROLL for (int i = 0; i < OWN / 2; ++i) kept[lane * (OWN / 2) + i] = pairs[i];
  TEAM_BARRIER();
#endif
  UNROLL for (int i = 0; i < OWN; ++i) sums[i] = pairs[PAIR_OF(i)] >> SHIFT_OF(i) & 0xFFFFu;
}
#elif !DIAGONAL
static ALWAYS_INLINE void add_own(uint* sums, LOCAL_POINTER uint* kept, Volumes v, int64 pixel, int lane) {
  const int64 volume = (int64)v.width * v.height * PLACES;
  EACH_OWN for (int i = 0; i < OWN; ++i) sums[i] = 0;
  for (int path = 0; path < PATHS; ++path) {
    LEVEL level[OWN];
    load_own(level, v.volumes + path * volume + pixel, lane);
    EACH_OWN for (int i = 0; i < OWN; ++i) sums[i] += level[i];
  }
}
#endif

// The sum of a pixel's candidate k, which it has.
static ALWAYS_INLINE uint sum_at(Volumes v, LOCAL_POINTER uint* kept, int x, int y, int k) {
#if KEEPS_SUMS
  const int place = PLACE_OF(k);
  return kept[place / OWN * (OWN / 2) + PAIR_OF(place % OWN)] >> SHIFT_OF(place % OWN) & 0xFFFFu;
#else
  const int64 volume = (int64)v.width * v.height * PLACES;
  const int column = DIAGONAL ? partner_column(x, DMIN + k, MATCHES_LEFT) : x;
  __global const VALUE* const at = v.volumes + ((int64)y * v.width + column) * PLACES + PLACE_OF(k);
  uint sum = 0;
  UNROLL for (int path = 0; path < PATHS; ++path) sum += at[path * volume];
  return sum;
#endif
}

// The sums of the lane's candidates of a pixel; NO_SUM for what is no candidate.
static ALWAYS_INLINE void sum_paths(uint* sums, LOCAL_POINTER uint* kept, Volumes v, Sources sources, int x, int y,
                                    Candidates c, int lane) {
#if DIAGONAL
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = CANDIDATE_OF(lane, i);
    const bool counts = k >= c.first && k <= c.last && partner_shows(sources, x, k, v.width);
    sums[i] = counts ? sum_at(v, kept, x, y, k) : NO_SUM;
  }
#else
  add_own(sums, kept, v, ((int64)y * v.width + x) * PLACES, lane);
  if (!SOURCES && LANES * OWN == COUNT && c.first == 0 && c.last == COUNT - 1) return;
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = CANDIDATE_OF(lane, i);
    if (k < c.first || k > c.last || !partner_shows(sources, x, k, v.width)) sums[i] = NO_SUM;
  }
#endif
}

// The least sum of the team's candidates from..to, counted from DMIN; NO_SUM where there are none.
static ALWAYS_INLINE uint least_from(Team team, const uint* sums, int from, int to) {
  uint least = NO_SUM;
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = CANDIDATE_OF(team.lane, i);
    if (k >= from && k <= to) least = min(least, sums[i]);
  }
  return team_least(team, least);
}

// Another candidate of the other view's pixel.
static ALWAYS_INLINE void note_key(LOCAL_POINTER uint* place, uint key) {
#if LANES * TEAMS == 1
  *place = min(*place, key);
#else
  atomic_min(place, key);
#endif
}

// The winner and its sum. `other`: the key of the other view's pixel that candidate 0 names, where BOTH_VIEWS.
static ALWAYS_INLINE void find_winner(Found* found, Team team, const uint* sums, LOCAL_POINTER uint* other) {
#if ORDER_BITS > 0
  uint key = NO_SUM;
#if BOTH_VIEWS
  // Where the lane's candidates begin, so that the others lie at known distances: NVIDIA's OpenCL compiler keeps the
  // address of each in registers otherwise, and has too few.
  LOCAL_POINTER uint* const others = other + (MATCHES_LEFT ? -FIRST_CANDIDATE(team.lane) : FIRST_CANDIDATE(team.lane));
#endif
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = CANDIDATE_OF(team.lane, i);
    // More than any other key where there is no candidate.
    const uint mine = sums[i] << ORDER_BITS | (uint)ORDER(k);
    key = min(key, mine);
#if BOTH_VIEWS
    if (LANES * OWN == COUNT || k < COUNT) note_key(others + (MATCHES_LEFT ? -CANDIDATE_AT(i) : CANDIDATE_AT(i)), mine);
#endif
  }
  key = team_least(team, key);
  const uint order = key & ((1u << ORDER_BITS) - 1);
  found->cost = key >> ORDER_BITS;
#else
  found->cost = least_from(team, sums, 0, COUNT - 1);
  uint order = COUNT - 1;
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const int k = CANDIDATE_OF(team.lane, i);
    if (k < COUNT && sums[i] == found->cost) order = min(order, (uint)ORDER(k));
  }
  order = team_least(team, order);
#endif
  found->k = ORDER((int)order);
}

static ALWAYS_INLINE Found search(Team team, const uint* sums, Candidates c, LOCAL_POINTER uint* other) {
  Found found = {c.first <= c.last, 0, 0, false, 0, false, 0, 0, false, 1, 1};
  find_winner(&found, team, sums, other);
  if (SOURCES) found.any = found.cost != NO_SUM >> ORDER_BITS;
#if FULL
  if (NEEDS_SECOND || REJECT_TIES) {
    uint second = NO_SUM;
    EACH_OWN for (int i = 0; i < OWN; ++i)
      if (may_be_second_best(CANDIDATE_OF(team.lane, i), found.k)) second = min(second, sums[i]);
    found.second = team_least(team, second);
    found.has_second = found.second != NO_SUM;
    found.tied = found.second == found.cost;
  }
#endif
  return found;
}

static ALWAYS_INLINE void find_neighbours(Found* found, LOCAL_POINTER uint* kept, Volumes v, Sources sources, int x,
                                          int y, Candidates c) {
  const bool before = found->any && found->k > c.first && partner_shows(sources, x, found->k - 1, v.width);
  const bool after = found->any && found->k < c.last && partner_shows(sources, x, found->k + 1, v.width);
  found->pair = before && after;
  found->before = before ? sum_at(v, kept, x, y, found->k - 1) : NO_SUM;
  found->after = after ? sum_at(v, kept, x, y, found->k + 1) : NO_SUM;
}

// What is left of a pixel's candidates: those that show nothing count where no second best was found.
static ALWAYS_INLINE Candidates candidates_left(Found f, Volumes v, int x, int y) {
  const Candidates c = candidates_of(WORKING_COLUMN(x, v.width), v.width);
  if (!SOURCES || f.has_second) return c;
  return shown_candidates(c, sources_of_pixel(v.own_mask, v.other_mask, x, y, v.width), x, v.width);
}

// All of the group call it. `mine`: whether the work-item is the one that finishes the pixel.
static ALWAYS_INLINE void find_pixel(Found* found, bool mine, Team team, LOCAL_POINTER uint* kept, Volumes v, int x,
                                     int y, LOCAL_POINTER uint* other) {
  const Sources sources = sources_of_pixel(v.own_mask, v.other_mask, x, y, v.width);
  Candidates c = candidates_of(WORKING_COLUMN(x, v.width), v.width);
  if (SOURCES && sources.own[x] == 0) c.last = c.first - 1;
  uint sums[OWN];
  sum_paths(sums, kept, v, sources, x, y, c, team.lane);
  const Found one = search(team, sums, c, other);
  if (!mine) return;
  *found = one;
  if (FULL && NEEDS_NEIGHBOURS) find_neighbours(found, kept, v, sources, x, y, c);
}

__kernel WORK_GROUP(GROUP, 1) void path_winners(
    __global const VALUE* restrict volumes, __global const uchar* restrict textureless,
    __global MAP* restrict disparity, __global int* restrict winner, __global uchar* restrict confidences,
    __global uint* restrict costs, __global uint* restrict other_keys, __global const uchar* restrict own_mask,
    __global const uchar* restrict other_mask, GRID_CONSTANT MatchArguments arguments) {
  const int thread = (int)get_local_id(0);
  USE_TEAM(team, thread);
  const int width = arguments.width, y = (int)get_group_id(1);
  const Outputs outputs = outputs_of(disparity, winner, textureless, confidences, costs, arguments);
  const Volumes v = {volumes, own_mask, other_mask, width, arguments.height};
  // Teams take neighbouring pixels.
  const int group_left = (int)get_group_id(0) * TEAMS * PIXELS, left = group_left + thread / LANES;
#if KEEPS_SUMS
  __local uint ALIGN_16 kept_words[TEAMS * KEPT_WORDS];
  LOCAL_POINTER uint* const kept = kept_words + thread / LANES * KEPT_WORDS;
#else
  LOCAL_POINTER uint* const kept = 0;
#endif
#if BOTH_VIEWS
  __local uint others[OTHER_KEYS];
  for (int i = thread; i < OTHER_KEYS; i += GROUP) others[i] = NO_KEY;
  GROUP_BARRIER();
#else
  LOCAL_POINTER uint* const others = 0;
#endif
  for (int first = left; first < left + TEAMS * PIXELS; first += TEAMS * LANES) {
    Found mine = {false, 0, 0, false, 0, false, 0, 0, false, 1, 1};
    NO_UNROLL for (int n = 0; n < LANES; ++n) {
      // Lanes agree on every pixel; those beyond the row are the last one again.
      const int x = min(first + n * TEAMS, width - 1), other = x - group_left + (MATCHES_LEFT ? COUNT - 1 : 0);
      find_pixel(&mine, n == team.lane, team, kept, v, x, y, others + other);
    }
    const int x = first + team.lane * TEAMS;
    if (x < width) emit(mine, candidates_left(mine, v, x, y), WORKING_COLUMN(x, width), y, outputs);
  }
#if BOTH_VIEWS
  GROUP_BARRIER();
  __global uint* row = other_keys + (int64)y * width;
  for (int i = thread; i < OTHER_KEYS; i += GROUP)
    if (others[i] < NO_KEY) atomic_min(row + (OTHER_LEFT(group_left) + i), others[i]);
#endif
}
