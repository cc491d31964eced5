// SPDX-License-Identifier: Apache-2.0
// Sums of squared pixels over windows, for sums_ssd.h: columns from `left` on, in the orientation in which the
// reference is the left picture; they may lie outside the picture. Rows outside cost nothing.
//
//   RX, RY        half the window, px
//   CLAMP         1: columns outside repeat the last one; 0: they are 0
//   MATCHES_LEFT  1: the reference is the left picture, 0: the right one
//   GROUP         work-items, more than 2 RX
//   ROWS          of a group
#include "gpu/shared/stereo/strip.h"
#if !defined(RX) || !defined(RY) || !defined(CLAMP) || !defined(MATCHES_LEFT) || !defined(GROUP) || !defined(ROWS)
#error "squares needs RX, RY, CLAMP, MATCHES_LEFT, GROUP and ROWS"
#endif

static inline int square(__global const uchar* restrict picture, int x, int y, int width, int height) {
  if (y < 0 || y >= height) return 0;
  if (CLAMP) x = clamp(x, 0, width - 1);
  if (x < 0 || x >= width) return 0;
  const int value = picture[(int64)y * width + (MATCHES_LEFT ? x : width - 1 - x)];
  return value * value;
}

// A work-item keeps the sum of a column and goes down ROWS rows; the group's work-items exchange these sums in local
// memory.
__kernel WORK_GROUP(GROUP, 1) void squares(__global const uchar* restrict picture, __global int* restrict out,
                                           const SquaresArguments arguments) {
  const int width = arguments.width, height = arguments.height, left = arguments.left, out_width = arguments.out_width;
  __local int columns[2][GROUP];
  const int lane = (int)get_local_id(0), first = (int)get_group_id(0) * SQUARES_STEP(GROUP, RX);
  const int x = left + first + lane - RX, top = (int)get_group_id(1) * ROWS;
  const int bottom = min(top + ROWS, height);
  int column = 0;
  for (int v = -RY; v < RY; ++v) column += square(picture, x, top + v, width, height);
  int entering = square(picture, x, top + RY, width, height), leaving = square(picture, x, top - RY, width, height);
  for (int y = top; y < bottom; ++y) {
    const int turn = (y - top) & 1;
    column += entering;
    columns[turn][lane] = column;
    column -= leaving;
    // The next row's pixels arrive while the group adds up this one's columns.
    const bool more = y + 1 < bottom;
    entering = more ? square(picture, x, y + 1 + RY, width, height) : 0;
    leaving = more ? square(picture, x, y + 1 - RY, width, height) : 0;
    GROUP_BARRIER();
    if (lane < SQUARES_STEP(GROUP, RX) && first + lane < out_width) {
      int sum = 0;
      for (int u = 0; u <= 2 * RX; ++u) sum += columns[turn][lane + u];
      out[(int64)y * out_width + first + lane] = sum;
    }
  }
}
