// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SAD on bytes, without most of its sums: successive elimination (W. Li and E. Salari,
// "Successive elimination algorithm for motion estimation", IEEE Transactions on Image Processing, 1995; X. Gao, C.
// Duanmu and C. Zou, "A multilevel successive elimination algorithm for block matching motion estimation", the same,
// 2000). A block has 4x4 cells of four parts each. The SAD of a candidate is at least the sum, over the cells, of the
// differences between the sums of pixels of both frames; parts give a tighter bound in the same way. A group has a
// block:
//
// 1. Cells, at candidates of every ROW_STEP-th row. Each team takes the candidate of the lowest bound, looks at the
//    bounds of its neighbours, and computes J of four of them from their pixels. The least J known is the limit from
//    then on.
// 2. Cells, at all candidates: those whose bound is within the limit are listed. A work-item slides a window down two
//    neighbouring columns of candidates, one in each half of a register. Each row of cells that it reads is the first
//    row of one candidate, the second row of another, and so on.
// 3. Parts of the candidates in the list, one candidate to a work-item. For those within the limit J is computed from
//    their pixels at once, four candidates to a team, so that their memory latencies overlap. The limit decreases
//    meanwhile.
//
// A candidate is left out only if its bound is above the least J known, so the winner never is, nor a candidate of
// equal J. Blocks whose list is too long are left to full_sad.cl. For NVIDIA's GPUs: a team of 32 work-items is a warp.

// The launch configuration, and what the device can do:
#ifndef GROUP
#define GROUP 256  // work-items of a group; a multiple of 32
#endif
#ifndef MOST_LEFT
#define MOST_LEFT 2048  // candidates that the list of a block holds
#endif
#ifndef WARP_MINIMUM
#define WARP_MINIMUM 0  // 1: an instruction finds the least word and the sum of a warp
#endif
// More of them: motion/candidates.h and motion/cells.h.

#include "gpu/shared/motion/elimination.h"
#include "motion/cell_bounds.h"
#include "motion/keys.h"

#define WORDS (BLOCK_W / 4)  // of a row of a block's pixels
#define ACROSS (LAST_X - FIRST_X + 1)
#define DOWN (LAST_Y - FIRST_Y + 1)
#define TEAM ELIMINATION_TEAM
#define TEAMS (GROUP / TEAM)
#define STRIPS ((ACROSS + 2 * TEAM - 1) / (2 * TEAM))  // of columns of candidates, two to a work-item
#define ROW_STEP 4                                     // of the first look
#define LOOKS (STRIPS * (CELL_H / ROW_STEP))           // its sliding windows, each split into SEGMENTS
#define SEGMENTS (LOOKS >= TEAMS ? 1 : TEAMS / LOOKS)
#define EIGHT 8                               // work-items that have a candidate's pixels
#define NEIGHBOURS_ACROSS 4                   // of the most promising candidate; a team looks at TEAM of them
#define ROWS_BEFORE_SUM (CELLS_PER_SIDE - 1)  // rows of cells that a window adds before its first complete sum
// Two halves of 16 bits in a register.
#define LOW_BITS 0xFFFFu
#define HIGH_BITS 0xFFFF0000u
#define LOW_SIGN 0x8000u
#define HIGH_SIGN 0x80000000u
#define NO_HALF 0x7FFFu  // of no candidate: no sum reaches it
#if ACROSS <= 256 && DOWN <= 256
#define PLACE ushort
#define PLACE_BITS 8
#else
#define PLACE uint
#define PLACE_BITS 16
#endif

