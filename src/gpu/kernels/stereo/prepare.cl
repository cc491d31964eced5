// SPDX-License-Identifier: Apache-2.0
// What taps compare, before any census: pixels, or their x-Sobel. Equal to reference/stereo/prefilter.cpp.
//
//   PIXEL, PREPARED  types of what is read and written: uchar or ushort
//   SOBEL            SOBEL_NONE, SOBEL_PLAIN or SOBEL_OPENCV
//   CAP              of the derivative, from 1 on
#include "definitions/stereo/xsobel.h"
#include "gpu/shared/picture.h"
#include "gpu/shared/stereo/settings.h"
#if !defined(PIXEL) || !defined(PREPARED) || !defined(SOBEL) || !defined(CAP) || !defined(GROUP_W) || !defined(GROUP_H)
#error "prepare needs PIXEL, PREPARED, SOBEL, CAP, GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void prepare(__global const PIXEL* restrict in, __global PREPARED* restrict out,
                                                   const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  __global const PIXEL* row = in + (int64)y * width;
#if SOBEL == SOBEL_NONE
  const int value = row[x];
#else
  int value = CAP;
  if (x > 0 && x < width - 1 && !(SOBEL == SOBEL_OPENCV && height % 2 == 1 && y == height - 1)) {
    __global const PIXEL* above = in + (int64)mirrored_row(y - 1, height) * width;
    __global const PIXEL* below = in + (int64)mirrored_row(y + 1, height) * width;
    value = xsobel(above[x - 1], above[x + 1], row[x - 1], row[x + 1], below[x - 1], below[x + 1], CAP);
  }
#endif
  out[(int64)y * width + x] = (PREPARED)value;
}
