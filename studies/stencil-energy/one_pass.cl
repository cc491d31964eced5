// SPDX-License-Identifier: Apache-2.0
// Both passes at once: an item goes down a column of vectors; the sums across of the rows that it needs again stay in
// registers, and no picture lies between.
#include "stencil-energy/stencil.h"

__kernel void stencil_one_pass(PARAMETERS) {
  const int x = (int)get_global_id(0) * WIDTH, first = (int)get_global_id(1) * march, last = min(first + march, height);
  if (x >= width || first >= height) return;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    __global const float* p = in + origin + (first - RADIUS) * pitch + x;
    __global float* q = out + origin + first * pitch + x;
    Vector a = across(p), b = across(p + pitch);
#if POINTS == 25
    Vector c = across(p + 2 * pitch), d = across(p + 3 * pitch);
#define STEP                           \
  {                                    \
    const Vector e = across(p);        \
    STORE(sum_down(a, b, c, d, e), q); \
    p += pitch;                        \
    q += pitch;                        \
    a = b;                             \
    b = c;                             \
    c = d;                             \
    d = e;                             \
  }
#else
#define STEP                     \
  {                              \
    const Vector c = across(p);  \
    STORE(sum_down(a, b, c), q); \
    p += pitch;                  \
    q += pitch;                  \
    a = b;                       \
    b = c;                       \
  }
#endif
    p += 2 * RADIUS * pitch;
    int y = first;
    NO_UNROLL for (; y + UNROLLED <= last; y += UNROLLED) {
      REPEAT(STEP)
    }
    NO_UNROLL for (; y < last; ++y) STEP
  }
}
