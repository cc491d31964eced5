// SPDX-License-Identifier: Apache-2.0
// The device's own limits: multiplications and additions that wait for nothing but themselves, and a copy.
#include "stencil-energy/vector.h"

#define CHAINS 16
#define FACTOR 0.9999f
#define OFFSET 0.0001f

// 2 x CHAINS x WIDTH operations per step and item; every chain ends in `out`, so that none is left out.
__kernel void peak_separate(__global float* restrict out, int steps) {
  Vector chain[CHAINS];
  const int item = (int)get_global_id(0);
  UNROLL for (int i = 0; i < CHAINS; ++i) chain[i] = LOAD_ALIGNED(out + (item * CHAINS + i) * WIDTH);
  for (int step = 0; step < steps; ++step) {
    UNROLL for (int i = 0; i < CHAINS; ++i) chain[i] = FACTOR * chain[i] + OFFSET;
  }
  UNROLL for (int i = 0; i < CHAINS; ++i) STORE(chain[i], out + (item * CHAINS + i) * WIDTH);
}

// The same with one rounding for both, which no stencil here may use.
__kernel void peak_fused(__global float* restrict out, int steps) {
  Vector chain[CHAINS];
  const int item = (int)get_global_id(0);
  UNROLL for (int i = 0; i < CHAINS; ++i) chain[i] = LOAD_ALIGNED(out + (item * CHAINS + i) * WIDTH);
  for (int step = 0; step < steps; ++step) {
    UNROLL for (int i = 0; i < CHAINS; ++i) chain[i] = FUSED(chain[i], FACTOR, OFFSET);
  }
  UNROLL for (int i = 0; i < CHAINS; ++i) STORE(chain[i], out + (item * CHAINS + i) * WIDTH);
}

__kernel void copy_floats(__global const float* restrict in, __global float* restrict out, int count) {
  const int step = (int)get_global_size(0) * WIDTH;
  for (int i = (int)get_global_id(0) * WIDTH; i + WIDTH <= count; i += step) STORE(LOAD_ALIGNED(in + i), out + i);
}
