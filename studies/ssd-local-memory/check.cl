// SPDX-License-Identifier: Apache-2.0
// Second launch of the exact form: cross-check. It reads the other view's map wherever a disparity leads, so that all
// of it has to be there.
#include "ssd-local-memory/after.h"
#include "ssd-local-memory/ssd.h"

__kernel WORK_GROUP(GROUP_W, GROUP_H) void check(__global const uchar* restrict left_map,
                                                 __global const uchar* restrict right_map,
                                                 __global uchar* restrict checked, int width, int height) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  checked[y * width + x] =
      is_valid(x, y, width, height) ? (uchar)checked_grey(left_map, right_map, x, y, width) : (uchar)0;
}
