// SPDX-License-Identifier: Apache-2.0
// The two stencils, taken apart into a sum across and a sum down; each operation is rounded by itself, in this order.
// 25 points: the blur 1 4 6 4 1. 9 points: Sobel's gradient across, 1 2 1 down.
//
// Pictures lie in buffers with margins of zeros: two rows above and below, 16 floats at least at either side, so that
// no work-item asks where the picture ends. Rows are `pitch` floats apart, and begin at multiples of 64 bytes.
#include "definitions/imgproc/separable.h"
#include "stencil-energy/vector.h"
#if !defined(POINTS) || !defined(SHUFFLED) || !defined(UNROLLED)
#error \
    "stencil-energy needs POINTS (25, 9), SHUFFLED (0: a load for each tap, 1: aligned loads and shuffles) and UNROLLED"
#endif
#if SHUFFLED && WIDTH == 1
#error "stencil-energy: a single float cannot be shuffled"
#endif

// A step written so many times, one after the other; loops stay as they are written.
#define REPEAT_1(STEP) STEP
#define REPEAT_2(STEP) STEP STEP
#define REPEAT_4(STEP) STEP STEP STEP STEP
#define REPEAT_8(STEP) STEP STEP STEP STEP STEP STEP STEP STEP
#define REPEAT(STEP) PASTE(REPEAT_, UNROLLED)(STEP)

#if POINTS == 25
#define RADIUS 2
#if WIDTH == 1
Vector sum_across(Vector a, Vector b, Vector c, Vector d, Vector e) { return blur_float(a, b, c, d, e); }
#else
Vector sum_across(Vector a, Vector b, Vector c, Vector d, Vector e) {
  return 0.0625f * (((a + e) + 4.0f * (b + d)) + 6.0f * c);
}
#endif
Vector sum_down(Vector a, Vector b, Vector c, Vector d, Vector e) { return sum_across(a, b, c, d, e); }
#else
#define RADIUS 1
Vector sum_across(Vector a, Vector c) { return c - a; }
Vector sum_down(Vector a, Vector b, Vector c) { return (a + c) + 2.0f * b; }
#endif

// The sum across for the vector at p.
#if SHUFFLED
#if POINTS == 25
Vector shuffled_across(Vector before, Vector here, Vector after) {
  return sum_across(TWO_BEFORE(before, here), ONE_BEFORE(before, here), here, ONE_AFTER(here, after),
                    TWO_AFTER(here, after));
}
#else
Vector shuffled_across(Vector before, Vector here, Vector after) {
  return sum_across(ONE_BEFORE(before, here), ONE_AFTER(here, after));
}
#endif
Vector across(__global const float* p) {
  return shuffled_across(LOAD_ALIGNED(p - WIDTH), LOAD_ALIGNED(p), LOAD_ALIGNED(p + WIDTH));
}
#elif POINTS == 25
Vector across(__global const float* p) {
  return sum_across(LOAD(p - 2), LOAD(p - 1), LOAD_ALIGNED(p), LOAD(p + 1), LOAD(p + 2));
}
#else
Vector across(__global const float* p) { return sum_across(LOAD(p - 1), LOAD(p + 1)); }
#endif

// Buffers, the offset of the first pixel, and what an item does: `strip` rows (or columns) of a column (or row) of
// vectors, `repeats` times.
#define PARAMETERS                                                                                               \
  __global const float *restrict in, __global float *restrict out, int origin, int pitch, int width, int height, \
      int strip, int repeats
