// SPDX-License-Identifier: Apache-2.0
// Paper A's first kernel: one work-item per pixel, every tap read from global memory.
#include "sad-streaming/window.h"

__kernel WORK_GROUP(GROUP_W, GROUP_H) void sad_global(PARAMETERS) {
  COUNTERS;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  int best = 0;
  if (is_computed(x, y, width, height)) {
    int best_sad = 0x7FFFFFFF;
    NO_UNROLL for (int d = 0; d < DISPARITIES; ++d) {
      int sad = 0;
      WINDOW_LOOP for (int v = -RADIUS; v <= RADIUS; ++v) {
        WINDOW_LOOP for (int u = -RADIUS; u <= RADIUS; ++u) {
          const int at = (y + v) * PITCH + x + u;
          sad += tap(right[at], left[at + d]);
          COUNT(global_reads);
          COUNT(global_reads);
        }
      }
      if (sad < best_sad) {
        best_sad = sad;
        best = d;
      }
    }
  }
  if (x < width && y < height) disparity[y * width + x] = best;
  STORE_COUNTERS();
}
