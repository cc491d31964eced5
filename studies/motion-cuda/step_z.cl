// SPDX-License-Identifier: Apache-2.0
// A round of the step search, the paper's algorithm 2: a group of 32 or 256 work-items for each of GRID x GRID
// candidates.
#include "motion-cuda/shared_sad.h"
#if !defined(GRID)
#error "step_z needs GRID (3, 7, 13 or 15)"
#endif

__kernel WORK_GROUP(LANES, 1) void step_z(__global const uchar* restrict block, __global const uchar* restrict area,
                                          __global int* restrict results, int centre_px, int centre_py, int spacing,
                                          PLACE) {
  __local int sums[LANES];
  const int lane = (int)get_local_id(0), row = (int)get_group_id(0), column = (int)get_group_id(1);
  const int px = centre_px + (row - GRID / 2) * spacing, py = centre_py + (column - GRID / 2) * spacing;
  if (!is_reached(px, py) || !is_valid(px, py, x, y, width, height)) {
    if (lane == 0) results[column * GRID + row] = SENTINEL;
    return;
  }
  const int sad = group_sum(share_of_sad(block, area, px, py, lane), sums, lane);
  if (lane == 0) results[column * GRID + row] = sad;
}
