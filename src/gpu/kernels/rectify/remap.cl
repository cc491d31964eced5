// SPDX-License-Identifier: Apache-2.0
// Rectification: a work-item samples the source picture where the map says, for PIXELS pixels of a row. Equal to
// reference/rectify/remap.cpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef WORDS
#define WORDS 0  // 1: pixels of 16 bits; 0: bytes
#endif
#ifndef WIDE
#define WIDE 0  // 1: places as two words; 0: as bytes beside a line (gpu/rectify/packed_map.hpp)
#endif
// The launch configuration:
#ifndef GROUP_W
#define GROUP_W 64  // work-items of a row of a group
#endif
#ifndef GROUP_H
#define GROUP_H 4  // rows of a group
#endif
#ifndef PIXELS
#define PIXELS 4  // of a row of a work-item: 1, or 4, one of each of four runs
#endif
#ifndef WHOLE_FOURS
#define WHOLE_FOURS 0  // 1: rows of the rectified picture are whole times four runs
#endif

#include "definitions/rectify/bilinear.h"
#include "gpu/shared/rectify/remap.h"
#include "packed.h"

#if WORDS
typedef ushort Pixel;
#else
typedef uchar Pixel;
#endif

// Values of bytes stay in their range: a weight of -1 takes 255 of 8192 that are added for rounding.
static inline Pixel limited(int value, RemapArguments arguments) {
#if WORDS
  value = clamp(value, 0, arguments.largest);
#endif
  return (Pixel)value;
}
static inline Pixel sample_at(__global const Pixel* restrict in, int x, int y, int pitch, RemapArguments arguments) {
  const int column = x >> 10, row = y >> 10;
  // In the last column or row the pixel itself stands for the one beside it, whose weight is 0.
  const int right = column + 1 < arguments.in_width ? 1 : 0;
  const int64 below = row + 1 < arguments.in_height ? pitch : 0;
  const int64 place = (int64)row * pitch + column;
  return limited(bilinear_unlimited(in[place], in[place + right], in[place + below], in[place + below + right],
                                    x & 1023, y & 1023),
                 arguments);
}
static inline Pixel sample_moved(__global const Pixel* restrict in, int x, int y, int pitch, RemapArguments arguments) {
  return sample_at(in, clamp(x, 0, (arguments.in_width - 1) << 10), clamp(y, 0, (arguments.in_height - 1) << 10), pitch,
                   arguments);
}

// base + byte number i of `bytes`
#ifdef VERGENCE_NVIDIA
#define ADD_BYTE(base, bytes, i) ((int)add_byte_products((uint)(base), bytes, 1u << 8 * (i)))
#else
#define ADD_BYTE(base, bytes, i) ((base) + (int)((bytes) >> 8 * (i)&0xFFu))
#endif

// Column and row of pixel `pixel` of a run, for which `more` has byte i, in 1/1024 px.
static inline int run_x(int4 run, uint2 more, int i, int pixel) { return ADD_BYTE(run.x + pixel * run.z, more.x, i); }
static inline int run_y(int4 run, uint2 more, int i, int pixel) { return ADD_BYTE(run.y + pixel * run.w, more.y, i); }

// A camera's pictures: where its first two source rows begin, and the row that is written.
typedef struct {
  __global const Pixel* in;
  __global const Pixel* in_below;
  __global Pixel* to;
  int pitch;
} Pictures;

#if WIDE
static inline void sample_pixels(Pictures p, __global const uint* restrict map, __global const int* restrict runs,
                                 int64 row, uint item, RemapArguments arguments) {
  __global const uint* const places = map + row * (2 * arguments.width) + item;
  p.to[item] = sample_at(p.in, (int)places[0], (int)places[arguments.width], p.pitch, arguments);
}
#elif PIXELS == 1
static inline void sample_pixels(Pictures p, __global const uint* restrict map, __global const int* restrict runs,
                                 int64 row, uint item, RemapArguments arguments) {
  const int pixel = (int)(item % REMAP_RUN), i = (int)(item / REMAP_RUN % 4);
  const int64 place = row * arguments.fours + item / REMAP_FOUR_RUNS;
  const uint2 more = ((__global const uint2*)map)[place * REMAP_RUN + pixel];
  __global const int4* const run = (__global const int4*)runs + 4 * place;
  const int outside = run[i].x < -REMAP_OUTSIDE / 2 ? REMAP_OUTSIDE : 0;
  p.to[item] =
      sample_moved(p.in, run_x(run[i], more, i, pixel) + outside, run_y(run[i], more, i, pixel), p.pitch, arguments);
}
#else
static inline void sample_pixels(Pictures p, __global const uint* restrict map, __global const int* restrict runs,
                                 int64 row, uint item, RemapArguments arguments) {
  const int pixel = (int)(item % REMAP_RUN);
  const uint four = item / REMAP_RUN;
  const int64 place = row * arguments.fours + four;
  const uint2 more = ((__global const uint2*)map)[place * REMAP_RUN + pixel];
  __global const int4* const run = (__global const int4*)runs + 4 * place;
  int x[4], y[4], least = 0;
  UNROLL
  for (int i = 0; i < 4; ++i) {
    const int4 mine = run[i];
    least = min(least, mine.x);
    x[i] = run_x(mine, more, i, pixel);
    y[i] = run_y(mine, more, i, pixel);
  }
  Pixel sampled[4];
  if (least > -REMAP_OUTSIDE / 2) {
    UNROLL
    for (int i = 0; i < 4; ++i) {
      const uint64 tap = (uint64)((uint)y[i] >> 10) * (uint)p.pitch + ((uint)x[i] >> 10);
      sampled[i] = limited(
          bilinear_unlimited(p.in[tap], p.in[tap + 1], p.in_below[tap], p.in_below[tap + 1], x[i] & 1023, y[i] & 1023),
          arguments);
    }
  } else {
    UNROLL
    for (int i = 0; i < 4; ++i)
      sampled[i] =
          sample_moved(p.in, x[i] < -REMAP_OUTSIDE / 2 ? x[i] + REMAP_OUTSIDE : x[i], y[i], p.pitch, arguments);
  }
  const int first = (int)four * REMAP_FOUR_RUNS + pixel;
  UNROLL
  for (int i = 0; i < 4; ++i)
    if (WHOLE_FOURS || first + REMAP_RUN * i < arguments.width) p.to[first + REMAP_RUN * i] = sampled[i];
}
#endif

// The map: gpu/rectify/packed_map.hpp. The third dimension counts cameras.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void remap(__global const Pixel* restrict left,
                                                 __global const Pixel* restrict right,
                                                 __global const uint* restrict map, __global const int* restrict runs,
                                                 __global Pixel* restrict left_out, __global Pixel* restrict right_out,
                                                 GRID_CONSTANT RemapArguments arguments) {
  const uint item = get_global_id(0);
  const int y = (int)get_global_id(1), camera = arguments.first_camera + (int)get_group_id(2);
  if (item >= (uint)arguments.items || y >= arguments.height) return;
  const RemapPicture picture = camera == 0 ? arguments.left : arguments.right;
  __global const Pixel* const from = camera == 0 ? left : right;
  Pictures pictures;
  pictures.in = from + picture.in_first;
  pictures.in_below = from + picture.in_second;
  pictures.pitch = picture.in_pitch;
  pictures.to = (camera == 0 ? left_out : right_out) + picture.out_first + (int64)y * picture.out_pitch;
  sample_pixels(pictures, map, runs, (int64)camera * arguments.height + y, item, arguments);
}
