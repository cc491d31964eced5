// SPDX-License-Identifier: Apache-2.0
// The step search with grids of 7x7 points and more, by SAD on bytes. A group has a block, and a work-item one column
// of the grid's points and one column of four pixels of the block. It slides down the reference: each word that it
// reads serves all points of its column that need it, since points are as far apart as the rows that it takes together.
// The sums of a point's columns of pixels are added up in local memory.
//
// Equal to reference/motion/step.cpp: which of equals wins follows from a total order.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef BLOCK_W
#define BLOCK_W 16  // width of a block in px
#endif
#ifndef BLOCK_H
#define BLOCK_H 16  // height of a block in px
#endif
#ifndef ROUNDS
#define ROUNDS 1  // 1 .. 5
#endif
#ifndef SIDE_0
#define SIDE_0 7  // points along a side of the grid of round 0; 1 where there is none
#endif
#ifndef SIDE_1
#define SIDE_1 1  // points along a side of the grid of round 1; 1 where there is none
#endif
#ifndef SIDE_2
#define SIDE_2 1  // points along a side of the grid of round 2; 1 where there is none
#endif
#ifndef SIDE_3
#define SIDE_3 1  // points along a side of the grid of round 3; 1 where there is none
#endif
#ifndef SIDE_4
#define SIDE_4 1  // points along a side of the grid of round 4; 1 where there is none
#endif
#ifndef SPACING_0
#define SPACING_0 1  // px from point to point of it
#endif
#ifndef SPACING_1
#define SPACING_1 1  // px from point to point of it
#endif
#ifndef SPACING_2
#define SPACING_2 1  // px from point to point of it
#endif
#ifndef SPACING_3
#define SPACING_3 1  // px from point to point of it
#endif
#ifndef SPACING_4
#define SPACING_4 1  // px from point to point of it
#endif
// The launch configuration, and what the device can do:
#ifndef GROUP
#define GROUP 64  // work-items: MOST_SIDE * COLUMNS, up to a multiple of 32
#endif
#ifndef COLUMNS
#define COLUMNS 4  // words of a row of the block; a power of two
#endif
#ifndef CHUNK
#define CHUNK 16  // rows at once; a power of two, 4 at least
#endif
#ifndef MOST_SIDE
#define MOST_SIDE 7  // the largest SIDE of all rounds
#endif
#ifndef WARP_MINIMUM
#define WARP_MINIMUM 0  // 1: an instruction finds the least word and the sum of a warp
#endif
// More of them: motion/task.h.

#include "gpu/shared/motion/step_grid.h"
#include "motion/task.h"

#define WARPS (GROUP / 32)

/// A grid's points along a side, and their distance; known to the compiler unless rounds are a loop.
static inline int side_of(const int round) {
  return round == 0 ? SIDE_0 : round == 1 ? SIDE_1 : round == 2 ? SIDE_2 : round == 3 ? SIDE_3 : SIDE_4;
}
static inline int spacing_of(const int round) {
  return round == 0 ? SPACING_0 : round == 1 ? SPACING_1 : round == 2 ? SPACING_2 : round == 3 ? SPACING_3 : SPACING_4;
}

/// The group's least word; all get it. `words` is overwritten.
static inline uint least_of_group(LOCAL_POINTER uint* words, uint value, int lane) {
#if defined(VERGENCE_NVIDIA) && WARP_MINIMUM
  const uint of_warp = least_of_warp(value);
  if (lane % 32 == 0) words[lane / 32] = of_warp;
  GROUP_BARRIER();
  uint least = words[0];
  UNROLL for (int i = 1; i < WARPS; ++i) least = min(least, words[i]);
#else
  words[lane] = value;
  GROUP_BARRIER();
  uint least = words[0];
  NO_UNROLL for (int i = 1; i < GROUP; ++i) least = min(least, words[i]);
#endif
  GROUP_BARRIER();
  return least;
}
static inline uint sum_of_group(LOCAL_POINTER uint* words, uint value, int lane) {
  uint sum = 0;
#if defined(VERGENCE_NVIDIA) && WARP_MINIMUM
  value = sum_of_warp(value);
  if (lane % 32 == 0) words[lane / 32] = value;
  GROUP_BARRIER();
  UNROLL for (int i = 0; i < WARPS; ++i) sum += words[i];
#else
  words[lane] = value;
  GROUP_BARRIER();
  NO_UNROLL for (int i = 0; i < GROUP; ++i) sum += words[i];
#endif
  GROUP_BARRIER();
  return sum;
}

