// SPDX-License-Identifier: Apache-2.0
// The next coarser level of a frame: a work-item has a pixel of it. Equal to half_size of reference/motion/pyramid.hpp.
#include "definitions/motion/pyramid.h"
#if !defined(PIXEL) || !defined(GROUP_W) || !defined(GROUP_H)
#error "halve needs PIXEL, GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void halve(__global const PIXEL* restrict fine, __global PIXEL* restrict half_size,
                                                 int width, int height, int pitch, int fine_w, int fine_h, int fine_pitch) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int right = min(2 * x + 1, fine_w - 1);
  __global const PIXEL* above = fine + (int64)2 * y * fine_pitch;
  __global const PIXEL* below = fine + (int64)min(2 * y + 1, fine_h - 1) * fine_pitch;
  half_size[(int64)y * pitch + x] =
      (PIXEL)half_pixel((int)above[2 * x], (int)above[right], (int)below[2 * x], (int)below[right]);
}
