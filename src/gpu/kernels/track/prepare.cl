// SPDX-License-Identifier: Apache-2.0
// What tracking needs of a frame: the gradients of COUNT levels, and all levels' pictures but the first one's, in one
// pass. A group has a tile of the first level and what lies under it of the smaller ones; it reads so much around its
// tile that it makes all of them by itself. Equal to reference/track/pyramid.cpp and gradients.cpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef PIXEL
#define PIXEL uchar  // type of a pixel: uchar or ushort
#endif
#ifndef BYTES
#define BYTES 1  // 1 where PIXEL is uchar, else 0
#endif
#ifndef TWO
#define TWO ushort  // type that holds two pixels
#endif
#ifndef FOUR
#define FOUR uint  // type that holds four pixels
#endif
#ifndef DROPPED
#define DROPPED 0  // lowest bits of pixels that are dropped
#endif
#ifndef SHIFT
#define SHIFT 0  // bits that gradients are shifted by
#endif
// The launch configuration, and what the device can do:
#ifndef COUNT
#define COUNT 1  // levels of a pass: 1 .. 4
#endif
#ifndef HALVE
#define HALVE 0  // 1: there is one more level, which is made too
#endif
#ifndef TILE_W
#define TILE_W 64  // px of a group's tile of the first level; a multiple of 16 and of 2 << COUNT
#endif
#ifndef TILE_H
#define TILE_H 64  // likewise, but of 16
#endif
#ifndef THREADS
#define THREADS 256  // work-items of a group
#endif
// More of them: track/registers.h.

#include "definitions/track/gradient.h"
#include "definitions/track/pyramid.h"
#include "packed.h"
#include "track/levels.h"
#include "track/tile.h"

// Level 0 as it came loses its lowest bits.
__kernel WORK_GROUP(THREADS, 1) void drop_bits(__global PIXEL* restrict pictures, __global const int* restrict table) {
  const Level level = level_of(table, 0);
  const int x = (int)get_global_id(0), y = (int)get_group_id(1);
  if (x >= level.width) return;
  __global PIXEL* pixel = pictures + level.offset + (int64)y * level.pitch + x;
  *pixel = (PIXEL)(*pixel >> DROPPED);
}

// Fills the tile of the first level, and what lies around it, from the picture.
static inline void load(Tile tiles, __global const PIXEL* restrict picture, Level level, int left, int top, int item) {
  const int chunks = ROW(0) / CHUNK;
  for (int i = item; i < chunks * ROWS(0); i += THREADS) {
    const int column = i % chunks * CHUNK - ROW_BEFORE(0), row = i / chunks - BEFORE(0);
    const int x = left + column, y = top + row;
    if (y < -2 || y > level.height + 1 || x < -CHUNK || x > level.width + 1) continue;
    __global const PIXEL* from = picture + (int64)mirrored(y, level.height) * level.pitch;
    const Tile to = pixel_of(tiles, 0, column, row);
    if (x >= 0 && x + CHUNK <= level.width)
      *(LOCAL_POINTER uint4*)to = *(__global const uint4*)(from + x);
    else
      for (int k = 0; k < CHUNK; ++k)
        if (x + k >= -2 && x + k <= level.width + 1) to[k] = from[mirrored(x + k, level.width)];
  }
}

// Values that a work-item has of four pixels in a row, all sums of pixels, which may be negative: two to an integer in
// the order 0, 2 and 1, 3 where pixels are bytes, as upper half * 65536 + lower half, or one to an integer.
#if BYTES
#define VALUES 2
#else
#define VALUES 4
#endif

// Differences and sums across of the pixels x .. x + 3 of a row; `row` is at x, a multiple of 4.
static inline void look_across(LOCAL_POINTER const PIXEL* row, int* apart, int* smooth) {
#if BYTES
  LOCAL_POINTER const uint* words = (LOCAL_POINTER const uint*)row;
  const uint here = words[0], even = here & 0xFF00FFu, odd = pick_bytes(here, 0, 0x4341u);
  const uint before_even = pick_bytes(words[-1], odd, 0x5453u), after_odd = pick_bytes(even, words[1], 0x1412u);
  apart[0] = (int)(odd - before_even);
  apart[1] = (int)(after_odd - even);
  smooth[0] = gradient_smooth((int)before_even, (int)even, (int)odd);
  smooth[1] = gradient_smooth((int)even, (int)odd, (int)after_odd);
#else
  REGISTERS for (int j = 0; j < 4; ++j) {
    apart[j] = row[j + 1] - row[j - 1];
    smooth[j] = gradient_smooth(row[j - 1], row[j], row[j + 1]);
  }
#endif
}

