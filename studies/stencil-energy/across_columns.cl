// SPDX-License-Identifier: Apache-2.0
// First of two passes, along the columns, as is better for GPUs: neighbouring items read neighbouring vectors of a row,
// and go down together.
#include "stencil-energy/stencil.h"

__kernel void stencil_across_columns(PARAMETERS) {
  const int x = (int)get_global_id(0) * WIDTH, first = (int)get_global_id(1) * strip, last = min(first + strip, height);
  if (x >= width || first >= height) return;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    __global const float* p = in + origin + first * pitch + x;
    __global float* q = out + origin + first * pitch + x;
#define STEP             \
  {                      \
    STORE(across(p), q); \
    p += pitch;          \
    q += pitch;          \
  }
    int y = first;
    NO_UNROLL for (; y + UNROLLED <= last; y += UNROLLED) {
      REPEAT(STEP)
    }
    NO_UNROLL for (; y < last; ++y) STEP
  }
}
