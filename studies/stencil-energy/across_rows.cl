// SPDX-License-Identifier: Apache-2.0
// First of two passes, along the rows: an item takes vector after vector of a row. With shuffles each vector is loaded
// once, and the one before and the one after stay in registers.
#include "stencil-energy/stencil.h"

__kernel void stencil_across_rows(PARAMETERS) {
  const int y = (int)get_global_id(0), first = (int)get_global_id(1) * strip, last = min(first + strip, width);
  if (y >= height || first >= width) return;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    __global const float* p = in + origin + y * pitch + first;
    __global float* q = out + origin + y * pitch + first;
#if SHUFFLED
    Vector before = LOAD_ALIGNED(p - WIDTH), here = LOAD_ALIGNED(p);
#define STEP                                        \
  {                                                 \
    p += WIDTH;                                     \
    const Vector after = LOAD_ALIGNED(p);           \
    STORE(shuffled_across(before, here, after), q); \
    q += WIDTH;                                     \
    before = here;                                  \
    here = after;                                   \
  }
#else
#define STEP             \
  {                      \
    STORE(across(p), q); \
    p += WIDTH;          \
    q += WIDTH;          \
  }
#endif
    int x = first;
    NO_UNROLL for (; x + UNROLLED * WIDTH <= last; x += UNROLLED * WIDTH) {
      REPEAT(STEP)
    }
    NO_UNROLL for (; x < last; x += WIDTH) STEP
  }
}
