// SPDX-License-Identifier: Apache-2.0
// The paper's first kernel, launched once per candidate: 32 groups of 32 work-items, one difference each. A group sums
// its row of the block; the host adds the 32 sums.
#include "motion-cuda/candidate.h"

__kernel WORK_GROUP(BLOCK, 1) void sad_rows(__global const uchar* restrict block, __global const uchar* restrict area,
                                            __global int* restrict partial, int px, int py, PLACE) {
  __local int sums[BLOCK];
  const int j = (int)get_local_id(0), i = (int)get_group_id(1);
#if CONDITION
  if (!is_valid(px, py, x, y, width, height)) {
    if (j == 0) partial[i] = SENTINEL;
    return;
  }
#endif
  sums[j] = distance(block[i * BLOCK + j], area[(px + i) * AREA + py + j]);
  for (int half_count = BLOCK / 2; half_count > 0; half_count /= 2) {
    GROUP_BARRIER();
    if (j < half_count) sums[j] += sums[j + half_count];
  }
  if (j == 0) partial[i] = sums[0];
}
