// SPDX-License-Identifier: Apache-2.0
// Rectification: a work-item samples the source picture where the map says, for PIXELS neighbours. Equal to
// reference/rectify/remap.cpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef WORDS
#define WORDS 0  // 1: pixels of 16 bits; 0: bytes
#endif
#ifndef WIDE
#define WIDE 0  // 1: places as two words; 0: as 16-bit differences in one (gpu/rectify/packed_map.hpp)
#endif
// The launch configuration:
#ifndef GROUP_W
#define GROUP_W 64  // work-items of a row of a group
#endif
#ifndef GROUP_H
#define GROUP_H 4  // rows of a group
#endif
#ifndef PIXELS
#define PIXELS 4  // of a work-item: 4, or 1
#endif
#ifndef WHOLE
#define WHOLE 1  // 1: rows of `out` hold the pixels of whole work-items, and begin at words
#endif

#include "definitions/rectify/bilinear.h"
#include "gpu/shared/rectify/remap.h"

#if WORDS
typedef ushort Pixel;
#define PIXEL_BITS 16
#else
typedef uchar Pixel;
#define PIXEL_BITS 8
#endif
// What a work-item writes: words where it has several pixels and there is room for all.
#if PIXELS > 1 && WHOLE
typedef uint Out;
#define PIXELS_OF_OUT (32 / PIXEL_BITS)
#else
typedef Pixel Out;
#define PIXELS_OF_OUT 1
#endif

static inline uint remap_sample(__global const Pixel* restrict in, int x, int y, RemapArguments arguments) {
  const int column = x >> 10, row = y >> 10;
  // In the last column or row the pixel itself stands for the one beside it, whose weight is 0.
  const int right = column + 1 < arguments.in_width ? 1 : 0;
  const int64 below = row + 1 < arguments.in_height ? arguments.in_pitch : 0;
  const int64 place = arguments.in_first + row * arguments.in_pitch + column;
  return (uint)bilinear(in[place], in[place + right], in[place + below], in[place + below + right], x & 1023, y & 1023,
                        arguments.largest);
}

// The map has, for each row, the first pixels of all work-items, then
// the second ones, ...: work-items beside each other read words beside each other.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void remap(__global const Pixel* restrict in, __global const uint* restrict map,
                                                 __global const int* restrict starts, __global Out* restrict out,
                                                 GRID_CONSTANT RemapArguments arguments) {
  const int item = (int)get_global_id(0), v = (int)get_global_id(1);
  if (item >= arguments.items || v >= arguments.height) return;
#if WIDE
  __global const uint* const places = map + (int64)v * arguments.items * (2 * PIXELS) + item;
#else
  __global const uint* const places = map + (int64)v * arguments.items * PIXELS + item;
  const int runs = (PIXELS * arguments.items + REMAP_RUN - 1) / REMAP_RUN;
  __global const int* const start = starts + 2 * ((int64)v * runs + PIXELS * item / REMAP_RUN);
  const int start_x = start[0], start_y = start[1];
#endif
  uint values[PIXELS];
  for (int i = 0; i < PIXELS; ++i) {
#if WIDE
    const int x = (int)places[2 * i * arguments.items], y = (int)places[(2 * i + 1) * arguments.items];
#else
    const uint place = places[i * arguments.items];
    const int x = start_x + (int)(place & 0xFFFFu), y = start_y + (int)(place >> 16);
#endif
    values[i] = remap_sample(in, x, y, arguments);
  }
  __global Out* const to = out + (arguments.out_first + v * arguments.out_pitch + (int64)PIXELS * item) / PIXELS_OF_OUT;
  for (int i = 0; i < PIXELS / PIXELS_OF_OUT; ++i) {
#if !WHOLE
    if (PIXELS * item + i >= arguments.width) return;
#endif
    uint word = 0;
    for (int j = 0; j < PIXELS_OF_OUT; ++j) word |= values[PIXELS_OF_OUT * i + j] << (PIXEL_BITS * j);
    to[i] = (Out)word;
  }
}
