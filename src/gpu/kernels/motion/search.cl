// SPDX-License-Identifier: Apache-2.0
// Every motion search on any device: a group has a block, and its work-items try the points of one phase at once (all
// candidates, a grid, a diamond). Equal to reference/motion: what a phase finds is the least of its points in a total
// order, so that it does not matter who tries which, and when.
#if !defined(GROUP) || !defined(SEARCH) || !defined(LAMBDA) || !defined(FARTHEST) || !defined(MERGED) || \
    !defined(WIDEST_GRID)
#error "search needs GROUP (a power of two), SEARCH, LAMBDA, FARTHEST, and for steps MERGED and WIDEST_GRID"
#endif
#include "definitions/motion/pattern.h"
#include "definitions/motion/second_best.h"
#include "definitions/motion/step.h"
#include "definitions/motion/tz.h"
#include "motion/blocks.h"

// MotionSearch in the order of its values.
#define FULL 0
#define STEP 1
#define DIAMOND 2
#define HEXAGON 3
#define TZ 4
#define HIERARCHICAL 5

#define DONE 0
#define START 1        // zero, the prediction, what the coarser level found
#define ALL 2          // every candidate
#define SECOND_BEST 3  // every candidate that may be second best
#define AROUND 4       // a grid about the best, or about the coarse vector
#define MOVE 5         // the large diamond or the hexagon about the best
#define LAST 6         // the neighbours at the end
#define GROW 7         // all diamonds about the best
#define MISSING 8      // the two that a diamond left out
#define RASTER 9

/// A block's search on one level.
typedef struct {
  Frames frames;
  Region block;
  int first_x, last_x, first_y, last_y;
  int lambda, predicted_x, predicted_y;  // quarter pixels
  int coarse_x, coarse_y;                // brought to this level
  int level, levels;
  LOCAL_POINTER const int* starts;  // of tz with levels: vectors that differ, packed
  int start_count;
} Search;

/// The same for all work-items of the group.
typedef struct {
  uint64 j;
  int x, y;  // the best so far
  int phase, round;
  int distance, from_x, from_y;  // how tz found it: the diamond's distance, 0 where none did; from where, at distance 1
} State;

static inline bool is_candidate(const Search* s, int x, int y) {
  if (x < s->first_x || x > s->last_x || y < s->first_y || y > s->last_y) return false;
  return PAD || (is_inside(s->block.x, s->block.w, x, s->frames.size.width) &&
                 is_inside(s->block.y, s->block.h, y, s->frames.size.height));
}

/// Diamonds of 1, 2, 4, ... up to FARTHEST px, and how many points they have.
static inline int diamond_count(void) {
  int count = 1;
  while ((1 << count) <= FARTHEST) ++count;
  return count;
}
static inline int first_point(int diamond) {
  return diamond == 0 ? 0 : diamond <= 4 ? 4 + 8 * (diamond - 1) : 28 + 16 * (diamond - 4);
}
static inline int diamond_of(int k) { return k < 4 ? 0 : k < 28 ? 1 + (k - 4) / 8 : 4 + (k - 28) / 16; }
#define MOST_POINTS 124

static inline int step_grid_reach(int round) {
  const int reach = step_reach(step_plain_rounds(FARTHEST), MERGED, round);
  return min(reach, WIDEST_GRID);
}

/// Points of a phase.
static inline int count_of(const Search* s, const State* t) {
  const int side_x = s->last_x - s->first_x, side_y = s->last_y - s->first_y;
  const int side = 2 * step_grid_reach(t->round) + 1, around = 2 * pyramid_reach() + 1;
  switch (t->phase) {
    case START:
      return SEARCH == STEP ? 1 : SEARCH == TZ && s->levels > 0 ? 1 + 5 * s->start_count : 2;
    case AROUND:
      return SEARCH == STEP ? side * side : around * around + (s->level == 0 ? 2 : 1);
    case MOVE:
      return SEARCH == DIAMOND ? 8 : 6;
    case LAST:
      return SEARCH == DIAMOND ? 4 : 8;
    case GROW:
      return first_point(diamond_count());
    case MISSING:
      return 2;
    case RASTER:
      return (side_x / tz_raster() + 1) * (side_y / tz_raster() + 1);
    default:
      return (side_x + 1) * (side_y + 1);
  }
}

