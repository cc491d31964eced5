// SPDX-License-Identifier: Apache-2.0
// The searches that look at few candidates at a time, by SAD on bytes: tz with coarse levels, hierarchical, diamond,
// hexagon, and step with its grid of 3x3. A group has a block, and all its work-items share each candidate. The next
// move of such a search goes at most 2 px from its centre. So all 5x5 candidates there are summed at once, and these
// sums decide about more than one move.
//
// Equal to reference/motion: which of equal candidates wins follows from a total order, so that it does not matter
// which is tried first.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef SEARCH
#define SEARCH 4  // MotionSearch: 1 step with 3x3, 2 diamond, 3 hexagon, 4 tz with levels, 5 hierarchical
#endif
#ifndef LEVEL
#define LEVEL 0  // the level that is searched; 0 is the finest
#endif
#ifndef BLOCK_W
#define BLOCK_W 16  // width of a block in px: 4 .. 64
#endif
#ifndef BLOCK_H
#define BLOCK_H 16  // height of a block in px: 4 .. 64
#endif
#ifndef FARTHEST
#define FARTHEST 16  // the farthest displacement in px
#endif
// More of them: motion/around.h, motion/task.h and motion/team.h.

#include "definitions/motion/pattern.h"
#include "definitions/motion/pyramid.h"
#include "definitions/motion/step.h"
#include "definitions/motion/tz.h"
#include "motion/around.h"

// MotionSearch in the order of its values.
#define STEP 1
#define DIAMOND 2
#define HEXAGON 3
#define TZ 4
#define HIERARCHICAL 5

#define SIDE 5  // of the places that are summed at once
#define PLACES (SIDE * SIDE)
// The farthest that a search ever asks for, along rows and columns.
#define FAR (SEARCH == HIERARCHICAL ? 4 : SEARCH == DIAMOND ? 2 : 3)

static inline int size_of(int number) { return number < 0 ? -number : number; }

/// The sum of place lane % 32 about (x, y).
static inline uint sum_places(const Search* s, Team* team, uint mine, int x, int y) {
  uint sums[PLACES];
  add_around(s, sums, x, y, 2, FAR);
  SPREAD for (int i = 0; i < PLACES; ++i)
    if (is_around(i % SIDE, i / SIDE, 2, FAR)) put_sum(team, &mine, sums[i], i);
  return end_sums(team, mine);
}

/// Zero and the prediction.
static inline void begin_anywhere(const Search* s, Team* team, Best* best) {
  const int x = whole_pixels(s->task.px), y = whole_pixels(s->task.py), lane = team->lane % TEAM;
  uint mine = 0;
  put_candidate(s, team, &mine, 0, 0, 0);
  put_candidate(s, team, &mine, x, y, 1);
  mine = end_sums(team, mine);
  improve(s, team, best, mine, lane == 0 ? 0 : x, lane == 0 ? 0 : y, lane < 2);
}

#if SEARCH == TZ
#define MOST_STARTS 6
#define NO_START ((int)0x80008000)  // out of every range

/// Whether another start before it is the same, or it is none.
static inline bool is_new_start(LOCAL_POINTER const int* starts, int index) {
  bool is_new = starts[index] != NO_START;
  for (int i = 0; i < index; ++i) is_new = is_new && starts[i] != starts[index];
  return is_new;
}
/// Lane n of five has the start itself, or one of the four points next to it; which of 3x3 places that is.
static inline int place_of_five(int n) { return n == 0 ? 4 : n == 1 ? 1 : n == 2 ? 3 : n == 3 ? 5 : 7; }

