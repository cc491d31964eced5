// SPDX-License-Identifier: Apache-2.0
// What the kernels of this study share: the paper's constants, one tap, and counters of what is read and written.
#if !defined(PIXEL) || !defined(RADIUS) || !defined(DISPARITIES) || !defined(UNROLLED) || !defined(COUNTED)
#error "sad-streaming needs PIXEL (int or uchar), RADIUS, DISPARITIES, UNROLLED (0, 1) and COUNTED (0, 1)"
#endif
#if !defined(PITCH) || !defined(ROWS) || !defined(GROUP_W) || !defined(GROUP_H)
#error "sad-streaming needs PITCH and ROWS (the padded picture), GROUP_W and GROUP_H"
#endif

#define WINDOW (2 * RADIUS + 1)

// The loops over a window: written out, or left as loops. The loop over the candidates always stays one.
#if UNROLLED
#define WINDOW_LOOP UNROLL
#else
#define WINDOW_LOOP NO_UNROLL
#endif

// With COUNTED, each work-item counts what it reads and writes, and leaves three numbers in `traffic`.
#if COUNTED
#define TRAFFIC_PARAMETER , __global uint* restrict traffic
#define COUNTERS uint global_reads = 0, local_reads = 0, local_writes = 0
#define COUNT(counter) ++counter
#define COUNTER_PARAMETER(name) , uint* name
#define COUNTER_ARGUMENT(name) , &name
#define STORE_COUNTERS() \
  { \
    const uint item = get_global_id(1) * get_global_size(0) + get_global_id(0); \
    traffic[3 * item] = global_reads; \
    traffic[3 * item + 1] = local_reads; \
    traffic[3 * item + 2] = local_writes; \
  }
#else
#define TRAFFIC_PARAMETER
#define COUNTERS
#define COUNT(counter)
#define COUNTER_PARAMETER(name)
#define COUNTER_ARGUMENT(name)
#define STORE_COUNTERS()
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
