// SPDX-License-Identifier: Apache-2.0
// The paper's form: everything in one launch. Its barriers hold back the work-items of one group only, while check and
// fill read what other groups may not have written yet: some pixels differ, and not the same ones each time.
#include "ssd-local-memory/after.h"
#include "ssd-local-memory/ssd.h"

__kernel WORK_GROUP(GROUP_W, GROUP_H) void single(__global const uchar* restrict left,
                                                  __global const uchar* restrict right, __global uchar* left_map,
                                                  __global uchar* right_map, __global uchar* checked,
                                                  __global uchar* filled, int width,
                                                  int height TRAFFIC_PARAMETER TILE_KERNEL_PARAMETER) {
  USE_TILE();
  COUNTERS;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1), at = y * width + x;
  const bool inside = x < width && y < height, valid = is_valid(x, y, width, height);
  const Winners winners = find_winners(left, right, width,
                                       height TILE_ARGUMENT COUNTER_ARGUMENT(global_reads) COUNTER_ARGUMENT(local_reads)
                                           COUNTER_ARGUMENT(local_writes));
  if (inside) {
    left_map[at] = (uchar)winners.left;
    right_map[at] = (uchar)winners.right;
  }
  GLOBAL_BARRIER();
  int grey = 0;
  if (valid) grey = checked_grey(left_map, right_map, x, y, width);
  if (inside) checked[at] = (uchar)grey;
  GLOBAL_BARRIER();
  if (valid && grey == 0) grey = filled_grey(checked, x, y, width, height);
  if (inside) filled[at] = (uchar)grey;
  STORE_COUNTERS();
}
