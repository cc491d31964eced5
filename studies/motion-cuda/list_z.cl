// SPDX-License-Identifier: Apache-2.0
// Candidates of a list about a centre, a group for each: a zone of the test-zone search. The list holds row and column
// of each; those that may not be used leave a sentinel.
#include "motion-cuda/shared_sad.h"

__kernel WORK_GROUP(LANES, 1) void list_z(__global const uchar* restrict block, __global const uchar* restrict area,
                                          __global int* restrict results, __global const int* restrict list,
                                          int centre_px, int centre_py, PLACE) {
  __local int sums[LANES];
  const int lane = (int)get_local_id(0), i = (int)get_group_id(0);
  const int px = centre_px + list[2 * i], py = centre_py + list[2 * i + 1];
  if (!is_reached(px, py) || !is_valid(px, py, x, y, width, height)) {
    if (lane == 0) results[i] = SENTINEL;
    return;
  }
  const int sad = group_sum(share_of_sad(block, area, px, py, lane), sums, lane);
  if (lane == 0) results[i] = sad;
}