/// Point k of the phase, packed.
static inline int point_of(const Search* s, const State* t, int k) {
  const int around = 2 * pyramid_reach() + 1, fixed = s->level == 0 ? 2 : 1;
#if SEARCH == TZ
  if (t->phase == START && s->levels > 0) {  // each start with the four points next to it
    const int start = k == 0 ? 0 : s->starts[(k - 1) / 5], next = (k - 1) % 5 - 1;
    if (k == 0 || next < 0) return start;
    return pack_vector(x_of(start) + small_diamond_x(next), y_of(start) + small_diamond_y(next));
  }
#endif
  if (t->phase == START || (SEARCH == HIERARCHICAL && t->phase == AROUND && k < fixed))
    return k == 0 ? 0 : pack_vector(whole_pixels(s->predicted_x), whole_pixels(s->predicted_y));
  if (t->phase == ALL || t->phase == SECOND_BEST) {
    const int across = s->last_x - s->first_x + 1;
    return pack_vector(s->first_x + k % across, s->first_y + k / across);
  }
#if SEARCH == HIERARCHICAL
  k -= fixed;
  return pack_vector(s->coarse_x + k % around - pyramid_reach(), s->coarse_y + k / around - pyramid_reach());
#elif SEARCH == STEP
  const int reach = step_grid_reach(t->round), side = 2 * reach + 1;
  const int spacing = step_spacing(step_plain_rounds(FARTHEST), MERGED, t->round);
  return pack_vector(t->x + (k % side - reach) * spacing, t->y + (k / side - reach) * spacing);
#elif SEARCH == DIAMOND
  if (t->phase == MOVE) return pack_vector(t->x + large_diamond_x(k), t->y + large_diamond_y(k));
  return pack_vector(t->x + small_diamond_x(k), t->y + small_diamond_y(k));
#elif SEARCH == HEXAGON
  if (t->phase == MOVE) return pack_vector(t->x + hexagon_x(k), t->y + hexagon_y(k));
  return pack_vector(t->x + neighbour_x(k), t->y + neighbour_y(k));
#elif SEARCH == TZ
  if (t->phase == RASTER) {
    const int across = (s->last_x - s->first_x) / tz_raster() + 1;
    return pack_vector(s->first_x + k % across * tz_raster(), s->first_y + k / across * tz_raster());
  }
  if (t->phase == MISSING)
    return pack_vector(t->x + tz_missing_x(t->from_x, t->from_y, k), t->y + tz_missing_y(t->from_x, t->from_y, k));
  const int diamond = diamond_of(k), distance = 1 << diamond;
  k -= first_point(diamond);
  return pack_vector(t->x + tz_x(distance, k), t->y + tz_y(distance, k));
#else
  return 0;
#endif
}

static inline void begin_search(const Search* s, State* t) {
  const bool all = SEARCH == FULL || (s->level > 0 && s->level == s->levels);
  t->j = NO_J;
  t->x = t->y = t->round = t->distance = t->from_x = t->from_y = 0;
  t->phase = all ? ALL : SEARCH == HIERARCHICAL ? AROUND : START;
}

