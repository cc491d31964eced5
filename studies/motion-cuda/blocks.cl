// SPDX-License-Identifier: Apache-2.0
// getBlock and the search area as kernels: both are copied out of frames that lie on the device.
#define CONDITION 0
#include "motion-cuda/candidate.h"
#if !defined(GROUP_W) || !defined(GROUP_H)
#error "blocks needs GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void get_block(__global const uchar* restrict frame,
                                                     __global uchar* restrict block, PLACE) {
  const int j = (int)get_global_id(0), i = (int)get_global_id(1);
  if (j < BLOCK && i < BLOCK) block[i * BLOCK + j] = frame[(y + i) * width + x + j];
}

// Zeros where the area leaves the frame.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void get_area(__global const uchar* restrict frame, __global uchar* restrict area,
                                                    PLACE) {
  const int j = (int)get_global_id(0), i = (int)get_global_id(1);
  const int u = x - REACH + j, v = y - REACH + i;
  const bool inside = u >= 0 && u < width && v >= 0 && v < height;
  if (j < AREA && i < AREA) area[i * AREA + j] = inside ? frame[v * width + u] : (uchar)0;
}