static inline uint least_of_team(uint value) {
#if WARP_MINIMUM
  return least_of_warp(value);
#else
  for (uint step = TEAM / 2; step > 0; step /= 2) value = min(value, from_lane_across(value, step));
  return value;
#endif
}
/// The J of a candidate that eight neighbouring work-items have in common. `block` holds 0 where `masks` do.
static ALWAYS_INLINE uint64 j_of(const Data* d, const Block* b, int x, int y, int lane, const bool whole) {
  const int in_eight = lane % EIGHT, word = in_eight % WORDS, row = in_eight / WORDS;
  const int place = (b->y + y + row) * d->plane_pitch + b->x + x, shift = place & 3;
  __global const uint* from = d->planes + shift * d->plane_words + (place - shift) / 4 + word;
  LOCAL_POINTER const uint* block = d->block + in_eight;
  uint sum = 0;
#if WORDS > EIGHT
  for (int i = 0; i < b->h; ++i)
    UNROLL for (int k = 0; k < WORDS; k += EIGHT)
      sum = add_byte_differences(sum, from[i * (d->plane_pitch / 4) + k] & d->masks[word + k], block[i * WORDS + k]);
#else
  const uint mask = whole ? ~0u : d->masks[word];
  const int pitch = d->plane_pitch / 4 * (EIGHT / WORDS);
  UNROLL_16 for (int i = 0; i < BLOCK_H / (EIGHT / WORDS); ++i)
    if (whole || i * (EIGHT / WORDS) + row < b->h)
      sum = add_byte_differences(sum, whole ? from[i * pitch] : from[i * pitch] & mask, block[i * EIGHT]);
#endif
  for (uint step = EIGHT / 2; step > 0; step /= 2) sum += from_lane_across(sum, step);
  return sum + rate(b, x, y);
}

/// The block's pixels, the bytes that count in a column of its words, and sums of its cells and parts: halves, a cell's
/// twice, 0 where a piece is not whole.
static inline void load_block(const Block* b, __global const uchar* restrict current, int pitch,
                              LOCAL_POINTER uint* block, LOCAL_POINTER uint* masks, LOCAL_POINTER uint* cell,
                              LOCAL_POINTER ushort* part, LOCAL_POINTER uint* sums, int lane) {
  if (lane < WORDS) {
    const int left = b->w - 4 * lane;
    masks[lane] = left >= 4 ? ~0u : left <= 0 ? 0 : (1u << (8 * left)) - 1;
  }
  GROUP_BARRIER();
  for (int i = lane; i < WORDS * BLOCK_H; i += GROUP) {
    const int row = i / WORDS, column = i % WORDS;
    uint four = 0;
    if (row < b->h && masks[column] != 0)
      four = *(__global const uint*)(current + (int64)(b->y + row) * pitch + b->x + 4 * column) & masks[column];
    block[i] = four;
  }
  GROUP_BARRIER();
  for (int i = lane; i < PARTS; i += GROUP) {
    const int part_x = i % PARTS_PER_SIDE, part_y = i / PARTS_PER_SIDE;
    uint sum = 0;
    for (int row = part_y * PART_H; row < (part_y + 1) * PART_H; ++row) {
#if PART_W >= 4
      UNROLL for (int k = 0; k < PART_W / 4; ++k)
        sum = add_byte_differences(sum, block[row * WORDS + part_x * (PART_W / 4) + k], 0);
#else
      sum = add_byte_differences(sum, block[row * WORDS + part_x / 2] & (part_x % 2 == 0 ? LOW_BITS : HIGH_BITS), 0);
#endif
    }
    sums[i] = sum;
    part[part_x * PARTS_PER_SIDE + part_y] =
        (ushort)((part_x + 1) * PART_W <= b->w && (part_y + 1) * PART_H <= b->h ? half_of_sum(sum, PART_UNIT) : 0);
  }
  GROUP_BARRIER();
  if (lane < CELLS) {
    const int cell_x = lane % CELLS_PER_SIDE, cell_y = lane / CELLS_PER_SIDE;
    const int upper = 2 * (cell_y * PARTS_PER_SIDE + cell_x), lower = upper + PARTS_PER_SIDE;
    const uint sum = half_of_sum(sums[upper] + sums[upper + 1] + sums[lower] + sums[lower + 1], CELL_UNIT);
    cell[lane] = cell_x < b->columns && cell_y < b->rows ? sum | sum << 16 : 0;
  }
  GROUP_BARRIER();
}

/// The first row from `low` on that belongs to the window that starts at row `start`.
static inline int first_row(int low, int start) { return low + ((start - low) & (CELL_H - 1)); }
/// NO_HALF in the halves of columns x and x + 1 that are no candidates, 0 in the others.
static inline uint without_candidate(const Block* b, int x) {
  return (x < b->left || x > b->right ? NO_HALF : 0) | (x + 1 < b->left || x + 1 > b->right ? NO_HALF << 16 : 0);
}

