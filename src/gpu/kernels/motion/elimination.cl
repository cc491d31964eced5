// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SAD on bytes, without most of its sums: successive elimination (W. Li and E. Salari,
// "Successive elimination algorithm for motion estimation", IEEE Transactions on Image Processing, 1995; X. Gao, C.
// Duanmu and C. Zou, "A multilevel successive elimination algorithm for block matching motion estimation", the same,
// 2000). A block has 4x4 cells of four parts each, and no SAD is below the sum of what cells differ by in their
// sums, nor that of parts. A group has a block:
//
// 1. Cells, at candidates of every ROW_STEP-th row: each team takes the one that promises most, looks at its
// neighbours, and
//    takes four of them to their pixels. The least J known is the limit from then on.
// 2. Cells, at all candidates: those within the limit are listed. A work-item slides a window down two columns of
// candidates beside
//    each other, in both halves of a register, row of cells by row of cells: what it reads is the first row of cells of
//    one candidate, the second one of another, and so on.
// 3. Parts of the candidates in the list, one to a work-item; those within the limit go to their pixels at once, four
// to a
//    team, so that latencies are met together. The limit sinks on the way.
//
// None is left out whose bound is not above the least J known, so the winner never is, nor its equals. Blocks that list
// too many are left to full_sad.cl. For NVIDIA's GPUs: a team of 32 work-items is a warp.

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
#define EIGHT 8  // work-items that have a candidate's pixels
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
    UNROLL for (int k = 0; k < WORDS; k += EIGHT) sum =
        add_byte_differences(sum, from[i * (d->plane_pitch / 4) + k] & d->masks[word + k], block[i * WORDS + k]);
#else
  const uint mask = whole ? ~0u : d->masks[word];
  const int pitch = d->plane_pitch / 4 * (EIGHT / WORDS);
  UNROLL_16 for (int i = 0; i < BLOCK_H / (EIGHT / WORDS); ++i) if (whole || i * (EIGHT / WORDS) + row < b->h) sum =
      add_byte_differences(sum, whole ? from[i * pitch] : from[i * pitch] & mask, block[i * EIGHT]);
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
  for (int i = lane; i < 64; i += GROUP) {
    uint sum = 0;
    for (int row = i / 8 * PART_H; row < (i / 8 + 1) * PART_H; ++row) {
#if PART_W >= 4
      UNROLL for (int k = 0; k < PART_W / 4; ++k) sum =
          add_byte_differences(sum, block[row * WORDS + i % 8 * (PART_W / 4) + k], 0);
#else
      sum = add_byte_differences(sum, block[row * WORDS + i % 8 / 2] & (i % 2 == 0 ? 0xFFFFu : 0xFFFF0000u), 0);
#endif
    }
    sums[i] = sum;
    part[i % 8 * 8 + i / 8] =
        (ushort)((i % 8 + 1) * PART_W <= b->w && (i / 8 + 1) * PART_H <= b->h ? half_of_sum(sum, PART_UNIT) : 0);
  }
  GROUP_BARRIER();
  if (lane < 16) {
    const int first = lane / 4 * 16 + lane % 4 * 2;
    const uint sum = half_of_sum(sums[first] + sums[first + 1] + sums[first + 8] + sums[first + 9], CELL_UNIT);
    cell[lane] = lane % 4 < b->columns && lane / 4 < b->rows ? sum | sum << 16 : 0;
  }
  GROUP_BARRIER();
}

/// The first row from `low` on that a window which starts at row `start` meets.
static inline int first_row(int low, int start) { return low + ((start - low) & (CELL_H - 1)); }
/// Ones in the halves of no candidate; no sum reaches them.
static inline uint beside(const Block* b, int x) {
  return (x < b->left || x > b->right ? 0x7FFFu : 0) | (x + 1 < b->left || x + 1 > b->right ? 0x7FFF0000u : 0);
}
#define NO_HALF 0x7FFFu

/// No J of the candidate with these differences of cells is below it.
static ALWAYS_INLINE uint bound_by_cells(const Block* b, uint half_bits, int x, int y) {
  return half_bits == NO_HALF ? FAR : bound_of(b, least_units(half_bits), CELL_UNIT, b->columns * b->rows, x, y);
}
/// The same of one candidate that no sliding window comes by.
static ALWAYS_INLINE uint bound_of_one(const Data* d, const Block* b, const uint* mine, int x, int y,
                                       const bool whole) {
  __global const ushort* from = d->cells + (b->y + y) * d->plane_pitch + b->x + x;
  uint sum = 0;
  UNROLL for (int i = 0; i < 4; ++i) if (whole || i < b->rows)
      UNROLL for (int j = 0; j < 4; ++j) if (whole || j < b->columns) sum =
          add_difference(sum, from[i * CELL_H * d->plane_pitch + j * CELL_W], mine[4 * i + j] & 0xFFFFu);
  return bound_by_cells(b, sum, x, y);
}