/// What comes after a phase that `moved` the best or did not. For tz, `round` is 0 until the first diamonds are done.
static inline int next_phase(const Search* s, State* t, bool moved, bool want_second) {
  if (SEARCH == FULL) return t->phase == ALL && want_second ? SECOND_BEST : DONE;
  if (SEARCH == HIERARCHICAL || t->phase == ALL) return DONE;
  if (SEARCH == STEP) {
    if (t->phase == AROUND) ++t->round;
    return t->round < step_rounds(step_plain_rounds(FARTHEST), MERGED) ? AROUND : DONE;
  }
  if (SEARCH == DIAMOND || SEARCH == HEXAGON)
    return t->phase == START ? MOVE : t->phase == LAST ? DONE : moved ? MOVE : LAST;
  if (t->phase == START) return GROW;
  if (t->phase == GROW && t->distance == 1) return MISSING;
  if (t->phase == MISSING) t->distance = moved ? 2 : 0;
  const bool first = t->round++ == 0;
  if (t->phase == RASTER)
    t->distance = tz_raster();
  else if (first && t->distance > tz_raster())
    return RASTER;
  if (t->distance == 0) return DONE;
  t->distance = 0;
  return GROW;
}

/// Follows the diamonds from the inside out, each known by its best point, until too many in turn bring no gain.
static inline void grow(State* t, LOCAL_POINTER const uint64* js, LOCAL_POINTER const int* vs,
                        LOCAL_POINTER const int* ks) {
  const int x = t->x, y = t->y, patience = t->round == 0 ? 3 : FARTHEST;
  int idle = 0;
  for (int diamond = 0; diamond < diamond_count() && idle < patience; ++diamond) {
    ++idle;
    if (!is_better_vector(js[diamond], x_of(vs[diamond]), y_of(vs[diamond]), t->j, t->x, t->y)) continue;
    idle = 0;
    t->j = js[diamond];
    t->x = x_of(vs[diamond]), t->y = y_of(vs[diamond]);
    t->distance = tz_distance(1 << diamond, ks[diamond]);
    t->from_x = t->x - x, t->from_y = t->y - y;
  }
}

#if SEARCH == TZ
#define MOST_STARTS 6
#define NO_START ((int)0x80008000)  // out of every range

/// A block, or a cell of a coarse level.
static inline Region tz_region(int column, int row, int level, int width, int height) {
  const int w = level == 0 ? BLOCK_W : tz_cell(BLOCK_W, level), h = level == 0 ? BLOCK_H : tz_cell(BLOCK_H, level);
  Region block = {column * w, row * h, block_extent(column, w, width), block_extent(row, h, height)};
  return block;
}

/// The prediction, unless it is zero, and the doubled vectors of the cells of the coarser level that lie here and
/// around, in quarter pixels: each once. Returns how many; the whole group has them.
static inline int find_starts(const Search* s, __global const int* coarser, LOCAL_POINTER int* starts,
                              LOCAL_POINTER int* count, int lane) {
  const int cell_w = tz_cell(BLOCK_W, s->level + 1), cell_h = tz_cell(BLOCK_H, s->level + 1);
  const int across = block_count(half_side(s->frames.size.width), cell_w);
  const int down = block_count(half_side(s->frames.size.height), cell_h);
  const int column = tz_parent(s->block.x, s->block.w, cell_w), row = tz_parent(s->block.y, s->block.h, cell_h);
  for (int i = lane; i < MOST_STARTS; i += GROUP) {
    const int x = column + tz_cell_x(i), y = row + tz_cell_y(i);
    const int predicted = pack_vector(whole_pixels(s->predicted_x), whole_pixels(s->predicted_y));
    int start = NO_START;
    if (i == MOST_STARTS - 1)
      start = predicted == 0 ? NO_START : predicted;
    else if (x >= 0 && x < across && y >= 0 && y < down)
      start = pack_vector(x_of(coarser[y * across + x]) / 2, y_of(coarser[y * across + x]) / 2);
    starts[i] = start;
  }
  GROUP_BARRIER();
  if (lane == 0) {
    int kept = 0;
    for (int i = 0; i < MOST_STARTS; ++i) {
      bool differs = starts[i] != NO_START;
      for (int k = 0; k < kept; ++k) differs = differs && starts[k] != starts[i];
      if (differs) starts[kept++] = starts[i];
    }
    *count = kept;
  }
  GROUP_BARRIER();
  return *count;
}
#endif