/// Zero, and five points each of: the prediction, unless it is zero; the doubled vectors of the cells of the coarser
/// level that lie here and around.
static inline void begin_zones(const Search* s, Team* team, Best* best, __global const int* coarser,
                               LOCAL_POINTER int* starts) {
  const int cell_w = tz_cell(BLOCK_W, LEVEL + 1), cell_h = tz_cell(BLOCK_H, LEVEL + 1);
  const int across = block_count(half_side(s->task.size.width), cell_w),
            down = block_count(half_side(s->task.size.height), cell_h);
  const int lane = team->lane % TEAM;
  if (team->lane < MOST_STARTS) {
    const int x = tz_parent(s->task.block.x, s->task.block.w, cell_w) + tz_cell_x(lane);
    const int y = tz_parent(s->task.block.y, s->task.block.h, cell_h) + tz_cell_y(lane);
    int start = NO_START;
    if (lane == MOST_STARTS - 1) {
      const int predicted = pack_vector(whole_pixels(s->task.px), whole_pixels(s->task.py));
      start = predicted == 0 ? NO_START : predicted;
    } else if (x >= 0 && x < across && y >= 0 && y < down) {
      const int vector = coarser[y * across + x];
      start = pack_vector(x_of(vector) / 2, y_of(vector) / 2);
    }
    starts[lane] = start;
  }
  GROUP_BARRIER();
  uint mine = 0;
  put_candidate(s, team, &mine, 0, 0, 0);
  NO_UNROLL for (int i = 0; i < MOST_STARTS; ++i) {
    if (!is_new_start(starts, i)) continue;
    uint sums[9];
    add_around(s, sums, x_of(starts[i]), y_of(starts[i]), 1, 1);
    SPREAD for (int n = 0; n < 5; ++n) put_sum(team, &mine, sums[place_of_five(n)], 1 + 5 * i + n);
  }
  mine = end_sums(team, mine);
  const int start = (lane + 4) / 5 - 1, next = (lane + 4) % 5 - 1;  // of lane 0: -1
  const int from = start < 0 || start >= MOST_STARTS ? 0 : starts[start];
  const bool tried = start < 0 || (start < MOST_STARTS && is_new_start(starts, start));  // lane 31 has none
  improve(s, team, best, mine, x_of(from) + (start < 0 || next < 0 ? 0 : small_diamond_x(next)),
          y_of(from) + (start < 0 || next < 0 ? 0 : small_diamond_y(next)), tried);
}

/// Diamonds of 1 and 2 px about the best, and the two points that a winner at distance 1 has not seen, until nothing
/// moves.
static inline void walk(const Search* s, Team* team, Best* best) {
  const int lane = team->lane % TEAM, dx = lane % SIDE - 2, dy = lane / SIDE - 2, far = size_of(dx) + size_of(dy);
  bool moved = true;
  while (moved) {
    const int x = best->x, y = best->y;
    const uint mine = sum_places(s, team, 0, x, y);
    moved = improve(s, team, best, mine, x + dx, y + dy, lane < PLACES && far >= 1 && far <= min(FARTHEST, 2));
    const int from_x = best->x - x, from_y = best->y - y;
    if (moved && max(size_of(from_x), size_of(from_y)) == 1) {
      bool is_missing = false;
      for (int i = 0; i < 2; ++i)
        is_missing = is_missing ||
                     (dx == from_x + tz_missing_x(from_x, from_y, i) && dy == from_y + tz_missing_y(from_x, from_y, i));
      moved = improve(s, team, best, mine, x + dx, y + dy, lane < PLACES && is_missing);
    }
  }
}
#elif SEARCH == DIAMOND || SEARCH == HEXAGON
/// The pattern moves on until its middle is the best; then its neighbours decide.
static inline void walk(const Search* s, Team* team, Best* best) {
  const int lane = team->lane % TEAM, dx = lane % SIDE - 2, dy = lane / SIDE - 2;
  const int far_x = size_of(dx), far_y = size_of(dy), far = far_x + far_y;
#if SEARCH == DIAMOND
  const bool is_pattern = far == 2, is_last = far == 1;
#else
  const bool is_pattern = (far_x == 1 && far_y == 2) || (far_x == 2 && far_y == 0), is_last = max(far_x, far_y) == 1;
#endif
  bool moved = true;
  while (moved) {
    const int x = best->x, y = best->y;
    const uint mine = sum_places(s, team, 0, x, y);
    moved = improve(s, team, best, mine, x + dx, y + dy, lane < PLACES && is_pattern);
    if (!moved) improve(s, team, best, mine, x + dx, y + dy, lane < PLACES && is_last);
  }
}
#elif SEARCH == STEP
/// Eight points about the best, each round half as far as the one before.
static inline void walk(const Search* s, Team* team, Best* best) {
  const int lane = team->lane % TEAM, plain = step_plain_rounds(FARTHEST);
  NO_UNROLL for (int round = 0; round < plain; ++round) {
    const int x = best->x, y = best->y, spacing = step_spacing(plain, 1, round);
    uint mine = 0;
    SPREAD for (int k = 0; k < 8; ++k)
      put_candidate(s, team, &mine, x + neighbour_x(k) * spacing, y + neighbour_y(k) * spacing, k);
    mine = end_sums(team, mine);
    improve(s, team, best, mine, x + neighbour_x(lane) * spacing, y + neighbour_y(lane) * spacing, lane < 8);
  }
}
#endif

