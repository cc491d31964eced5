// SPDX-License-Identifier: Apache-2.0
// The filters of the published tracker in one pass, as figure 3 has them: an item goes down a column of vectors. They
// have the scalar program's borders (studies/published/exact_sdvbs.md): sums whose taps leave the picture are 0 after
// each pass. `inside` is a row of ones where columns count and zeros elsewhere, 16 floats before the first column.
#define POINTS 25
#include "stencil-energy/stencil.h"

#define COLUMN                                         \
  const int x = (int)get_global_id(0) * WIDTH;         \
  if (x >= width) return;                              \
  const Vector counts = LOAD_ALIGNED(inside + 16 + x); \
  const Vector zero = LOAD_ALIGNED(in + origin - 2 * pitch + x)

#define FILTER_PARAMETERS                                                                                             \
  __global const float *restrict in, __global const float *restrict inside, __global float *restrict out, int origin, \
      int pitch, int width, int height

__kernel void published_floats(__global const uchar* restrict frame, __global float* restrict out, int origin,
                               int pitch, int width, int height) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x < width && y < height) out[origin + y * pitch + x] = (float)frame[y * width + x];
}

// Whole steps as often as they fit, then one by one.
#define DOWN(first, last, STEP)                               \
  {                                                           \
    int y = first;                                            \
    NO_UNROLL for (; y + UNROLLED <= (last); y += UNROLLED) { \
      REPEAT(STEP)                                            \
    }                                                         \
    NO_UNROLL for (; y < (last); ++y) STEP                    \
  }

// Every sum has at most 24 bits, so that its order does not matter.
__kernel void published_blur(FILTER_PARAMETERS) {
  COLUMN;
  if (height < 5) return;
  __global const float* p = in + origin + 2 * pitch + x;
  __global float* q = out + origin + 2 * pitch + x;
  Vector a = zero, b = zero, c = across(p), d = height > 5 ? across(p + pitch) : zero;
  p += 2 * pitch;
#define BLUR_STEP                              \
  {                                            \
    const Vector e = across(p);                \
    STORE(counts* sum_down(a, b, c, d, e), q); \
    p += pitch;                                \
    q += pitch;                                \
    a = b;                                     \
    b = c;                                     \
    c = d;                                     \
    d = e;                                     \
  }
  DOWN(2, height - 4, BLUR_STEP)
  for (int y = max(2, height - 4); y < height - 2; ++y) {
    STORE(counts * sum_down(a, b, c, d, zero), q);
    q += pitch;
    a = b;
    b = c;
    c = d;
    d = zero;
  }
}

// Minus the derivative across, smoothed down, in the program's order.
__kernel void published_gradient_x(FILTER_PARAMETERS) {
  COLUMN;
  __global const float* p = in + origin + pitch + x;
  __global float* q = out + origin + pitch + x;
#define DIFFERENCE(p) \
  (0.5f *             \
   (ONE_BEFORE(LOAD_ALIGNED((p)-WIDTH), LOAD_ALIGNED(p)) - ONE_AFTER(LOAD_ALIGNED(p), LOAD_ALIGNED((p) + WIDTH))))
  Vector a = zero, b = height > 2 ? DIFFERENCE(p) : zero;
  p += pitch;
#define ACROSS_STEP                                  \
  {                                                  \
    const Vector c = DIFFERENCE(p);                  \
    STORE(counts*(0.25f * ((a + 2.0f * b) + c)), q); \
    p += pitch;                                      \
    q += pitch;                                      \
    a = b;                                           \
    b = c;                                           \
  }
  DOWN(1, height - 2, ACROSS_STEP)
  if (height > 2) STORE(counts * (0.25f * ((a + 2.0f * b) + zero)), q);
}

// Minus the derivative down, smoothed across; a column at the edge has none.
__kernel void published_gradient_y(FILTER_PARAMETERS) {
  COLUMN;
  const Vector counts_before = LOAD_ALIGNED(inside + 16 + x - WIDTH),
               counts_after = LOAD_ALIGNED(inside + 16 + x + WIDTH);
  __global const float* p = in + origin + x;
  __global float* q = out + origin + pitch + x;
  Vector before_a = LOAD_ALIGNED(p - WIDTH), a = LOAD_ALIGNED(p), after_a = LOAD_ALIGNED(p + WIDTH);
  p += pitch;
  Vector before_b = LOAD_ALIGNED(p - WIDTH), b = LOAD_ALIGNED(p), after_b = LOAD_ALIGNED(p + WIDTH);
  p += pitch;
#define DOWN_STEP                                                                                   \
  {                                                                                                 \
    const Vector before_c = LOAD_ALIGNED(p - WIDTH);                                                \
    const Vector c = LOAD_ALIGNED(p);                                                               \
    const Vector after_c = LOAD_ALIGNED(p + WIDTH);                                                 \
    const Vector before = counts_before * (0.5f * (before_a - before_c));                           \
    const Vector here = counts * (0.5f * (a - c));                                                  \
    const Vector after = counts_after * (0.5f * (after_a - after_c));                               \
    STORE(counts*(0.25f * ((ONE_BEFORE(before, here) + 2.0f * here) + ONE_AFTER(here, after))), q); \
    p += pitch;                                                                                     \
    q += pitch;                                                                                     \
    before_a = before_b;                                                                            \
    a = b;                                                                                          \
    after_a = after_b;                                                                              \
    before_b = before_c;                                                                            \
    b = c;                                                                                          \
    after_b = after_c;                                                                              \
  }
  DOWN(1, height - 1, DOWN_STEP)
}