// The four words of gradients across and down.
static inline int4 words_of(const int* dx, const int* dy) {
  int4 words;
#if BYTES
  // The lower half as if it were positive does not borrow from the upper one.
  const uint positive = 0x80008000u;
  const uint x0 = ((uint)dx[0] + positive) ^ positive, y0 = ((uint)dy[0] + positive) ^ positive;
  const uint x1 = ((uint)dx[1] + positive) ^ positive, y1 = ((uint)dy[1] + positive) ^ positive;
  words.x = (int)pick_bytes(x0, y0, LOW_HALVES), words.z = (int)pick_bytes(x0, y0, HIGH_HALVES);
  words.y = (int)pick_bytes(x1, y1, LOW_HALVES), words.w = (int)pick_bytes(x1, y1, HIGH_HALVES);
#else
  words.x = (dx[0] & 0xFFFF) | (int)((uint)dy[0] << 16);
  words.y = (dx[1] & 0xFFFF) | (int)((uint)dy[1] << 16);
  words.z = (dx[2] & 0xFFFF) | (int)((uint)dy[2] << 16);
  words.w = (dx[3] & 0xFFFF) | (int)((uint)dy[3] << 16);
#endif
  return words;
}

// Gradients of the tile of level k, four columns and some rows to a work-item. Levels that this pass has made are
// written too.
static inline void write_gradients(Tile tiles, int k, __global PIXEL* restrict picture,
                                   __global int* restrict gradients, Level level, int left, int top, int item) {
  const int fours = (TILE_W >> k) / 4, teams = min(TILE_H >> k, max(THREADS / fours, 1));
  const int rows = ((TILE_H >> k) + teams - 1) / teams, bottom = min(TILE_H >> k, level.height - top);
  for (int part = item; part < fours * teams; part += THREADS) {
    const int x = part % fours * 4, y = part / fours * rows, high = min(bottom - y, rows);
    if (left + x >= level.width || high <= 0) continue;
    const int64 at = (int64)(top + y) * level.pitch + left + x;
    int apart[3][VALUES], smooth[3][VALUES];  // of three rows, the latest one last
    REGISTERS for (int i = 0; i < rows + 2; ++i) {
      if (i > high + 1) break;
      LOCAL_POINTER const PIXEL* const row = pixel_of(tiles, k, x, y + i - 1);
      REGISTERS for (int j = 0; j < VALUES; ++j) {
        apart[0][j] = apart[1][j], apart[1][j] = apart[2][j];
        smooth[0][j] = smooth[1][j], smooth[1][j] = smooth[2][j];
      }
      look_across(row, apart[2], smooth[2]);
      if (k > 0 && i > 0 && i <= high)
        *(__global FOUR*)(picture + at + (i - 1) * level.pitch) = *(LOCAL_POINTER const FOUR*)row;
      if (i < 2) continue;
      int dx[VALUES], dy[VALUES];
      REGISTERS for (int j = 0; j < VALUES; ++j) {
        dx[j] = gradient(0, gradient_smooth(apart[0][j], apart[1][j], apart[2][j]), SHIFT);
        dy[j] = gradient(smooth[0][j], smooth[2][j], SHIFT);
      }
      *(__global int4*)(gradients + at + (i - 2) * level.pitch) = words_of(dx, dy);
    }
  }
}

static inline uint four_weights(int a, int b, int c, int d) { return (uint)(a | b << 8 | c << 16 | d << 24); }

