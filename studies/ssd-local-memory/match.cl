// SPDX-License-Identifier: Apache-2.0
// First launch of the exact form: the disparities of both views, from one kernel as in the paper.
#include "ssd-local-memory/ssd.h"

__kernel WORK_GROUP(GROUP_W, GROUP_H) void match(__global const uchar* restrict left,
                                                 __global const uchar* restrict right,
                                                 __global uchar* restrict left_map, __global uchar* restrict right_map,
                                                 int width, int height TRAFFIC_PARAMETER TILE_KERNEL_PARAMETER) {
  USE_TILE();
  COUNTERS;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  const Winners winners = find_winners(left, right, width,
                                       height TILE_ARGUMENT COUNTER_ARGUMENT(global_reads) COUNTER_ARGUMENT(local_reads)
                                           COUNTER_ARGUMENT(local_writes));
  if (x < width && y < height) {
    left_map[y * width + x] = (uchar)winners.left;
    right_map[y * width + x] = (uchar)winners.right;
  }
  STORE_COUNTERS();
}