/// Sums of a column of points: `side` of them, `spacing` px apart, the first one at (x, y). The work-item's pixels are
/// those of `block`, whose rows are COLUMNS words apart.
static inline void add_column(const Task* s, uint* sums, LOCAL_POINTER const uint* block, uint mask, int x, int y,
                              const int side, const int spacing, const bool whole) {
  // A word of such a row serves several points; all rows at once, or some.
  const int far = spacing < BLOCK_H && BLOCK_H % spacing == 0 ? spacing : BLOCK_H;
  const int all = whole ? BLOCK_H / far : 1, together = all <= CHUNK       ? all
                                                        : all % CHUNK == 0 ? CHUNK
                                                        : all % 4 == 0     ? 4
                                                                           : 1;
  const bool aligned = spacing % 4 == 0 && !PAD;  // all centres before this round's are multiples of it
  const Words words = words_at(s, x);
  const int rows = whole ? far : s->block.h;
  NO_UNROLL for (int phase = 0; phase < rows; ++phase)
    NO_UNROLL for (int first = phase; first < (whole ? BLOCK_H : phase + 1); first += together * far) {
      uint mine[CHUNK];
      SPREAD for (int i = 0; i < together; ++i) mine[i] = block[(first + i * far) * COLUMNS];
      SPREAD for (int r = 0; r < side + together - 1; ++r) {
        const uint row = (uint)clamp(y + first + r * spacing, 0, s->size.height - 1);
        __global const uchar* from =
            s->reference + (size_t)(row * (uint)s->size.pitch);  // a frame has fewer than 2^32 px
        const uint a = word_of(from, &words, 0), b = aligned ? 0 : word_of(from, &words, 1);
        uint four = aligned ? a : pick_bytes(a, b, words.digits);
        if (!whole) four &= mask;
        SPREAD for (int i = 0; i < together; ++i)
          if (r - i >= 0 && r - i < side) sums[r - i] = add_byte_differences(sums[r - i], four, mine[i]);
      }
    }
}

/// The best so far.
typedef struct {
  uint j, place;
  int x, y;
} Best;

/// Moves the best to the best point of a grid about it.
static inline void try_grid(const Task* s, LOCAL_POINTER const uint* block, LOCAL_POINTER uint* parts,
                            LOCAL_POINTER uint* words, Best* best, int lane, const int side, const int spacing) {
  const int column = lane % COLUMNS, point = min(lane / COLUMNS, side - 1), reach = side / 2 * spacing;
  const int left = s->block.w - 4 * column;
  const uint mask = left >= 4 ? ~0u : left <= 0 ? 0 : (1u << (8 * left)) - 1;
  uint sums[MOST_SIDE];
  SPREAD for (int i = 0; i < side; ++i) sums[i] = 0;
  const int x = s->block.x + best->x - reach + point * spacing + 4 * column, y = s->block.y + best->y - reach;
  if (s->block.w == BLOCK_W && s->block.h == BLOCK_H && BLOCK_W == 4 * COLUMNS)
    add_column(s, sums, block + column, mask, x, y, side, spacing, true);
  else
    add_column(s, sums, block + column, mask, x, y, side, spacing, false);
  if (lane < side * COLUMNS)
    SPREAD for (int i = 0; i < side; ++i) parts[(i * side + point) * COLUMNS + column] = sums[i];
  GROUP_BARRIER();
  uint j = best->j, place = best->place;
  for (int i = lane; i < side * side; i += GROUP) {
    const int dx = best->x - reach + i % side * spacing, dy = best->y - reach + i / side * spacing;
    uint sum = 0;
    SPREAD for (int k = 0; k < COLUMNS; ++k) sum += parts[i * COLUMNS + k];
    sum += rate_of(s, dx, dy);
    const uint here = (uint)motion_place(dx, dy);
    if (is_candidate(s, dx, dy) && (sum < j || (sum == j && here < place))) j = sum, place = here;
  }
  const uint least = least_of_group(words, j, lane);
  best->place = least_of_group(words + GROUP, j == least ? place : ~0u, lane);
  best->j = least;
  best->x = x_of_motion((int)best->place), best->y = y_of_motion((int)best->place);
}

