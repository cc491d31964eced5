// SPDX-License-Identifier: Apache-2.0
// The whole search in one kernel: each work-item has a candidate and sums its 1024 differences. Results lie column by
// column (dx outside), which is the order in which the host looks for the least.
#include "motion-cuda/candidate.h"
#if !defined(GROUP_W) || !defined(GROUP_H)
#error "search needs GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void search_candidates(__global const uchar* restrict block,
                                                             __global const uchar* restrict area,
                                                             __global int* restrict results, int first, PLACE) {
  const int px = (int)get_global_id(0), py = first + (int)get_global_id(1);
#if CONDITION
  if (!is_valid(px, py, x, y, width, height)) {
    results[py * SPAN + px] = SENTINEL;
    return;
  }
#endif
  results[py * SPAN + px] = whole_sad(block, area, px, py);
}
