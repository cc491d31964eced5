// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SAD on bytes. A group has a block and a tile of its candidates: COLUMNS displacements in x,
// and SLABS x TALL in y (window.h). Large blocks are loaded one panel after the other.
//
// The result is the best key of each tile; choose.cl takes the least of a block's keys.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef BLOCK_W
#define BLOCK_W 16  // width of a block in px: a multiple of 4
#endif
#ifndef BLOCK_H
#define BLOCK_H 16  // height of a block in px: a multiple of 4
#endif
#ifndef SECOND_BEST
#define SECOND_BEST 0  // 1: only the second best J is wanted, of blocks whose vectors are known
#endif
// The launch configuration, and what the device can do:
#ifndef WARP_MINIMUM
#define WARP_MINIMUM 0  // 1: an instruction finds the least word of a warp
#endif
// More of them: motion/candidates.h, motion/keys.h and motion/window.h.

#include "definitions/motion/rate.h"
#include "definitions/motion/second_best.h"
#include "gpu/shared/motion/exhaustive.h"
#include "motion/candidates.h"
#include "motion/keys.h"
#include "motion/window.h"

#define SMALL_CHUNK (CHUNK > 8 && CHUNK % 8 == 0 ? 8 : 4)  // of what partial blocks leave
#define FEW 16
#define RANK_BITS 11  // the order of rows of candidates: 2 |dy|, one more below; |dy| is at most 512

static inline int rank_of(int dy) { return dy > 0 ? 2 * dy + 1 : -2 * dy; }
static inline int row_of_rank(int rank) { return (rank & 1) != 0 ? rank >> 1 : -(rank >> 1); }

/// Adds the panel to the sums of a column of candidates.
static inline void add_panel(uint* sums, LOCAL_POINTER const uint* window, LOCAL_POINTER const uint* block, int pixels,
                             int rows) {
  NO_UNROLL for (int word = 0; 4 * word < pixels; ++word) {
    const int left = pixels - 4 * word;
    const uint mask = left < 4 ? (1u << (8 * left)) - 1 : ~0u;
    int row = 0;
    if (mask == ~0u) {
      NO_UNROLL for (; row + CHUNK <= rows; row += CHUNK)
        add_chunk(sums, window + row * ROW + word, block + word * PANEL_ROWS + row, CHUNK);
      if (CHUNK > SMALL_CHUNK)
        NO_UNROLL for (; row + SMALL_CHUNK <= rows; row += SMALL_CHUNK)
          add_chunk(sums, window + row * ROW + word, block + word * PANEL_ROWS + row, SMALL_CHUNK);
    }
    NO_UNROLL for (; row < rows; ++row) add_row(sums, window + row * ROW + word, block[word * PANEL_ROWS + row], mask);
  }
}

/// The best key of a column of candidates: first row dy, rows low to high count.
static inline uint64 best_of_column(const uint* sums, int dx, int dy, int low, int high, int px, int py, int best_x,
                                    int best_y) {
#if LAMBDA == 0 && !SECOND_BEST
  uint least = ~0u;  // a sum is below 2^20
  if (dy >= low && dy + TALL - 1 <= high && (dy >= 0 || dy + TALL - 1 <= 0)) {
    // All rows count, and lie on one side of 0: among equals the nearest to it wins.
    const bool below = dy >= 0;
    SPREAD for (int i = 0; i < TALL; ++i) least = min(least, sums[i] << 4 | (uint)(below ? i : TALL - 1 - i));
    const int order = (int)(least & 15u);
    return key_of(least >> 4, dx, dy + (below ? order : TALL - 1 - order));
  }
  SPREAD for (int i = 0; i < TALL; ++i) {
    const uint key = (sums[i] << RANK_BITS) + (uint)rank_of(dy + i);
    if (dy + i >= low && dy + i <= high) least = min(least, key);
  }
  return least == ~0u ? NO_KEY : key_of(least >> RANK_BITS, dx, row_of_rank((int)(least & ((1u << RANK_BITS) - 1))));
#else
  uint64 best = NO_KEY;
  SPREAD for (int i = 0; i < TALL; ++i) {
    if (dy + i < low || dy + i > high || (SECOND_BEST && !may_be_second_best_vector(dx, dy + i, best_x, best_y)))
      continue;
    const uint64 rate = LAMBDA == 0 ? 0 : motion_rate(LAMBDA, vector_bits(4 * dx, 4 * (dy + i), px, py));
    best = min(best, key_of(sums[i] + rate, dx, dy + i));
  }
  return best;
#endif
}

/// What a kernel of this text is called with.
typedef struct {
  __global const uchar *current, *reference;
  __global const short *predictions, *vectors;
  __global uint64* keys;
  FullSadArguments of;
} Frame;