/// No J of the candidate with these differences of cells is below it.
static ALWAYS_INLINE uint bound_by_cells(const Block* b, uint half_bits, int x, int y) {
  return half_bits == NO_HALF ? FAR : bound_of(b, least_units(half_bits), CELL_UNIT, b->columns * b->rows, x, y);
}
/// The same of one candidate, without a sliding window.
static ALWAYS_INLINE uint bound_of_one(const Data* d, const Block* b, const uint* mine, int x, int y,
                                       const bool whole) {
  __global const ushort* from = d->cells + (b->y + y) * d->plane_pitch + b->x + x;
  uint sum = 0;
  UNROLL for (int i = 0; i < CELLS_PER_SIDE; ++i)
    if (whole || i < b->rows)
      UNROLL for (int j = 0; j < CELLS_PER_SIDE; ++j)
        if (whole || j < b->columns)
          sum = add_difference(sum, from[i * CELL_H * d->plane_pitch + j * CELL_W],
                               mine[CELLS_PER_SIDE * i + j] & LOW_BITS);
  return bound_by_cells(b, sum, x, y);
}

/// Of the candidates that a team looks at, the one of the lowest bound, and its neighbours of low bounds: each eight
/// work-items get one of them, as y << 16 | x, or FAR for none.
static ALWAYS_INLINE uint promising(const Data* d, const Block* b, const uint* mine, int lane, const bool whole) {
  const int team = lane / TEAM, in_team = lane % TEAM;
  uint least = FAR, place = FAR;
  NO_UNROLL for (int task = team; task < LOOKS * SEGMENTS; task += TEAMS) {
    const int look = task % LOOKS, rows = (b->high - b->low) / SEGMENTS + 1, low = b->low + task / LOOKS * rows;
    const int x = look / (CELL_H / ROW_STEP) * 2 * TEAM + 2 * in_team, last = min(low + rows - 1, b->high);
    int y = first_row(low, look % (CELL_H / ROW_STEP) * ROW_STEP);
    if (y > last) continue;
    const uint none = without_candidate(b, x);
    SlidingWindow m = begin_window(d, b, mine, x, y, whole);
    UNROLL_2 for (; y <= last; y += CELL_H) {
      const uint both = step(&m, d, b, mine, ROWS_BEFORE_SUM, whole) | none;
#if LAMBDA == 0
      const uint one = both & LOW_BITS, other = both >> 16;
#else
      const uint one = bound_by_cells(b, both & LOW_BITS, x, y), other = bound_by_cells(b, both >> 16, x + 1, y);
#endif
      if (min(one, other) < least) least = min(one, other), place = (uint)y << 16 | (uint)(x + (other < one ? 1 : 0));
    }
  }
  const uint lowest = least_of_team(least);
  place = least_of_team(least == lowest ? place : FAR);
  if (place == FAR) return FAR;
  // Its neighbours: rows that were left out, and columns.
  const int x = (int)(place & LOW_BITS) + in_team % NEIGHBOURS_ACROSS - NEIGHBOURS_ACROSS / 2,
            y = (int)(place >> 16) + in_team / NEIGHBOURS_ACROSS - TEAM / NEIGHBOURS_ACROSS / 2;
  const bool counts = x >= b->left && x <= b->right && y >= b->low && y <= b->high;
  least = counts ? bound_of_one(d, b, mine, x, y, whole) : FAR;
  place = counts ? (uint)y << 16 | (uint)x : FAR;
  for (uint step = EIGHT / 2; step > 0; step /= 2) {
    const uint other = from_lane_across(least, step), there = from_lane_across(place, step);
    if (other < least || (other == least && there < place)) least = other, place = there;
  }
  return place;
}