// The weighted sums about the pixels x and x + 2 of a row; `row` is at x, a multiple of 4.
static inline void sums_across(LOCAL_POINTER const PIXEL* row, int* sums) {
  const int w0 = pyramid_weight(0), w1 = pyramid_weight(1), w2 = pyramid_weight(2), w3 = pyramid_weight(3),
            w4 = pyramid_weight(4);
#if BYTES
  LOCAL_POINTER const uint* words = (LOCAL_POINTER const uint*)row;
  const uint before = words[-1], here = words[0], after = words[1];
  sums[0] = (int)add_byte_products(add_byte_products(0, before, four_weights(0, 0, w0, w1)), here,
                                   four_weights(w2, w3, w4, 0));
  sums[1] = (int)add_byte_products(add_byte_products(0, here, four_weights(w0, w1, w2, w3)), after,
                                   four_weights(w4, 0, 0, 0));
#else
  REGISTERS for (int j = 0; j < 2; ++j)
    sums[j] = w0 * row[2 * j - 2] + w1 * row[2 * j - 1] + w2 * row[2 * j] + w3 * row[2 * j + 1] + w4 * row[2 * j + 2];
#endif
}

// What is asked for of the level after level k, two columns and some rows to a work-item: into the tile, or, after the
// last level of the pass, into its picture.
static inline void halve(Tile tiles, int k, __global PIXEL* restrict picture, Level next, int left, int top, int item) {
  const int pairs = PAIRS(k), high = HIGH(k), teams = min(high, max(THREADS / pairs, 1)),
            rows = (high + teams - 1) / teams;
  for (int i = item; i < pairs * teams; i += THREADS) {
    const int x = i % pairs * 2 - PAIRS_BEFORE(k), from = i / pairs * rows, y = from - NEXT_BEFORE(k);
    const int at_x = left + x;
    if (at_x < 0 || at_x >= next.width) continue;
    int sums[5][2];  // of five rows, the latest one last
    REGISTERS for (int j = 0; j < 2 * rows + 3; ++j) {
      const int row = (j - 3) / 2, at_y = top + y + row;  // of the next level: what this one is read for
      if (from + row >= high || at_y >= next.height) break;
      REGISTERS for (int n = 0; n < 4; ++n) sums[n][0] = sums[n + 1][0], sums[n][1] = sums[n + 1][1];
      sums_across(pixel_of(tiles, k, 2 * x, 2 * y + j - 2), sums[4]);
      if (j < 4 || j % 2 != 0 || at_y < 0) continue;
      int two[2];
      REGISTERS for (int n = 0; n < 2; ++n)
        two[n] = pyramid_pixel(sums[0][n] + sums[4][n] + 4 * (sums[1][n] + sums[3][n]) + 6 * sums[2][n]);
      // The second one may lie beyond the end of a row, where memory does not count.
      const TWO both = (TWO)(two[0] | two[1] << (int)(8 * sizeof(PIXEL)));
      if (k + 1 == COUNT)
        *(__global TWO*)(picture + (int64)at_y * next.pitch + at_x) = both;
      else
        *(LOCAL_POINTER TWO*)pixel_of(tiles, k + 1, x, y + row) = both;
    }
  }
}

// `first` is the level that the pass begins with.
__kernel WORK_GROUP(THREADS, 1) void prepare(__global PIXEL* restrict pictures, __global int* restrict gradients,
                                             __global const int* restrict table, int first) {
  __local PIXEL ALIGN_16 tiles[ALL_PIXELS];
  const int item = (int)get_local_id(0), left = TILE_W * (int)get_group_id(0), top = TILE_H * (int)get_group_id(1);
  load(tiles, pictures + level_of(table, first).offset, level_of(table, first), left, top, item);
  REGISTERS for (int k = 0; k < COUNT; ++k) {
    const Level level = level_of(table, first + k);
    GROUP_BARRIER();
    if (k > 0 && is_at_edge(k, level, left >> k, top >> k)) {
      mirror_edges(tiles, k, level, left >> k, top >> k, item);
      GROUP_BARRIER();
    }
    if (k + 1 < COUNT || HALVE) {
      const Level next = level_of(table, first + k + 1);
      halve(tiles, k, pictures + next.offset, next, left >> (k + 1), top >> (k + 1), item);
    }
    write_gradients(tiles, k, pictures + level.offset, gradients + level.offset, level, left >> k, top >> k, item);
  }
}