/// `vectors` gets two numbers per block, in quarter pixels. `predictions` counts where predicted is not 0.
__kernel WORK_GROUP(GROUP, 1) void step_grid(__global const uchar* restrict current,
                                             __global const uchar* restrict reference,
                                             __global const short* restrict predictions,
                                             __global short* restrict vectors, __global uint64* restrict costs,
                                             __global uint64* restrict all_j, GRID_CONSTANT LevelArguments arguments) {
  __local uint block[STEP_GRID_BLOCK_WORDS(COLUMNS, BLOCK_H)], words[STEP_GRID_AGREEMENT_WORDS(GROUP)];
  __local ALIGN_16 uint parts[STEP_GRID_SUM_WORDS(COLUMNS, MOST_SIDE)];
  const int column = (int)get_group_id(0), row = (int)get_group_id(1), index = row * (int)get_num_groups(0) + column;
  const int lane = (int)get_local_id(0);
  Task s;
  s.reference = reference;
  s.size = arguments.frame;
  s.block.x = column * BLOCK_W, s.block.w = block_extent(column, BLOCK_W, s.size.width);
  s.block.y = row * BLOCK_H, s.block.h = block_extent(row, BLOCK_H, s.size.height);
  s.first_x = arguments.first_x, s.last_x = arguments.last_x;
  s.first_y = arguments.first_y, s.last_y = arguments.last_y;
  s.px = arguments.predicted != 0 ? predictions[2 * index] : 0;
  s.py = arguments.predicted != 0 ? predictions[2 * index + 1] : 0;
  uint zero = 0;
  for (int i = lane; i < COLUMNS * BLOCK_H; i += GROUP) {
    const int x = i % COLUMNS * 4, y = i / COLUMNS, left = s.block.w - x;
    const uint mask = left >= 4 ? ~0u : left <= 0 ? 0 : (1u << (8 * left)) - 1;
    uint four = 0;
    if (y < s.block.h && mask != 0) {
      const int64 at = (int64)(s.block.y + y) * s.size.pitch + s.block.x + x;
      four = *(__global const uint*)(current + at) & mask;
      zero = add_byte_differences(zero, *(__global const uint*)(reference + at) & mask, four);
    }
    block[i] = four;
  }
  // The zero vector comes first.
  Best best;
  best.j = sum_of_group(words, zero, lane) + rate_of(&s, 0, 0), best.place = (uint)motion_place(0, 0);
  best.x = best.y = 0;
#if ROLLED
  NO_UNROLL for (int round = 0; round < ROUNDS; ++round)
    try_grid(&s, block, parts, words, &best, lane, side_of(round), spacing_of(round));
#else
  try_grid(&s, block, parts, words, &best, lane, side_of(0), spacing_of(0));
  if (ROUNDS > 1) try_grid(&s, block, parts, words, &best, lane, side_of(1), spacing_of(1));
  if (ROUNDS > 2) try_grid(&s, block, parts, words, &best, lane, side_of(2), spacing_of(2));
  if (ROUNDS > 3) try_grid(&s, block, parts, words, &best, lane, side_of(3), spacing_of(3));
  if (ROUNDS > 4) try_grid(&s, block, parts, words, &best, lane, side_of(4), spacing_of(4));
#endif
  if (lane != 0) return;
  vectors[2 * index] = (short)(4 * best.x);
  vectors[2 * index + 1] = (short)(4 * best.y);
  costs[index] = best.j - rate_of(&s, best.x, best.y);
  all_j[index] = best.j;
}