static inline void search_tile(Frame f, int index, int tile, LOCAL_POINTER uint* window, LOCAL_POINTER uint* block,
                               LOCAL_POINTER uint64* best) {
  const int thread = (int)get_local_id(0);
  const int block_column = index % f.of.across, block_row = index / f.of.across;
  Work work;
  work.x = block_column * BLOCK_W, work.w = block_extent(block_column, BLOCK_W, f.of.width);
  work.y = block_row * BLOCK_H, work.h = block_extent(block_row, BLOCK_H, f.of.height);
  work.dx = ORIGIN_X + tile % TILES_X * COLUMNS;
  work.dy = FIRST_Y + tile / TILES_X * (SLABS * TALL);
  // Which candidates there are; none of a tile may be one.
  const int left = PAD ? FIRST_X : max(FIRST_X, -work.x),
            right = PAD ? LAST_X : min(LAST_X, f.of.width - work.x - work.w);
  const int low = PAD ? FIRST_Y : max(FIRST_Y, -work.y),
            high = PAD ? LAST_Y : min(LAST_Y, f.of.height - work.y - work.h);
  const bool none = work.dx > right || work.dx + COLUMNS <= left || work.dy > high || work.dy + SLABS * TALL <= low;
  const int column = thread % COLUMNS, slab = min(thread / COLUMNS, SLABS - 1);
  const int dx = work.dx + column, dy = work.dy + slab * TALL;
  uint sums[TALL];
  SPREAD for (int i = 0; i < TALL; ++i) sums[i] = 0;
  LOCAL_POINTER const uint* mine = window + slab * TALL * ROW + (column & 3) * WORDS + (column >> 2);
  const int bottom = none ? 0 : work.h;  // barriers stand in no condition but those of loops
  for (int panel_y = 0; panel_y < bottom; panel_y += PANEL_ROWS)
    for (int panel_x = 0; panel_x < work.w; panel_x += 4 * PANEL_WORDS) {
      GROUP_BARRIER();
      load_panel(window, block, f.current, f.reference, work, panel_x, panel_y, thread, f.of.width, f.of.height,
                 f.of.pitch);
      GROUP_BARRIER();
      add_panel(sums, mine, block, min(4 * PANEL_WORDS, work.w - panel_x), min(PANEL_ROWS, work.h - panel_y));
    }
  const int px = f.of.predicted != 0 ? f.predictions[2 * index] : 0,
            py = f.of.predicted != 0 ? f.predictions[2 * index + 1] : 0;
  const int best_x = SECOND_BEST ? f.vectors[2 * index] / 4 : 0,
            best_y = SECOND_BEST ? f.vectors[2 * index + 1] / 4 : 0;
  const bool counts = !none && thread < COLUMNS * SLABS && dx >= left && dx <= right;
  uint64 key = counts ? best_of_column(sums, dx, dy, low, high, px, py, best_x, best_y) : NO_KEY;
#if defined(VERGENCE_NVIDIA) && WARP_MINIMUM
  key = least_long_of_warp(key);
  if (thread % 32 == 0) best[thread / 32] = key;
  GROUP_BARRIER();
  if (thread != 0) return;
  for (int i = 1; i < GROUP / 32; ++i) key = min(key, best[i]);
#else
  best[thread] = key;
  GROUP_BARRIER();
  // Two short rounds by few, so that the other work-items' warps can go.
  if (thread < FEW)
    for (int i = thread + FEW; i < GROUP; i += FEW) best[thread] = min(best[thread], best[i]);
  GROUP_BARRIER();
  if (thread != 0) return;
  key = best[0];
  for (int i = 1; i < FEW; ++i) key = min(key, best[i]);
#endif
  f.keys[index * TILES + tile] = key;
}

/// A group has a tile of a block; or, after an elimination, one tile after the other of the blocks that it left.
__kernel WORK_GROUP(GROUP,
                    1) void full_sad(__global const uchar* restrict current, __global const uchar* restrict reference,
                                     __global const short* restrict predictions, __global const short* restrict vectors,
                                     __global uint64* restrict keys HARD_PARAMETER,
                                     GRID_CONSTANT FullSadArguments arguments) {
  __local ALIGN_16 uint window[WINDOW_ROWS * ROW];
  __local ALIGN_16 uint block[PANEL_WORDS * PANEL_ROWS];
  __local uint64 best[GROUP];
  const Frame f = {current, reference, predictions, vectors, keys, arguments};
#if FOUND
  const uint count = hard[0] * TILES;
  for (uint i = get_group_id(0); i < count; i += get_num_groups(0)) {
    search_tile(f, (int)hard[1 + i / TILES], (int)(i % TILES), window, block, best);
    GROUP_BARRIER();
  }
#else
  search_tile(f, (int)get_group_id(0), (int)get_group_id(1), window, block, best);
#endif
}
