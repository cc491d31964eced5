// SPDX-License-Identifier: Apache-2.0
// Rectification: a work-item samples the source picture where the map says. Equal to reference/rectify/remap.cpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef WORDS
#define WORDS 0  // 1: pixels of 16 bits; 0: bytes
#endif
// The launch configuration:
#ifndef GROUP_W
#define GROUP_W 64  // work-items of a row of a group
#endif
#ifndef GROUP_H
#define GROUP_H 4  // rows of a group
#endif

#include "definitions/rectify/bilinear.h"
#include "gpu/shared/rectify/remap.h"

#if WORDS
typedef ushort Pixel;
#else
typedef uchar Pixel;
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void remap(__global const Pixel* restrict in, __global const int* restrict map_x,
                                                 __global const int* restrict map_y, __global Pixel* restrict out,
                                                 GRID_CONSTANT RemapArguments arguments) {
  const int u = (int)get_global_id(0), v = (int)get_global_id(1);
  if (u >= arguments.width || v >= arguments.height) return;
  const int64 at = (int64)v * arguments.width + u;
  const int x = source_place(map_x[at]), y = map_y[at];
  const int column = x >> 10, row = y >> 10;
  // In the last column or row the pixel itself stands for the one beside it, whose weight is 0.
  const int right = column + 1 < arguments.in_width ? 1 : 0;
  const int64 below = row + 1 < arguments.in_height ? arguments.in_width : 0;
  const int64 place = (int64)row * arguments.in_width + column;
  out[at] = (Pixel)bilinear(in[place], in[place + right], in[place + below], in[place + below + right], x & 1023,
                            y & 1023, arguments.largest);
}
