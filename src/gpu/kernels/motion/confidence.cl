// SPDX-License-Identifier: Apache-2.0
// Confidence of vectors that are final: a group has a block. Equal to reference/motion/confidence.cpp.

#include "definitions/motion/confidence.h"
#include "motion/blocks.h"

/// What the pairs of pixels of the block cost that lie (dx, dy) apart and begin in the cell. SATD takes SAD's measure.
static inline SUM texture(const Frames* frames, Region block, Region cell, int dx, int dy) {
  SUM sum = 0;
  for (int y = cell.y; y < min(cell.y + cell.h, block.y + block.h - dy); ++y)
    for (int x = cell.x; x < min(cell.x + cell.w, block.x + block.w - dx); ++x) {
      const uint difference = magnitude((int)frames->current[row_at(y, frames->size.pitch) + x] -
                                        (int)frames->current[row_at(y + dy, frames->size.pitch) + x + dx]);
      sum += COST == 1 ? (SUM)difference * difference : (SUM)difference;
    }
  return sum;
}

__kernel WORK_GROUP(GROUP,
                    1) void confidence(__global const PIXEL* restrict current, __global const PIXEL* restrict reference,
                                       __global const short* restrict vectors, __global const uint64* restrict costs,
                                       __global uchar* restrict confidences, GRID_CONSTANT FrameArguments arguments) {
  __local SUM sums[3][GROUP];
  const int lane = (int)get_local_id(0), column = (int)get_group_id(0), row = (int)get_group_id(1);
  const int index = row * (int)get_num_groups(0) + column;
  Frames frames;
  frames.current = current, frames.reference = reference;
  frames.size = arguments;
  const Region block = region_of(column, row, arguments.width, arguments.height, 0, arguments.width, arguments.height);
  SUM all[3] = {0, 0, 0};
  for (int i = lane; i < cell_count(block); i += GROUP) {
    const Region cell = cell_of(block, i);
    all[0] += cell_cost(&frames, cell, 0, 0);
    all[1] += texture(&frames, block, cell, 1, 0);
    all[2] += texture(&frames, block, cell, 0, 1);
  }
#if SERIAL
  for (int i = 0; i < 3; ++i) sums[i][lane] = all[i];
  GROUP_BARRIER();
  for (int i = 0; i < 3 && lane == 0; ++i)
    for (int other = 1; other < GROUP; ++other) all[i] += sums[i][other];
#else
  for (int i = 0; i < 3; ++i) all[i] = sum_of_sharers(sums[i], all[i], lane, GROUP);
#endif
  const bool is_zero = vectors[2 * index] == 0 && vectors[2 * index + 1] == 0;
  if (lane == 0) confidences[index] = (uchar)motion_confidence(costs[index], all[0], is_zero, all[1], all[2]);
}
