// SPDX-License-Identifier: Apache-2.0
// A kernel, named by the macro SLIDING_WINDOW: an item goes down a column of vectors, ROW_AT(p) each, and keeps those
// that it needs again in registers.
#if !defined(SLIDING_WINDOW) || !defined(ROW_AT)
#error "sliding_window.h needs SLIDING_WINDOW and ROW_AT"
#endif

__kernel void SLIDING_WINDOW(PARAMETERS) {
  const int x = (int)get_global_id(0) * WIDTH, first = (int)get_global_id(1) * strip, last = min(first + strip, height);
  if (x >= width || first >= height) return;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    __global const float* p = in + origin + (first - RADIUS) * pitch + x;
    __global float* q = out + origin + first * pitch + x;
    Vector a = ROW_AT(p), b = ROW_AT(p + pitch);
#if POINTS == 25
    Vector c = ROW_AT(p + 2 * pitch), d = ROW_AT(p + 3 * pitch);
#define STEP                           \
  {                                    \
    const Vector e = ROW_AT(p);        \
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
    const Vector c = ROW_AT(p);  \
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
