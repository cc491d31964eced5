// SPDX-License-Identifier: Apache-2.0
// What the kernels of this study share: the paper's constants, and one tap.
#include "common/counters.h"
#if !defined(PIXEL) || !defined(RADIUS) || !defined(DISPARITIES) || !defined(UNROLLED)
#error "sad-streaming needs PIXEL (int or uchar), RADIUS, DISPARITIES and UNROLLED (0, 1)"
#endif
#if !defined(PITCH) || !defined(ROWS) || !defined(GROUP_W) || !defined(GROUP_H)
#error "sad-streaming needs PITCH and ROWS (the padded picture), GROUP_W and GROUP_H"
#endif

#define WINDOW (2 * RADIUS + 1)

// The parameters of every kernel; those that use local memory have one more.
#define PARAMETERS                                                                                             \
  __global const PIXEL *restrict left, __global const PIXEL *restrict right, __global int *restrict disparity, \
      int width, int height TRAFFIC_PARAMETER

// The loops over a window: written out, or left as loops. The loop over the candidates always stays one.
#if UNROLLED
#define WINDOW_LOOP UNROLL
#else
#define WINDOW_LOOP NO_UNROLL
#endif

// One tap: |right - left|.
int tap(int right, int left) {
  const int difference = right - left;
  return difference < 0 ? -difference : difference;
}

// Does the whole window around a pixel lie in the picture? Elsewhere nothing is computed.
bool is_computed(int x, int y, int width, int height) {
  return x >= RADIUS && x < width - RADIUS && y >= RADIUS && y < height - RADIUS;
}
