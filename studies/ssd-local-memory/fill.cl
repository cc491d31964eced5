// SPDX-License-Identifier: Apache-2.0
// Third launch of the exact form: holes get the mean around them, always of the map before filling.
#include "ssd-local-memory/after.h"
#include "ssd-local-memory/ssd.h"

__kernel WORK_GROUP(GROUP_W, GROUP_H) void fill(__global const uchar* restrict checked, __global uchar* restrict filled,
                                                int width, int height) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int grey = checked[y * width + x];
  const bool hole = grey == 0 && is_valid(x, y, width, height);
  filled[y * width + x] = (uchar)(hole ? filled_grey(checked, x, y, width, height) : grey);
}
