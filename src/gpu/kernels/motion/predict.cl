// SPDX-License-Identifier: Apache-2.0
// Predicts a plane of the current frame from the reference frame and the vectors; one work-item for each pixel. Equal
// to reference/motion/predict.cpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef SCALE_X
#define SCALE_X 0  // 1: the plane has half the luma's columns
#endif
#ifndef SCALE_Y
#define SCALE_Y 0  // 1: half the luma's rows
#endif
#ifndef BLOCK_W
#define BLOCK_W 16  // width of a block in px of the plane
#endif
#ifndef BLOCK_H
#define BLOCK_H 16  // height of a block in px of the plane
#endif
#ifndef OVERLAP
#define OVERLAP 0  // 1: neighbouring blocks' predictions are blended
#endif
// The launch configuration, and what the device can do:
#ifndef GROUP_W
#define GROUP_W 64  // work-items of a row of a group
#endif
#ifndef GROUP_H
#define GROUP_H 4  // rows of a group
#endif
// More of them: motion/samples.h.

#include "definitions/motion/overlap.h"
#include "gpu/shared/motion/stages.h"
#include "motion/samples.h"

/// The plane of the reference frame, and the vectors of all blocks.
typedef struct {
  __global const PIXEL* pixels;
  __global const short* vectors;
  int width, height, across, down;  // pixels, blocks
} Plane;

/// The pixel (x, y) as the vector of the block (column, row) predicts it.
static inline int sample(const Plane* plane, int x, int y, int column, int row) {
  const int block = row * plane->across + column;
  int dx = plane->vectors[2 * block], dy = plane->vectors[2 * block + 1];
  // A quarter of a luma pixel is an eighth of a chroma pixel that is twice as wide, two eighths of one that is not.
  const int bits = LUMA ? 2 : 3;
  if (!LUMA) dx *= SCALE_X == 1 ? 1 : 2, dy *= SCALE_Y == 1 ? 1 : 2;
  const Taps taps = taps_of(dx & ((1 << bits) - 1), dy & ((1 << bits) - 1));
  const int u = x + (dx >> bits), v = y + (dy >> bits);
  int rows[TAPS];
  SPREAD for (int k = 0; k < TAPS; ++k) {
    rows[k] = 0;
    if (taps.fraction_y != 0 || k == -FIRST_TAP)
      rows[k] = across(plane->pixels + (int64)padded(v + FIRST_TAP + k, plane->height) * plane->width, u, plane->width,
                       &taps);
  }
  return sample_of(rows, &taps);
}

/// Index of the neighbouring block whose vector the pixel is blended with; at the frame's edge the pixel's own block.
static inline int neighbour_block(int index, int pixel, int side, int count) {
  const int other = index + overlap_neighbour(pixel, side);
  return other < 0 || other >= count ? index : other;
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void predict(__global const PIXEL* restrict reference,
                                                   __global const short* restrict vectors,
                                                   __global PIXEL* restrict prediction,
                                                   GRID_CONSTANT PredictArguments arguments) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  const int width = arguments.width, across = arguments.across, down = arguments.down;
  if (x >= width || y >= arguments.height) return;
  Plane plane;
  plane.pixels = reference, plane.vectors = vectors;
  plane.width = width, plane.height = arguments.height, plane.across = across, plane.down = down;
  const int column = x / BLOCK_W, row = y / BLOCK_H;
  int value = sample(&plane, x, y, column, row);
#if OVERLAP
  const int other_column = neighbour_block(column, x % BLOCK_W, BLOCK_W, across),
            other_row = neighbour_block(row, y % BLOCK_H, BLOCK_H, down);
  const int weight_x = overlap_weight(x % BLOCK_W, BLOCK_W), weight_y = overlap_weight(y % BLOCK_H, BLOCK_H);
  const int64 own_x = 2 * BLOCK_W - weight_x, own_y = 2 * BLOCK_H - weight_y;
  const int64 sum = own_x * own_y * value + weight_x * own_y * sample(&plane, x, y, other_column, row) +
                    own_x * weight_y * sample(&plane, x, y, column, other_row) +
                    (int64)weight_x * weight_y * sample(&plane, x, y, other_column, other_row);
  value = overlap_mean(sum, BLOCK_W, BLOCK_H);
#endif
  prediction[(int64)y * width + x] = (PIXEL)value;
}
