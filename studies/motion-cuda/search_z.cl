// SPDX-License-Identifier: Apache-2.0
// The paper's last full search, its algorithm 1: a group for each of 128x128 candidates. (Its 32 work-items lie in z
// there; here in x, which gives them the same numbers.)
#include "motion-cuda/shared_sad.h"

__kernel WORK_GROUP(LANES, 1) void search_z(__global const uchar* restrict block, __global const uchar* restrict area,
                                            __global int* restrict results, PLACE) {
  __local int sums[LANES];
  const int lane = (int)get_local_id(0), px = (int)get_group_id(0), py = (int)get_group_id(1);
#if CONDITION
  if (!is_valid(px, py, x, y, width, height)) {
    if (lane == 0) results[py * SPAN + px] = SENTINEL;
    return;
  }
#endif
  const int sad = group_sum(share_of_sad(block, area, px, py, lane), sums, lane);
  if (lane == 0) results[py * SPAN + px] = sad;
}