/// One of the candidates that promise most of those that a team looks at, as FAR or y << 16 | x; each eight work-items
/// get theirs.
static ALWAYS_INLINE uint promising(const Data* d, const Block* b, const uint* mine, int lane, const bool whole) {
  const int team = lane / TEAM, in_team = lane % TEAM;
  uint least = FAR, place = FAR;
  NO_UNROLL for (int task = team; task < LOOKS * SEGMENTS; task += TEAMS) {
    const int look = task % LOOKS, rows = (b->high - b->low) / SEGMENTS + 1, low = b->low + task / LOOKS * rows;
    const int x = look / (CELL_H / ROW_STEP) * 2 * TEAM + 2 * in_team, last = min(low + rows - 1, b->high);
    int y = first_row(low, look % (CELL_H / ROW_STEP) * ROW_STEP);
    if (y > last) continue;
    const uint none = beside(b, x);
    SlidingWindow m = begin_window(d, b, mine, x, y, whole);
    UNROLL_2 for (; y <= last; y += CELL_H) {
      const uint both = step(&m, d, b, mine, 3, whole) | none;
#if LAMBDA == 0
      const uint one = both & 0xFFFFu, other = both >> 16;
#else
      const uint one = bound_by_cells(b, both & 0xFFFFu, x, y), other = bound_by_cells(b, both >> 16, x + 1, y);
#endif
      if (min(one, other) < least) least = min(one, other), place = (uint)y << 16 | (uint)(x + (other < one ? 1 : 0));
    }
  }
  const uint lowest = least_of_team(least);
  place = least_of_team(least == lowest ? place : FAR);
  if (place == FAR) return FAR;
  // Its neighbours: rows that were left out, and columns.
  const int x = (int)(place & 0xFFFFu) + in_team % 4 - 2, y = (int)(place >> 16) + in_team / 4 - 4;
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
             compare = (most | most << 16) + 0x80008000u;
#endif
  NO_UNROLL for (int task = team; task < STRIPS * CELL_H; task += TEAMS) {
    const int x = task / CELL_H * 2 * TEAM + 2 * in_team;
    int y = first_row(b->low, task % CELL_H);
    if (y > b->high) continue;
    const uint none = beside(b, x);
    SlidingWindow m = begin_window(d, b, mine, x, y, whole);
    UNROLL_2 for (; y <= b->high; y += CELL_H) {
      const uint both = step(&m, d, b, mine, 3, whole) | none;
#if LAMBDA == 0
      const uint within = (compare - both) & 0x80008000u;  // no half borrows of the other
#else
      const uint within = (bound_by_cells(b, both & 0xFFFFu, x, y) <= limit ? 0x8000u : 0) |
                          (bound_by_cells(b, both >> 16, x + 1, y) <= limit ? 0x80000000u : 0);
#endif
      if (!any_lane(within != 0)) continue;
      const bool one = (within & 0x8000u) != 0, other = within >> 31 != 0;
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
  uint masks[4], sum[2] = {0, 0};
  UNROLL for (int k = 0; k < 4; ++k) masks[k] = (2 * k < down ? 0xFFFFu : 0) | (2 * k + 1 < down ? 0xFFFF0000u : 0);
  UNROLL for (int j = 0; j < 8; ++j) if (whole || j < across) {
    const uint2 upper = from[j * PART_W], lower = from[4 * PART_H * d->plane_pitch + j * PART_W];
    sum[j & 1] = add_difference(sum[j & 1], whole ? upper.x : upper.x & masks[0], d->part[4 * j]);
    sum[j & 1] = add_difference(sum[j & 1], whole ? upper.y : upper.y & masks[1], d->part[4 * j + 1]);
    sum[j & 1] = add_difference(sum[j & 1], whole ? lower.x : lower.x & masks[2], d->part[4 * j + 2]);
    sum[j & 1] = add_difference(sum[j & 1], whole ? lower.y : lower.y & masks[3], d->part[4 * j + 3]);
  }
  const uint units = least_units(sum[0] & 0xFFFFu) + least_units(sum[0] >> 16) + least_units(sum[1] & 0xFFFFu) +
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
      // Each eight take one; where there are fewer, some the same.
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
  uint mine[16];
  UNROLL for (int i = 0; i < 16; ++i) mine[i] = d->cell[i];
  const uint place = promising(d, b, mine, lane, whole);
  if (any_lane(place != FAR)) {
    const int x = place != FAR ? (int)(place & 0xFFFFu) : b->left, y = place != FAR ? (int)(place >> 16) : b->low;
    const uint64 j = j_of(d, b, x, y, lane, whole);
    if (lane % EIGHT == 0) atomic_min(limit, short_j(j));
  }
  GROUP_BARRIER();
  list_candidates(d, b, mine, listed, count, *limit, lane, whole);
  GROUP_BARRIER();
  return *count <= MOST_LEFT ? best_of_list(d, b, listed, *count, limit, lane, whole) : NO_KEY;
}

/// `found` gets a block's best key, as full_sad.cl has them, or NO_KEY; then `hard` gets its number, too, behind their
/// count.
__kernel WORK_GROUP(GROUP,
                    1) void elimination(__global const uchar* restrict current, __global const uint* restrict planes,
                                        __global const ushort* restrict cells, __global const uint2* restrict parts,
                                        __global const short* restrict predictions, __global uint64* restrict found,
                                        __global uint* restrict hard, GRID_CONSTANT EliminationArguments arguments) {
  __local uint block[WORDS * BLOCK_H], masks[WORDS], cell[16], sums[64], part[32];
  __local PLACE listed[MOST_LEFT];
  __local uint64 keys[TEAMS];
  __local uint limit;
  __local int count;
  const int lane = (int)get_local_id(0), index = (int)get_group_id(0);
  const Block b =
      block_of(index, arguments.across, arguments.width, arguments.height, predictions, arguments.predicted);
  if (lane == 0) limit = FAR - 1, count = 0;
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
