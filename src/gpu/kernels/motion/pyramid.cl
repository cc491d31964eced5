// SPDX-License-Identifier: Apache-2.0
// Up to three coarser levels of a frame at once: a work-item has a pixel of the coarsest of them, and makes all that
// lie under it. Equal to half_size of reference/motion/pyramid.hpp, level by level.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef PIXEL
#define PIXEL uchar  // type of a pixel: uchar or ushort
#endif
#ifndef BYTES
#define BYTES 1  // 1 where PIXEL is uchar, else 0
#endif
// The launch configuration, and what the device can do:
#ifndef GROUP_W
#define GROUP_W 64  // work-items of a row of a group
#endif
#ifndef GROUP_H
#define GROUP_H 4  // rows of a group
#endif
#ifndef LEVELS
#define LEVELS 1  // levels that are made at once: 1 .. 3
#endif

#include "definitions/motion/pyramid.h"
#include "gpu/shared/motion/stages.h"
#include "motion/spread.h"

#define SIDE (1 << LEVELS)  // of the fine pixels of a work-item

/// Halves `side` x `side` values at (x, y) of a level that is width x height; beyond its edges the last value goes on.
/// What comes of it replaces the values, and is written to the coarser level, half as large.
static inline void halve_values(int* values, const int side, int x, int y, int width, int height, __global PIXEL* to,
                                int pitch) {
  const int half_w = half_side(width), half_h = half_side(height);
  SPREAD for (int j = 0; j < side / 2; ++j)
    SPREAD for (int i = 0; i < side / 2; ++i) {
      const int at = 2 * j * side + 2 * i;
      const bool ends_x = x + 2 * i + 1 >= width, ends_y = y + 2 * j + 1 >= height;
      const int a = values[at], b = ends_x ? a : values[at + 1];
      const int c = ends_y ? a : values[at + side], d = ends_y ? b : ends_x ? c : values[at + side + 1];
      const int middle = half_pixel(a, b, c, d);
      values[j * (side / 2) + i] = middle;  // what lies there was read before
      if (x / 2 + i < half_w && y / 2 + j < half_h) to[(int64)(y / 2 + j) * pitch + x / 2 + i] = (PIXEL)middle;
    }
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void pyramid(__global const PIXEL* restrict fine, __global PIXEL* restrict one,
                                                   __global PIXEL* restrict two, __global PIXEL* restrict three,
                                                   GRID_CONSTANT PyramidArguments arguments) {
  const int column = (int)get_global_id(0), row = (int)get_global_id(1);
  if (column >= arguments.width || row >= arguments.height) return;
  const int x = column * SIDE, y = row * SIDE, fine_w = arguments.fine_width, fine_h = arguments.fine_height;
  int values[SIDE * SIDE];
  SPREAD for (int j = 0; j < SIDE; ++j) {
    // Rows are a multiple of 16 bytes apart, so that all of a work-item's pixels lie in its row.
    __global const PIXEL* from = fine + (int64)min(y + j, fine_h - 1) * arguments.fine_pitch + x;
#if BYTES && LEVELS > 1
    SPREAD for (int i = 0; i < SIDE; i += 4) {
      const uint word = *(__global const uint*)(from + i);
      SPREAD for (int k = 0; k < 4; ++k) values[SIDE * j + i + k] = (int)(word >> (8 * k) & 0xFFu);
    }
#else
    SPREAD for (int i = 0; i < SIDE; ++i) values[SIDE * j + i] = (int)from[i];
#endif
  }
  halve_values(values, SIDE, x, y, fine_w, fine_h, one, arguments.pitch_1);
#if LEVELS > 1
  const int w_1 = half_side(fine_w), h_1 = half_side(fine_h);
  halve_values(values, SIDE / 2, x / 2, y / 2, w_1, h_1, two, arguments.pitch_2);
#endif
#if LEVELS > 2
  halve_values(values, SIDE / 4, x / 4, y / 4, half_side(w_1), half_side(h_1), three, arguments.pitch_3);
#endif
}
