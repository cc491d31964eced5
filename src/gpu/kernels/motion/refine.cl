// SPDX-License-Identifier: Apache-2.0
// Half- and quarter-pixel refinement: a group has a block and tries the vector and its eight neighbours at once, then
// those of the best. Equal to reference/motion/refine.cpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef LAMBDA
#define LAMBDA 0  // weight of a vector's bits in J, 0 and up
#endif
#ifndef QUARTERS
#define QUARTERS 1  // 1: quarters of a pixel follow the halves
#endif
// More of them: motion/blocks.h and motion/samples.h.

#include "definitions/motion/pattern.h"
#include "motion/blocks.h"
#include "motion/samples.h"

#define ROWS (8 + TAPS - 1)  // that the samples of a cell need

/// Cost of a cell moved by (dx, dy) quarter pixels.
static inline SUM sampled_cost(const Frames* frames, Region cell, int dx, int dy) {
  const Taps taps = taps_of(dx & 3, dy & 3);
  const int u = cell.x + (dx >> 2), v = cell.y + (dy >> 2);
  int d[64];
  for (int x = 0; x < 8; ++x) {
    int rows[ROWS];
    SPREAD for (int y = 0; y < ROWS; ++y)
      rows[y] = across(frames->reference + row_at(padded(v + y + FIRST_TAP, frames->size.height), frames->size.pitch),
                       u + x, frames->size.width, &taps);
    SPREAD for (int y = 0; y < 8; ++y) {
      d[8 * y + x] = 0;
      if (x < cell.w && y < cell.h)
        d[8 * y + x] =
            (int)frames->current[row_at(cell.y + y, frames->size.pitch) + cell.x + x] - sample_of(rows + y, &taps);
    }
  }
  return cost_of(d, cell.w, cell.h);
}

__kernel WORK_GROUP(GROUP, 1) void refine(__global const PIXEL* restrict current,
                                          __global const PIXEL* restrict reference,
                                          __global const short* restrict predictions, __global short* restrict vectors,
                                          __global uint64* restrict costs, __global uint64* restrict all_j,
                                          GRID_CONSTANT LevelArguments arguments) {
  __local uint64 js[GROUP];
  __local int vs[GROUP];
  __local SUM sums[GROUP];
  const int lane = (int)get_local_id(0), column = (int)get_group_id(0), row = (int)get_group_id(1);
  const int index = row * (int)get_num_groups(0) + column;
  Frames frames;
  frames.current = current, frames.reference = reference;
  frames.size = arguments.frame;
  const int width = arguments.frame.width, height = arguments.frame.height;
  const Region block = region_of(column, row, width, height, 0, width, height);
  const int cells = cell_count(block);
  const int px = arguments.predicted != 0 ? predictions[2 * index] : 0,
            py = arguments.predicted != 0 ? predictions[2 * index + 1] : 0;
  int best_x = vectors[2 * index], best_y = vectors[2 * index + 1];
  uint64 best_j = NO_J;
  for (int distance = 2; distance > (QUARTERS ? 0 : 1); --distance) {
    // The search's vector itself is the ninth point, and the first to be tried.
    const int n = distance == 2 ? 9 : 8, share = sharers(n, cells);
    uint64 my_j = NO_J;
    int my_v = 0;
    for (int first = 0; first < n; first += GROUP / share) {
      const int k = first + lane / share;
      const int x = best_x + (k < 8 ? distance * neighbour_x(k) : 0),
                y = best_y + (k < 8 ? distance * neighbour_y(k) : 0);
      const bool in_range = x >= 4 * arguments.first_x && x <= 4 * arguments.last_x && y >= 4 * arguments.first_y &&
                            y <= 4 * arguments.last_y;
      const bool inside =
          PAD || (is_inside_quarters(block.x, block.w, x, width) && is_inside_quarters(block.y, block.h, y, height));
      const bool tried = k < n && (k == 8 || (in_range && inside));
      SUM mine = 0;
      if (tried)
        for (int cell = lane % share; cell < cells; cell += share)
          mine += sampled_cost(&frames, cell_of(block, cell), x, y);
      const SUM cost = sum_of_sharers(sums, mine, lane, share);
      const uint64 j = tried ? cost + rate_of(LAMBDA, x, y, px, py) : NO_J;
      if (tried && lane % share == 0 && is_better_vector(j, x, y, my_j, x_of(my_v), y_of(my_v)))
        my_j = j, my_v = pack_vector(x, y);
    }
    js[lane] = my_j, vs[lane] = my_v;
    best_of_group(js, vs, lane);
    if (is_better_vector(js[0], x_of(vs[0]), y_of(vs[0]), best_j, best_x, best_y))
      best_j = js[0], best_x = x_of(vs[0]), best_y = y_of(vs[0]);
    GROUP_BARRIER();  // all have read before any of them writes again
  }
  if (lane != 0) return;
  vectors[2 * index] = (short)best_x;
  vectors[2 * index + 1] = (short)best_y;
  costs[index] = best_j - rate_of(LAMBDA, best_x, best_y, px, py);
  all_j[index] = best_j;
}
