// SPDX-License-Identifier: Apache-2.0
// Hole filling. Equal to reference/postfilter/fill.cpp.
// `background` and `nearest` look for valid pixels along rows in maps of one bit a pixel, 32 a word; the means add up
// columns, then along rows.
//
//   MAP      type of disparities: short or int
//   INVALID  the disparity that says there is none
//   SUM      holds a column's sum: int or int64
//   STRIP    rows that a work-item of add_columns goes down, from 1 on
#include "definitions/postfilter/fill.h"
#include "gpu/shared/postfilter/postfilter.h"
#if !defined(MAP) || !defined(INVALID) || !defined(GROUP_W) || !defined(GROUP_H)
#error "fill needs MAP, INVALID, GROUP_W and GROUP_H"
#endif
#if !defined(SUM) || !defined(STRIP)
#error "fill needs SUM and STRIP"
#endif

/// Of the region: rows and columns [first, end).
static inline bool is_in_region(int x, int y, int first_x, int first_y, int end_x, int end_y) {
  return x >= first_x && x < end_x && y >= first_y && y < end_y;
}

static inline int lowest_bit(uint word) { return (int)popcount((word & (0u - word)) - 1u); }
static inline int highest_bit(uint word) {
  word |= word >> 1;
  word |= word >> 2;
  word |= word >> 4;
  word |= word >> 8;
  word |= word >> 16;
  return (int)popcount(word) - 1;
}

/// The nearest column of a row's bits that is valid, x itself or before it; -1 where there is none.
static inline int column_before(__global const uint* bits, int x) {
  int word = x / 32;
  uint found = bits[word] & (0xFFFFFFFFu >> (31 - x % 32));
  while (found == 0 && word > 0) found = bits[--word];
  return found == 0 ? -1 : 32 * word + highest_bit(found);
}
/// The same, x itself or after it.
static inline int column_after(__global const uint* bits, int words, int x) {
  int word = x / 32;
  uint found = bits[word] & (0xFFFFFFFFu << (x % 32));
  while (found == 0 && word < words - 1) found = bits[++word];
  return found == 0 ? -1 : 32 * word + lowest_bit(found);
}

/// Of a row above y (-1: none) and one below (height: none): the one above comes first.
static inline bool is_row_above(int above, int below, int y, int height) {
  return above >= 0 && (below >= height || !is_nearer_row(below - y, above - y));
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void copy(__global const MAP* restrict in, __global MAP* restrict out,
                                                const FillArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x < width && y < height) out[y * width + x] = in[y * width + x];
}

/// One word of bits for each work-item; `is_filled` of a row becomes 1 where the row has any.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void mark_valid(__global const MAP* restrict in, __global uint* restrict bits,
                                                      __global int* restrict is_filled, const FillArguments arguments) {
  const int words = arguments.words, height = arguments.height, width = arguments.width;
  const int word = (int)get_global_id(0), y = (int)get_global_id(1);
  if (word >= words || y >= height) return;
  const int first = 32 * word, count = min(width - first, 32);
  __global const MAP* pixels = in + (y * width + first);
  uint found = 0;
  for (int i = 0; i < count; ++i)
    if (pixels[i] != INVALID) found |= 1u << i;
  bits[y * words + word] = found;
  if (found != 0) is_filled[y] = 1;
}

/// For every row the nearest that is not empty, the row itself or one above (-1 where there is none), then the same
/// below (`height` where there is none).
__kernel WORK_GROUP(GROUP_W, GROUP_H) void find_filled_rows(__global const int* restrict is_filled,
                                                            __global int* restrict above, __global int* restrict below,
                                                            const FillArguments arguments) {
  const int height = arguments.height;
  const int y = (int)get_global_id(0);  // the grid is as wide as the map is high, and one row high
  if (y >= height || (int)get_global_id(1) >= 1) return;
  int v = y;
  while (v >= 0 && is_filled[v] == 0) --v;
  above[y] = v;
  v = y;
  while (v < height && is_filled[v] == 0) ++v;
  below[y] = v;
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void background(__global const MAP* restrict in,
                                                      __global const uint* restrict bits,
                                                      __global const int* restrict above,
                                                      __global const int* restrict below, __global MAP* restrict out,
                                                      const FillArguments arguments) {
  const int width = arguments.width, height = arguments.height, words = arguments.words, first_x = arguments.first_x,
            first_y = arguments.first_y, end_x = arguments.end_x, end_y = arguments.end_y;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  int value = in[y * width + x];
  if (value == INVALID && is_in_region(x, y, first_x, first_y, end_x, end_y)) {
    const int row = is_row_above(above[y], below[y], y, height) ? above[y] : below[y];
    if (row < height) {
      const int before = column_before(bits + row * words, x), after = column_after(bits + row * words, words, x);
      value = fill_background(before < 0 ? INVALID : in[row * width + before],
                              after < 0 ? INVALID : in[row * width + after], INVALID);
    }
  }
  out[y * width + x] = (MAP)value;
}

/// For every pixel the nearest valid column of its row, the left of two; -1 in an empty row.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void find_nearest_columns(__global const uint* restrict bits,
                                                                __global int* restrict columns,
                                                                const FillArguments arguments) {
  const int width = arguments.width, height = arguments.height, words = arguments.words;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int before = column_before(bits + y * words, x), after = column_after(bits + y * words, words, x);
  const bool takes_after = before < 0 || (after >= 0 && is_nearer(after - x, 0, before - x, 0));
  columns[y * width + x] = takes_after ? after : before;
}

