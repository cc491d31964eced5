// SPDX-License-Identifier: Apache-2.0
// The median of the valid pixels in a square window where work-items are loops on a CPU (OpenCL alone: its vectors are
// used). A work-item takes a few rows, 16 pixels at a time. Equal to reference/postfilter/median.cpp.
//
//   MAP, MAPS        type of disparities: short or int, and 16 of them
//   LOWEST, HIGHEST  of its values
//   INVALID          the disparity that says there is none
//   RADIUS           half the window, px
//   BAND             rows of a work-item
#include "definitions/postfilter/median.h"
#include "gpu/shared/picture.h"
#if !defined(MAP) || !defined(MAPS) || !defined(LOWEST) || !defined(HIGHEST) || !defined(INVALID)
#error "median_rows needs MAP, MAPS, LOWEST, HIGHEST and INVALID"
#endif
#if !defined(RADIUS) || !defined(BAND)
#error "median_rows needs RADIUS and BAND"
#endif
#define SIDE (2 * RADIUS + 1)
#define TAPS (SIDE * SIDE)
#define VALUE MAPS
#define LESSER(a, b) min(a, b)
#define GREATER(a, b) max(a, b)
#include "postfilter/middle.h"

typedef MAPS __attribute__((aligned(sizeof(MAP)))) LooseMaps;

// Of 16 windows.
static ALWAYS_INLINE MAPS medians(MAPS* values) {
  const MAPS centre = values[TAPS / 2];
  MAPS missing = 0;  // counted down
  UNROLL for (int i = 0; i < TAPS; ++i) missing += values[i] == (MAPS)(INVALID);
  if (any(missing != (MAPS)0)) {
    // What is invalid goes to both ends, in such numbers that the wanted value comes to lie in the middle.
    const MAPS rank = ((MAPS)(TAPS - 1) + missing) >> 1;  // median_rank()
    MAPS below = (MAPS)(TAPS / 2) - rank;
    UNROLL for (int i = 0; i < TAPS; ++i) {
      const MAPS is_missing = values[i] == (MAPS)(INVALID);
      values[i] = select(values[i], select((MAPS)(HIGHEST), (MAPS)(LOWEST), below > (MAPS)0), is_missing);
      below += is_missing;
    }
  }
  return select(middle(values), (MAPS)(INVALID), centre == (MAPS)(INVALID));
}

// The windows of pixels x .. x + 15 of row y, any of which may leave the map.
static ALWAYS_INLINE void read_edges(__global const MAP* restrict in, int x, int y, int width, int height,
                                     MAPS* values) {
  MAP near[SIDE][16 + 2 * RADIUS];
  for (int i = 0; i < SIDE; ++i)
    for (int j = 0; j < 16 + 2 * RADIUS; ++j) {
      const int u = x + j - RADIUS, v = y + i - RADIUS;
      near[i][j] = u >= 0 && u < width && v >= 0 && v < height ? in[v * width + u] : (MAP)(INVALID);
    }
  UNROLL for (int i = 0; i < TAPS; ++i) values[i] = vload16(0, near[i / SIDE] + i % SIDE);
}

__kernel WORK_GROUP(1, 1) void median_rows(__global const MAP* restrict in, __global MAP* restrict out,
                                           const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int top = (int)get_group_id(0) * BAND, bottom = min(top + BAND, height);
  for (int y = top; y < bottom; ++y)
    for (int x = 0; x < width; x += 16) {
      MAPS values[TAPS];
      if (y >= RADIUS && y + RADIUS < height && x >= RADIUS && x + 16 + RADIUS <= width) {
        __global const MAP* const first = in + (y - RADIUS) * width + x - RADIUS;
        UNROLL for (int i = 0; i < TAPS; ++i) values[i] = vload16(0, first + i / SIDE * width + i % SIDE);
      } else {
        read_edges(in, x, y, width, height, values);
      }
      const MAPS found = medians(values);
      __global MAP* const to = out + y * width + x;
      if (x + 16 <= width) {
        *(__global LooseMaps*)to = found;
      } else {
        const MAP* const each = (const MAP*)&found;
        for (int i = 0; i < width - x; ++i) to[i] = each[i];
      }
    }
}
