// SPDX-License-Identifier: Apache-2.0
// The published tracker's level 1: the blur at every second pixel of level 0 from 2 on. An item goes down a column; its
// taps are two floats apart, so that there are no vectors.
#include "definitions/imgproc/separable.h"

static inline float taps(__global const float* p) { return blur_float(p[0], p[1], p[2], p[3], p[4]); }

// Of level 0: origin, pitch, width, height; of level 1 its own.
__kernel void published_half(__global const float* restrict in, __global float* restrict out, int origin, int pitch,
                             int width, int height, int half_origin, int half_pitch) {
  const int m = (int)get_global_id(0), last = height - 2;
  if (2 * m + 2 >= width - 2) return;
  __global const float* p = in + origin + 2 * m;
  __global float* q = out + half_origin + m;
#define ROW(y) ((y) >= 2 && (y) < last ? taps(p + (y)*pitch) : 0.0f)
  float a = ROW(0), b = ROW(1), c = ROW(2);
  for (int y = 2; y < last; y += 2) {
    const float d = ROW(y + 1), e = ROW(y + 2);
    *q = blur_float(a, b, c, d, e);
    q += half_pitch;
    a = c;
    b = d;
    c = e;
  }
}