/// Looks at the nearest source of each row that has any, the nearest row first, until no row can hold a nearer one.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void nearest(__global const MAP* restrict in,
                                                   __global const int* restrict columns,
                                                   __global const int* restrict above,
                                                   __global const int* restrict below, __global MAP* restrict out,
                                                   const FillArguments arguments) {
  const int width = arguments.width, height = arguments.height, first_x = arguments.first_x,
            first_y = arguments.first_y, end_x = arguments.end_x, end_y = arguments.end_y;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  int value = in[y * width + x];
  if (value == INVALID && is_in_region(x, y, first_x, first_y, end_x, end_y)) {
    bool found = false;
    int dx = 0, dy = 0;
    int up = above[y], down = y + 1 < height ? below[y + 1] : height;
    while (up >= 0 || down < height) {
      const bool goes_up = is_row_above(up, down, y, height);
      const int v = goes_up ? up : down;
      if (found && is_nearer(dx, dy, 0, v - y)) break;
      const int column = columns[v * width + x];
      if (!found || is_nearer(column - x, v - y, dx, dy)) {
        found = true;
        dx = column - x;
        dy = v - y;
      }
      if (goes_up)
        up = v > 0 ? above[v - 1] : -1;
      else
        down = v + 1 < height ? below[v + 1] : height;
    }
    if (found) value = in[(y + dy) * width + x + dx];
  }
  out[y * width + x] = (MAP)value;
}

/// Sums and numbers of the valid pixels in each pixel's column of the window. A work-item walks down STRIP rows.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void add_columns(__global const MAP* restrict in, __global SUM* restrict sums,
                                                       __global uchar* restrict counts, const FillArguments arguments) {
  const int width = arguments.width, height = arguments.height, radius = arguments.radius;
  const int x = (int)get_global_id(0), strip = (int)get_global_id(1);
  if (x >= width || strip * STRIP >= height) return;
  const int first = strip * STRIP, end = min(first + STRIP, height);
  SUM sum = 0;
  int count = 0;
  for (int v = max(first - radius, 0); v < min(first + radius, height); ++v) {
    const int value = in[v * width + x];
    if (value == INVALID) continue;
    sum += value;
    ++count;
  }
  for (int y = first; y < end; ++y) {
    const int entering = y + radius < height ? in[(y + radius) * width + x] : INVALID;
    if (entering != INVALID) {
      sum += entering;
      ++count;
    }
    sums[y * width + x] = sum;
    counts[y * width + x] = (uchar)count;
    const int leaving = y - radius >= 0 ? in[(y - radius) * width + x] : INVALID;
    if (leaving != INVALID) {
      sum -= leaving;
      --count;
    }
  }
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void mean(__global const MAP* restrict in, __global const SUM* restrict sums,
                                                __global const uchar* restrict counts, __global MAP* restrict out,
                                                const FillArguments arguments) {
  const int width = arguments.width, height = arguments.height, first_x = arguments.first_x,
            first_y = arguments.first_y, end_x = arguments.end_x, end_y = arguments.end_y, radius = arguments.radius,
            is_mean_all = arguments.all;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  int value = in[y * width + x];
  if (value == INVALID && is_in_region(x, y, first_x, first_y, end_x, end_y)) {
    int64 sum = 0;
    int count = 0;
    for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); ++u) {
      sum += sums[y * width + u];
      count += counts[y * width + u];
    }
    if (is_mean_all)
      value = (int)fill_mean_all(sum, 2 * radius + 1);
    else if (count > 0)
      value = (int)fill_mean(sum, count);
  }
  out[y * width + x] = (MAP)value;
}
