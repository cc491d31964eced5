// SPDX-License-Identifier: Apache-2.0
// Pixels whose window has too little texture: sums of |x-Sobel| along rows, then down columns.
//
//   CAP        of the derivative, from 1 on
//   RX, RY     half the window, px
//   THRESHOLD  the least sum of a pixel that has texture
#include "definitions/stereo/xsobel.h"
#include "gpu/shared/picture.h"
#if !defined(CAP) || !defined(RX) || !defined(RY) || !defined(THRESHOLD) || !defined(GROUP_W) || !defined(GROUP_H)
#error "texture needs CAP, RX, RY, THRESHOLD, GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void texture_rows(__global const uchar* restrict sobel,
                                                        __global uint* restrict sums,
                                                        const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  __global const uchar* row = sobel + (int64)y * width;
  uint sum = 0;
  for (int u = max(x - RX, 0); u <= min(x + RX, width - 1); ++u) sum += (uint)texture_tap(row[u], CAP);
  sums[(int64)y * width + x] = sum;
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void texture_columns(__global const uint* restrict sums,
                                                           __global uchar* restrict reject,
                                                           const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  int64 sum = 0;
  for (int v = max(y - RY, 0); v <= min(y + RY, height - 1); ++v) sum += sums[(int64)v * width + x];
  reject[(int64)y * width + x] = sum < THRESHOLD ? 1 : 0;
}
