// SPDX-License-Identifier: Apache-2.0
// The median of the valid pixels in a square window. Equal to reference/postfilter/median.cpp.
//
//   MAP      type of disparities: short or int
//   INVALID  the disparity that says there is none
//   RADIUS   half the window, px
#include "definitions/postfilter/median.h"
#include "gpu/shared/picture.h"
#if !defined(MAP) || !defined(INVALID) || !defined(RADIUS) || !defined(GROUP_W) || !defined(GROUP_H)
#error "median needs MAP, INVALID, RADIUS, GROUP_W and GROUP_H"
#endif
#define SIDE (2 * RADIUS + 1)
#define TAPS (SIDE * SIDE)
#define TILE_W (GROUP_W + 2 * RADIUS)
#define TILE_H (GROUP_H + 2 * RADIUS)
#define LOWEST (-2147483647 - 1)
#define HIGHEST 2147483647
#define VALUE int
#define LESSER(a, b) min(a, b)
#define GREATER(a, b) max(a, b)
#include "postfilter/middle.h"

__kernel WORK_GROUP(GROUP_W, GROUP_H) void median(__global const MAP* restrict in, __global MAP* restrict out,
                                                  const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  __local MAP tile[TILE_H * TILE_W];  // the windows of all the group's pixels; invalid where they leave the map
  const int left = (int)get_group_id(0) * GROUP_W, top = (int)get_group_id(1) * GROUP_H;
  const int column = (int)get_local_id(0), row = (int)get_local_id(1);
  for (int i = row * GROUP_W + column; i < TILE_W * TILE_H; i += GROUP_W * GROUP_H) {
    const int u = left + i % TILE_W - RADIUS, v = top + i / TILE_W - RADIUS;
    const bool inside = u >= 0 && u < width && v >= 0 && v < height;
    tile[i] = inside ? in[v * width + u] : (MAP)(INVALID);
  }
  GROUP_BARRIER();
  const int x = left + column, y = top + row;
  if (x >= width || y >= height) return;
  const int first = row * TILE_W + column;
  if (tile[first + RADIUS * TILE_W + RADIUS] == INVALID) {
    out[y * width + x] = (MAP)(INVALID);
    return;
  }
  int values[TAPS];
  int count = 0;
  UNROLL
  for (int i = 0; i < TAPS; ++i) {
    values[i] = tile[first + i / SIDE * TILE_W + i % SIDE];
    if (values[i] != INVALID) ++count;
  }
  if (count < TAPS) {
    // What is invalid goes to both ends, in such numbers that the wanted value comes to lie in the middle.
    int below = TAPS / 2 - median_rank(count);
    UNROLL
    for (int i = 0; i < TAPS; ++i)
      if (values[i] == INVALID) values[i] = below-- > 0 ? LOWEST : HIGHEST;
  }
  out[y * width + x] = (MAP)middle(values);
}