/// A point of a phase, and what it costs.
typedef struct {
  uint64 j;
  int vector;  // packed
} Point;

static inline bool is_better_point(Point one, Point other) {
  return is_better_vector(one.j, x_of(one.vector), y_of(one.vector), other.j, x_of(other.vector), y_of(other.vector));
}
static inline bool is_better_than_best(Point one, const State* t) {
  return is_better_vector(one.j, x_of(one.vector), y_of(one.vector), t->j, t->x, t->y);
}

/// The local memory of a group.
typedef struct {
  LOCAL_POINTER uint64* js;    // the best point of each work-item, or of each diamond: J,
  LOCAL_POINTER int* vectors;  // and its vector, packed
  LOCAL_POINTER SUM* sums;     // of work-items that share a point
#if SEARCH == TZ
  LOCAL_POINTER uint64* points;  // J of all points of all diamonds
  LOCAL_POINTER int* indices;    // of the best point of each diamond, among its points
#endif
} Shared;

/// J of vector (x, y) in the first of the `share` work-items that add it up, NO_J where it is not `tried`. All of the
/// group call it.
static ALWAYS_INLINE uint64 shared_j(const Search* s, LOCAL_POINTER SUM* sums, int x, int y, const bool tried,
                                     int cells, int share, int lane) {
  SUM mine = 0;
  if (tried)
    for (int cell = lane % share; cell < cells; cell += share)
      mine += cell_cost(&s->frames, cell_of(s->block, cell), x, y);
  const SUM cost = sum_of_sharers(sums, mine, lane, share);
  return tried ? cost + rate_of(s->lambda, 4 * x, 4 * y, s->predicted_x, s->predicted_y) : NO_J;
}

/// The best of the phase's points that the work-item is the first to add up. What diamonds cost is left in
/// shared->points. All of the group call it.
static ALWAYS_INLINE Point try_points(const Search* s, const State* t, const Shared* shared, int cells, int lane) {
  const int n = count_of(s, t), share = sharers(n, cells);
  const bool counts = lane % share == 0;
  Point best = {NO_J, 0};
  for (int first = 0; first < n; first += GROUP / share) {
    const int k = first + lane / share;
    Point point;
    point.vector = point_of(s, t, min(k, n - 1));
    const int x = x_of(point.vector), y = y_of(point.vector);
    const bool tried =
        k < n && is_candidate(s, x, y) && (t->phase != SECOND_BEST || may_be_second_best_vector(x, y, t->x, t->y));
    point.j = shared_j(s, shared->sums, x, y, tried, cells, share, lane);
#if SEARCH == TZ
    if (counts && k < n && t->phase == GROW) shared->points[k] = point.j;
#endif
    if (counts && tried && is_better_point(point, best)) best = point;
  }
  return best;
}

#if SEARCH == TZ
/// The best point of each diamond, by a work-item for each, and what follows for the best so far. All of the group call
/// it.
static ALWAYS_INLINE void follow_diamonds(const Search* s, State* t, const Shared* shared, int lane) {
  GROUP_BARRIER();
  if (lane < diamond_count()) {
    Point best = {NO_J, 0};
    for (int k = first_point(lane); k < first_point(lane + 1); ++k) {
      const Point point = {shared->points[k], point_of(s, t, k)};
      if (!is_better_point(point, best)) continue;
      best = point;
      shared->indices[lane] = k - first_point(lane);
    }
    shared->js[lane] = best.j, shared->vectors[lane] = best.vector;
  }
  GROUP_BARRIER();
  grow(t, shared->js, shared->vectors, shared->indices);
}
#endif