/// Lists all candidates within the limit by cells.
static ALWAYS_INLINE void list_candidates(const Data* d, const Block* b, const uint* mine, LOCAL_POINTER PLACE* listed,
                                          LOCAL_POINTER int* count, uint limit, int lane, const bool whole) {
  const int team = lane / TEAM, in_team = lane % TEAM;
#if LAMBDA == 0
  const uint slack = (uint)(b->columns * b->rows) * (CELL_UNIT - 1);
  const uint most = most_half_bits((uint)(((uint64)limit + slack) / CELL_UNIT)),
             compare = (most | most << 16) + (LOW_SIGN | HIGH_SIGN);
#endif
  NO_UNROLL for (int task = team; task < STRIPS * CELL_H; task += TEAMS) {
    const int x = task / CELL_H * 2 * TEAM + 2 * in_team;
    int y = first_row(b->low, task % CELL_H);
    if (y > b->high) continue;
    const uint none = without_candidate(b, x);
    SlidingWindow m = begin_window(d, b, mine, x, y, whole);
    UNROLL_2 for (; y <= b->high; y += CELL_H) {
      const uint both = step(&m, d, b, mine, ROWS_BEFORE_SUM, whole) | none;
#if LAMBDA == 0
      const uint within = (compare - both) & (LOW_SIGN | HIGH_SIGN);  // no half borrows of the other
#else
      const uint within = (bound_by_cells(b, both & LOW_BITS, x, y) <= limit ? LOW_SIGN : 0) |
                          (bound_by_cells(b, both >> 16, x + 1, y) <= limit ? HIGH_SIGN : 0);
#endif
      if (!any_lane(within != 0)) continue;
      const bool one = (within & LOW_SIGN) != 0, other = within >> 31 != 0;
      const uint ones = lanes_where(one), others = lanes_where(other), before = (1u << in_team) - 1;
      uint at = 0;
      if (in_team == 0) at = (uint)atomic_add(count, (int)(popcount(ones) + popcount(others)));
      at = from_lane(at, 0) + popcount(ones & before) + popcount(others & before);
      if (one && at < MOST_LEFT) listed[at] = (PLACE)(y << PLACE_BITS | x);
      if (one) ++at;
      if (other && at < MOST_LEFT) listed[at] = (PLACE)(y << PLACE_BITS | (x + 1));
    }
  }
}

/// No J of the candidate is below this, by its parts.
static ALWAYS_INLINE uint bound_by_parts(const Data* d, const Block* b, int x, int y, const bool whole) {
  const int across = b->w / PART_W, down = b->h / PART_H;
  __global const uint2* from = d->parts + (b->y + y) * d->plane_pitch + b->x + x;
  uint masks[PARTS_PER_SIDE / 2], sum[2] = {0, 0};
  UNROLL for (int k = 0; k < PARTS_PER_SIDE / 2; ++k)
    masks[k] = (2 * k < down ? LOW_BITS : 0) | (2 * k + 1 < down ? HIGH_BITS : 0);
  UNROLL for (int j = 0; j < PARTS_PER_SIDE; ++j)
    if (whole || j < across) {
      const uint2 upper = from[j * PART_W], lower = from[4 * PART_H * d->plane_pitch + j * PART_W];
      sum[j & 1] = add_difference(sum[j & 1], whole ? upper.x : upper.x & masks[0], d->part[4 * j]);
      sum[j & 1] = add_difference(sum[j & 1], whole ? upper.y : upper.y & masks[1], d->part[4 * j + 1]);
      sum[j & 1] = add_difference(sum[j & 1], whole ? lower.x : lower.x & masks[2], d->part[4 * j + 2]);
      sum[j & 1] = add_difference(sum[j & 1], whole ? lower.y : lower.y & masks[3], d->part[4 * j + 3]);
    }
  const uint units = least_units(sum[0] & LOW_BITS) + least_units(sum[0] >> 16) + least_units(sum[1] & LOW_BITS) +
                     least_units(sum[1] >> 16);
  return bound_of(b, units, PART_UNIT, across * down, x, y);
}

static inline int x_of_place(uint place) { return (int)(place & ((1u << PLACE_BITS) - 1)); }
static inline int y_of_place(uint place) { return (int)(place >> PLACE_BITS); }

