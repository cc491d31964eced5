// SPDX-License-Identifier: Apache-2.0
// Blocks, their candidates in whole pixels, and what a candidate costs, in pieces that work-items share: cells of 8x8
// pixels, counted from the block's corner. No tile of SATD crosses a cell.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef PIXEL
#define PIXEL uchar  // type of a pixel: uchar or ushort
#endif
#ifndef BYTES
#define BYTES 1  // 1 where PIXEL is uchar, else 0
#endif
#ifndef SUM
#define SUM uint  // type of a block's cost: uint, or uint64 where it may exceed 32 bits
#endif
#ifndef COST
#define COST 0  // 0 SAD, 1 SSD, 2 SATD
#endif
#ifndef PAD
#define PAD 0  // 1: the frame's edges go on; 0: candidates stay inside
#endif
#ifndef BLOCK_W
#define BLOCK_W 16  // width of a block in px: 4 .. 64
#endif
#ifndef BLOCK_H
#define BLOCK_H 16  // height of a block in px: 4 .. 64
#endif
// The launch configuration, and what the device can do:
#ifndef GROUP
#define GROUP 128  // work-items of a group; a power of two
#endif
#ifndef SERIAL
#define SERIAL 0  // 1 on CPUs: one work-item compares what all of a group have found
#endif

#include "definitions/motion/block.h"
#include "definitions/motion/order.h"
#include "definitions/motion/pyramid.h"
#include "definitions/motion/rate.h"
#include "definitions/motion/satd.h"
#include "gpu/shared/motion/search.h"
#include "motion/spread.h"
#include "packed.h"

#define NO_J (~(uint64)0)
#define CELL 8
#if COST == 2
#define CELL_ROWS SPREAD  // SATD holds all differences of a cell in registers
#else
#define CELL_ROWS NO_UNROLL
#endif

/// Two frames of a level.
typedef struct {
  __global const PIXEL* current;
  __global const PIXEL* reference;
  FrameArguments size;
} Frames;

/// A block as large as the frame leaves it, or what stands for it on a coarse level.
typedef struct {
  int x, y, w, h;
} Region;

static inline Region region_of(int column, int row, int frame_w, int frame_h, int level, int width, int height) {
  const int x = column * BLOCK_W, w = block_extent(column, BLOCK_W, frame_w);
  const int y = row * BLOCK_H, h = block_extent(row, BLOCK_H, frame_h);
  Region block;
  block.x = level == 0 ? x : coarse_start(x, w, level, width);
  block.y = level == 0 ? y : coarse_start(y, h, level, height);
  block.w = level == 0 ? w : coarse_extent(x, w, level, width);
  block.h = level == 0 ? h : coarse_extent(y, h, level, height);
  return block;
}

static inline int cell_count(Region block) { return ((block.w + CELL - 1) / CELL) * ((block.h + CELL - 1) / CELL); }
/// A cell's place in the frame, clipped to the block.
static inline Region cell_of(Region block, int index) {
  const int across = (block.w + CELL - 1) / CELL;
  const int x = index % across * CELL, y = index / across * CELL;
  Region cell = {block.x + x, block.y + y, min(CELL, block.w - x), min(CELL, block.h - y)};
  return cell;
}

static inline uint magnitude(int value) { return (uint)(value < 0 ? -value : value); }

/// Sum of absolute Hadamard coefficients of 64 or 16 values: one transform of 2^6 or 2^4 values is that of rows, then
/// columns.
static inline uint hadamard_64(int* d) {
  SPREAD for (int apart = 1; apart < 64; apart *= 2) {
    SPREAD for (int i = 0; i < 32; ++i) {
      const int low = i / apart * 2 * apart + i % apart;
      const int a = d[low], b = d[low + apart];
      d[low] = a + b, d[low + apart] = a - b;
    }
  }
  uint sum = 0;
  SPREAD for (int i = 0; i < 64; ++i) sum += magnitude(d[i]);
  return sum;
}
static inline uint hadamard_16(int* d) {
  SPREAD for (int apart = 1; apart < 16; apart *= 2) {
    SPREAD for (int i = 0; i < 8; ++i) {
      const int low = i / apart * 2 * apart + i % apart;
      const int a = d[low], b = d[low + apart];
      d[low] = a + b, d[low + apart] = a - b;
    }
  }
  uint sum = 0;
  SPREAD for (int i = 0; i < 16; ++i) sum += magnitude(d[i]);
  return sum;
}

static inline SUM cost_of_difference(int difference) {
  const uint size = magnitude(difference);
  return COST == 1 ? (SUM)size * size : (SUM)size;
}

