// SPDX-License-Identifier: Apache-2.0
// A round of the step search: GRID x GRID candidates about a centre, each by one work-item of the only group.
#include "motion-cuda/candidate.h"
#if !defined(GRID)
#error "step needs GRID (3, 7, 13 or 15)"
#endif

__kernel WORK_GROUP(GRID, GRID) void step_candidates(__global const uchar* restrict block,
                                                     __global const uchar* restrict area,
                                                     __global int* restrict results, int centre_px, int centre_py,
                                                     int spacing, PLACE) {
  const int column = (int)get_local_id(1), row = (int)get_local_id(0);
  const int px = centre_px + (row - GRID / 2) * spacing, py = centre_py + (column - GRID / 2) * spacing;
  const bool is_candidate = is_reached(px, py) && is_valid(px, py, x, y, width, height);
  results[column * GRID + row] = is_candidate ? whole_sad(block, area, px, py) : SENTINEL;
}