/// The best key of a team's share of the list.
static ALWAYS_INLINE uint64 best_of_list(const Data* d, const Block* b, LOCAL_POINTER const PLACE* listed, int count,
                                         LOCAL_POINTER uint* limit, int lane, const bool whole) {
  const int team = lane / TEAM, in_team = lane % TEAM;
  volatile LOCAL_POINTER const uint* now = limit;  // others lower it
  uint64 key = NO_KEY;
  NO_UNROLL for (int first = team * TEAM; first < count; first += GROUP) {
    const bool here = first + in_team < count;
    const uint place = listed[here ? first + in_team : first];
    const uint bound = bound_by_parts(d, b, x_of_place(place), y_of_place(place), whole);
    bool waits = here;
    for (;;) {
      const uint to_do = lanes_where(waits && bound <= *now);
      if (to_do == 0) break;
      if (popcount(to_do & ((2u << in_team) - 1)) <= TEAM / EIGHT) waits = false;
      // Each eight work-items take one; where there are fewer than four, some take the same.
      uint rest = to_do;
      for (int i = 0; i < in_team / EIGHT; ++i)
        if ((rest & (rest - 1)) != 0) rest &= rest - 1;
      const uint there = from_lane(place, popcount((rest & (0u - rest)) - 1));
      const int x = x_of_place(there), y = y_of_place(there);
      const uint64 j = j_of(d, b, x, y, lane, whole);
      if (short_j(j) <= *now) {
        if (in_team % EIGHT == 0) atomic_min(limit, short_j(j));
        key = min(key, key_of(j, FIRST_X + x, FIRST_Y + y));
      }
    }
  }
  for (uint step = EIGHT; step < TEAM; step *= 2) {
    const uint low = from_lane_across((uint)key, step), high = from_lane_across((uint)(key >> 32), step);
    key = min(key, (uint64)high << 32 | low);
  }
  return key;
}

/// A work-item's best key, or NO_KEY where the list cannot hold all.
static ALWAYS_INLINE uint64 search(const Data* d, const Block* b, LOCAL_POINTER PLACE* listed, LOCAL_POINTER int* count,
                                   LOCAL_POINTER uint* limit, int lane, const bool whole) {
  uint mine[CELLS];
  UNROLL for (int i = 0; i < CELLS; ++i) mine[i] = d->cell[i];
  const uint place = promising(d, b, mine, lane, whole);
  if (any_lane(place != FAR)) {
    const int x = place != FAR ? (int)(place & LOW_BITS) : b->left, y = place != FAR ? (int)(place >> 16) : b->low;
    const uint64 j = j_of(d, b, x, y, lane, whole);
    if (lane % EIGHT == 0) atomic_min(limit, short_j(j));
  }
  GROUP_BARRIER();
  list_candidates(d, b, mine, listed, count, *limit, lane, whole);
  GROUP_BARRIER();
  return *count <= MOST_LEFT ? best_of_list(d, b, listed, *count, limit, lane, whole) : NO_KEY;
}

/// `found` gets each block's best key, in the form of full_sad.cl. It gets NO_KEY for a block whose list is too long;
/// then the block's number is added to `hard`, whose first element counts them.
__kernel WORK_GROUP(GROUP,
                    1) void elimination(__global const uchar* restrict current, __global const uint* restrict planes,
                                        __global const ushort* restrict cells, __global const uint2* restrict parts,
                                        __global const short* restrict predictions, __global uint64* restrict found,
                                        __global uint* restrict hard, GRID_CONSTANT EliminationArguments arguments) {
  __local uint block[WORDS * BLOCK_H], masks[WORDS], cell[CELLS], sums[PARTS], part[PARTS / 2];
  __local PLACE listed[MOST_LEFT];
  __local uint64 keys[TEAMS];
  __local uint limit;
  __local int count;
  const int lane = (int)get_local_id(0), index = (int)get_group_id(0);
  const Block b =
      block_of(index, arguments.across, arguments.width, arguments.height, predictions, arguments.predicted);
  if (lane == 0) limit = MOST_J, count = 0;
  load_block(&b, current, arguments.pitch, block, masks, cell, (LOCAL_POINTER ushort*)part, sums, lane);
  const Data d = {planes, cells, parts, arguments.plane_pitch, arguments.plane_words, block, masks, cell, part};
  uint64 key = b.w == BLOCK_W && b.h == BLOCK_H ? search(&d, &b, listed, &count, &limit, lane, true)
                                                : search(&d, &b, listed, &count, &limit, lane, false);
  if (lane % TEAM == 0) keys[lane / TEAM] = key;
  GROUP_BARRIER();
  if (lane != 0) return;
  for (int i = 1; i < TEAMS; ++i) key = min(key, keys[i]);
  found[index] = key;
  if (key == NO_KEY) hard[1 + atomic_add(hard, 1u)] = (uint)index;
}