/// Cost of a cell of w x h pixels from its differences: rows of 8, 0 where the cell has no pixel. Overwrites them.
static inline SUM cost_of(int* d, int w, int h) {
  SUM sum = 0;
#if COST == 2
  if (w == 8 && h == 8) return (SUM)satd_of_tile(hadamard_64(d), 8);
  SPREAD for (int tile = 0; tile < 4; ++tile) {
    const int x = tile % 2 * 4, y = tile / 2 * 4;
    int values[16];
    uint plain = 0;
    SPREAD for (int i = 0; i < 16; ++i) {
      values[i] = d[(y + i / 4) * 8 + x + i % 4];
      plain += magnitude(values[i]);
    }
    const uint coefficients = hadamard_16(values);
    sum += x + 4 <= w && y + 4 <= h ? (SUM)satd_of_tile(coefficients, 4) : (SUM)plain;
  }
#else
  SPREAD for (int i = 0; i < 64; ++i) sum += cost_of_difference(d[i]);
#endif
  return sum;
}

static inline int64 row_at(int y, int pitch) { return (int64)y * pitch; }

/// Cost of a cell moved by (dx, dy).
static inline SUM cell_cost(const Frames* frames, Region cell, int dx, int dy) {
  const int u = cell.x + dx, v = cell.y + dy;
#if COST == 0 && BYTES
  if (cell.w == 8 && u >= 0 && u + 8 <= frames->size.width && v >= 0 && v + cell.h <= frames->size.height) {
    uint sum = 0;
    for (int y = 0; y < cell.h; ++y) {
      const Eight a = eight_bytes(frames->current + row_at(cell.y + y, frames->size.pitch) + cell.x);
      const Eight b = eight_bytes(frames->reference + row_at(v + y, frames->size.pitch) + u);
      sum = add_byte_differences(add_byte_differences(sum, a.low, b.low), a.high, b.high);
    }
    return sum;
  }
#endif
#if COST == 2
  int d[64];
#else
  SUM sum = 0;
#endif
  CELL_ROWS for (int y = 0; y < 8; ++y) {
    const bool is_row = y < cell.h;
    const int y_there = PAD ? padded(v + y, frames->size.height) : v + y;
    const int64 here = is_row ? row_at(cell.y + y, frames->size.pitch) + cell.x : 0;
    const int64 there = is_row ? row_at(y_there, frames->size.pitch) : 0;
    SPREAD for (int x = 0; x < 8; ++x) {
      const int x_there = PAD ? padded(u + x, frames->size.width) : u + x;
      int difference = 0;
      if (is_row && x < cell.w) difference = (int)frames->current[here + x] - (int)frames->reference[there + x_there];
#if COST == 2
      d[8 * y + x] = difference;
#else
      sum += cost_of_difference(difference);
#endif
    }
  }
#if COST == 2
  return cost_of(d, cell.w, cell.h);
#else
  return sum;
#endif
}

/// What J adds to the distortion of a vector in quarter pixels.
static inline uint64 rate_of(int lambda, int x, int y, int px, int py) {
  return lambda == 0 ? 0 : motion_rate(lambda, vector_bits(x, y, px, py));
}

/// Two numbers of 16 bits in a word.
static inline int pack_vector(int x, int y) { return (int)((uint)x & 0xFFFFu) | (int)((uint)y << 16); }
static inline int x_of(int packed) { return (int)(short)(packed & 0xFFFF); }
static inline int y_of(int packed) { return packed >> 16; }

// How a group's work-items agree. Both forms find the same numbers: integer sums, and the least in a total order. On
// CPUs, where work-items are loops and barriers are slow, one work-item does it all (SERIAL).

/// The best of (js, vs) comes to lie in place 0, for all to read. GROUP is a power of two.
static inline void best_of_group(LOCAL_POINTER uint64* js, LOCAL_POINTER int* vs, int lane) {
#if SERIAL
  GROUP_BARRIER();
  for (int i = 1; i < GROUP && lane == 0; ++i)
    if (is_better_vector(js[i], x_of(vs[i]), y_of(vs[i]), js[0], x_of(vs[0]), y_of(vs[0])))
      js[0] = js[i], vs[0] = vs[i];
#else
  for (int step = GROUP / 2; step > 0; step /= 2) {
    GROUP_BARRIER();
    const int i = lane + step;
    if (lane < step && is_better_vector(js[i], x_of(vs[i]), y_of(vs[i]), js[lane], x_of(vs[lane]), y_of(vs[lane])))
      js[lane] = js[i], vs[lane] = vs[i];
  }
#endif
  GROUP_BARRIER();
}

/// How many work-items share a candidate, where there are n: a power of two.
static inline int sharers(int n, int cells) {
  int share = 1;
  while (!SERIAL && 2 * share <= cells && 2 * share * n <= GROUP) share *= 2;
  return share;
}

/// Sum over the `share` work-items that follow each other, in the first of them; all of the group call it.
static inline SUM sum_of_sharers(LOCAL_POINTER SUM* sums, SUM mine, int lane, int share) {
#if SERIAL
  return mine;
#else
  if (share == 1) return mine;
  sums[lane] = mine;
  for (int step = share / 2; step > 0; step /= 2) {
    GROUP_BARRIER();
    if (lane % share < step) sums[lane] += sums[lane + step];
  }
  GROUP_BARRIER();
  return sums[lane];
#endif
}