#if SEARCH == HIERARCHICAL
/// Zero, on the finest level the prediction, and all places about the doubled vector of the coarser level.
static inline void refine(const Search* s, Team* team, Best* best, int coarse_x, int coarse_y) {
  const int lane = team->lane % TEAM, x = whole_pixels(s->task.px), y = whole_pixels(s->task.py);
  uint mine = 0;
  put_candidate(s, team, &mine, 0, 0, PLACES);
  if (LEVEL == 0) put_candidate(s, team, &mine, x, y, PLACES + 1);
  mine = sum_places(s, team, mine, coarse_x, coarse_y);
  const int here_x = lane < PLACES ? coarse_x + lane % SIDE - 2 : lane == PLACES ? 0 : x;
  const int here_y = lane < PLACES ? coarse_y + lane / SIDE - 2 : lane == PLACES ? 0 : y;
  improve(s, team, best, mine, here_x, here_y, lane < PLACES + (LEVEL == 0 ? 2 : 1));
}
#endif

static inline Region region_of(int column, int row, int frame_w, int frame_h, int width, int height) {
  Region block;
#if SEARCH == TZ && LEVEL > 0
  const int w = tz_cell(BLOCK_W, LEVEL), h = tz_cell(BLOCK_H, LEVEL);
  block.x = column * w, block.w = block_extent(column, w, width);
  block.y = row * h, block.h = block_extent(row, h, height);
#else
  const int x = column * BLOCK_W, w = block_extent(column, BLOCK_W, frame_w);
  const int y = row * BLOCK_H, h = block_extent(row, BLOCK_H, frame_h);
  block.x = LEVEL == 0 ? x : coarse_start(x, w, LEVEL, width);
  block.y = LEVEL == 0 ? y : coarse_start(y, h, LEVEL, height);
  block.w = LEVEL == 0 ? w : coarse_extent(x, w, LEVEL, width);
  block.h = LEVEL == 0 ? h : coarse_extent(y, h, LEVEL, height);
#endif
  return block;
}

/// `vectors` gets two numbers per block, in quarter pixels; on a coarse level `coarse` alone is written, packed in
/// quarter pixels, and is `coarser` on the next finer one. `predictions` counts where predicted is not 0.
__kernel WORK_GROUP(GROUP, 1) void walking(__global const uchar* restrict current,
                                           __global const uchar* restrict reference,
                                           __global const short* restrict predictions,
                                           __global const int* restrict coarser, __global int* restrict coarse,
                                           __global short* restrict vectors, __global uint64* restrict costs,
                                           __global uint64* restrict all_j, GRID_CONSTANT WalkArguments arguments) {
  __local uint words[TEAM_WORDS];
  const int column = (int)get_group_id(0), row = (int)get_group_id(1), index = row * (int)get_num_groups(0) + column;
  Team team;
  team.words = words, team.lane = (int)get_local_id(0), team.turn = 0;
  Search s;
  s.task.reference = reference;
  const LevelArguments l = arguments.level;
  s.task.size = l.frame;
  s.task.block = region_of(column, row, arguments.frame_width, arguments.frame_height, l.frame.width, l.frame.height);
  s.task.first_x = l.first_x, s.task.last_x = l.last_x, s.task.first_y = l.first_y, s.task.last_y = l.last_y;
  s.task.px = l.predicted != 0 ? predictions[2 * index] : 0;
  s.task.py = l.predicted != 0 ? predictions[2 * index + 1] : 0;
  load_block(&s, current, team.lane);
  Best best;
  best.j = best.place = NO_BEST_J;
  best.x = best.y = 0;
#if SEARCH == HIERARCHICAL
  refine(&s, &team, &best, x_of(coarser[index]) / 2, y_of(coarser[index]) / 2);
#else
#if SEARCH == TZ
  __local int starts[MOST_STARTS];
  begin_zones(&s, &team, &best, coarser, starts);
#elif SEARCH == STEP
  {
    uint mine = 0;
    put_candidate(&s, &team, &mine, 0, 0, 0);
    mine = end_sums(&team, mine);
    improve(&s, &team, &best, mine, 0, 0, team.lane % TEAM == 0);
  }
#else
  begin_anywhere(&s, &team, &best);
#endif
  walk(&s, &team, &best);
#endif
  if (team.lane != 0) return;
#if LEVEL > 0
  coarse[index] = pack_vector(4 * best.x, 4 * best.y);
#else
  vectors[2 * index] = (short)(4 * best.x);
  vectors[2 * index + 1] = (short)(4 * best.y);
  costs[index] = best.j - rate_of(&s.task, best.x, best.y);
  all_j[index] = best.j;
#endif
}
