// SPDX-License-Identifier: Apache-2.0
// Every motion search on any device: a group has a block, and its work-items try the points of one phase at once (all
// candidates, a grid, a diamond). Equal to reference/motion: what a phase finds is the least of its points in a total
// order, so that it does not matter which work-item tries which point, and when.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef SEARCH
#define SEARCH 0  // MotionSearch: 0 full, 1 step, 2 diamond, 3 hexagon, 4 tz, 5 hierarchical
#endif
#ifndef LAMBDA
#define LAMBDA 0  // weight of a vector's bits in J, 0 and up
#endif
#ifndef FARTHEST
#define FARTHEST 16  // of step, diamond, hexagon and tz: the farthest displacement in px
#endif
#ifndef MERGED
#define MERGED 1  // of step: rounds that one grid does at once
#endif
#ifndef WIDEST_GRID
#define WIDEST_GRID 7  // of step: most points of a grid to each side of its middle
#endif
// More of them: motion/blocks.h and motion/spread.h.

#include "definitions/motion/second_best.h"
#include "motion/blocks.h"
#include "motion/phases.h"

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
    GROUP_BARRIER();  // all have read before any of them writes again
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