/// Searches a block phase by phase; `second_j` becomes the second best J where it is wanted. All of the group call it,
/// and come to know the best.
static ALWAYS_INLINE State search_block(const Search* s, const Shared* shared, bool want_second, uint64* second_j,
                                        int lane) {
  const int cells = cell_count(s->block);
  State t;
  begin_search(s, &t);
  while (t.phase != DONE) {
    const Point mine = try_points(s, &t, shared, cells, lane);
    bool moved = false;
#if SEARCH == TZ
    if (t.phase == GROW) {
      follow_diamonds(s, &t, shared, lane);
    } else
#endif
    {
      shared->js[lane] = mine.j, shared->vectors[lane] = mine.vector;
      best_of_group(shared->js, shared->vectors, lane);
      const Point best = {shared->js[0], shared->vectors[0]};
      moved = t.phase != SECOND_BEST && is_better_than_best(best, &t);
      if (t.phase == SECOND_BEST) *second_j = best.j;
      if (moved) t.j = best.j, t.x = x_of(best.vector), t.y = y_of(best.vector);
    }
    GROUP_BARRIER();  // all have read before anybody writes again
    t.phase = next_phase(s, &t, moved, want_second);
  }
  return t;
}

/// `vectors` gets two numbers per block, in quarter pixels; on a coarse level `coarse` alone is written, packed in
/// quarter pixels, and is `coarser` on the next finer one. `predictions` counts where predicted is not 0.
__kernel WORK_GROUP(GROUP,
                    1) void search(__global const PIXEL* restrict current, __global const PIXEL* restrict reference,
                                   __global const short* restrict predictions, __global const int* restrict coarser,
                                   __global int* restrict coarse, __global short* restrict vectors,
                                   __global uint64* restrict costs, __global uint64* restrict all_j,
                                   __global uint64* restrict second_j, GRID_CONSTANT SearchArguments arguments) {
  __local uint64 js[GROUP];
  __local int packed[GROUP];
  __local SUM sums[GROUP];
#if SEARCH == TZ
  __local uint64 points[MOST_POINTS];
  __local int indices[GROUP];
  __local int starts[MOST_STARTS];
  __local int start_count;
  const Shared shared = {js, packed, sums, points, indices};
#else
  const Shared shared = {js, packed, sums};
#endif
  const int lane = (int)get_local_id(0), column = (int)get_group_id(0), row = (int)get_group_id(1);
  const int index = row * (int)get_num_groups(0) + column;
  Search s;
  s.frames.current = current, s.frames.reference = reference;
  const LevelArguments l = arguments.level;
  const int level = arguments.number, levels = arguments.coarsest;
  s.frames.size = l.frame;
#if SEARCH == TZ
  s.block = tz_region(column, row, level, l.frame.width, l.frame.height);
#else
  s.block = region_of(column, row, arguments.frame_width, arguments.frame_height, level, l.frame.width, l.frame.height);
#endif
  s.first_x = l.first_x, s.last_x = l.last_x, s.first_y = l.first_y, s.last_y = l.last_y;
  s.lambda = level == 0 ? LAMBDA : 0;
  s.predicted_x = l.predicted != 0 ? predictions[2 * index] : 0;
  s.predicted_y = l.predicted != 0 ? predictions[2 * index + 1] : 0;
  s.level = level, s.levels = levels;
  s.coarse_x = s.coarse_y = s.start_count = 0;
#if SEARCH == HIERARCHICAL
  if (level < levels) s.coarse_x = x_of(coarser[index]) / 2, s.coarse_y = y_of(coarser[index]) / 2;
#elif SEARCH == TZ
  s.starts = starts;
  if (level < levels) s.start_count = find_starts(&s, coarser, starts, &start_count, lane);
#endif
  uint64 second = NO_J;
  const State found = search_block(&s, &shared, arguments.want_second != 0, &second, lane);
  if (lane != 0) return;
  if (level > 0) {
    coarse[index] = pack_vector(4 * found.x, 4 * found.y);
    return;
  }
  vectors[2 * index] = (short)(4 * found.x);
  vectors[2 * index + 1] = (short)(4 * found.y);
  costs[index] = found.j - rate_of(s.lambda, 4 * found.x, 4 * found.y, s.predicted_x, s.predicted_y);
  all_j[index] = found.j;
  if (arguments.want_second != 0) second_j[index] = second;
}
