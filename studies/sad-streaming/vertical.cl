// SPDX-License-Identifier: Apache-2.0
// What paper A leaves for later: loading is distributed downwards, too, and a work-item finds the disparities of
// PER_ITEM pixels below each other. The sum of a row of the window is shared by all of them whose window holds that
// row.
#include "sad-streaming/ring.h"
#if !defined(PER_ITEM)
#error "sad_vertical needs PER_ITEM"
#endif
#if TILE_COLUMNS
#error "sad_vertical keeps rows side by side"
#endif

#define HELD (GROUP_H * PER_ITEM + 2 * RADIUS)

// Brings columns from, from + step, ... of all rows that the group needs into local memory; zeros where there are none.
void load_columns(LOCAL_POINTER PIXEL* tile, __global const PIXEL* restrict picture, int top, int first, int count,
                  int from, int step COUNTER_PARAMETER(global_reads) COUNTER_PARAMETER(local_writes)) {
  for (int c = from; c < count; c += step) {
    for (int row = 0; row < HELD; ++row) {
      PIXEL value = 0;
      if (top + row >= 0 && top + row < ROWS) {
        value = picture[(top + row) * PITCH + first + c];
        COUNT(*global_reads);
      }
      tile[TILE_AT(row, c)] = value;
      COUNT(*local_writes);
    }
  }
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void sad_vertical(PARAMETERS LOCAL_ARGUMENT(PIXEL, tile)) {
  USE_LOCAL_ARGUMENT(PIXEL, tile);
  COUNTERS;
  LOCAL_POINTER PIXEL* const right_tile = tile + TILE_SIZE;
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), item = ly * GROUP_W + lx;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1) * PER_ITEM;
  const int top = (int)get_group_id(1) * GROUP_H * PER_ITEM - RADIUS;
  const Columns columns = columns_of_group((int)get_group_id(0) * GROUP_W);
  load_columns(tile, left, top, columns.first, columns.left_count, item,
               GROUP_W * GROUP_H COUNTER_ARGUMENT(global_reads) COUNTER_ARGUMENT(local_writes));
  load_columns(right_tile, right, top, columns.first, columns.right_count, item,
               GROUP_W * GROUP_H COUNTER_ARGUMENT(global_reads) COUNTER_ARGUMENT(local_writes));
  GROUP_BARRIER();

  int best[PER_ITEM], best_sad[PER_ITEM];
  UNROLL for (int i = 0; i < PER_ITEM; ++i) {
    best[i] = 0;
    best_sad[i] = 0x7FFFFFFF;
  }
  if (x >= RADIUS && x < width - RADIUS && y < height) {
    const int column = x - RADIUS - columns.first, own = ly * PER_ITEM;
    NO_UNROLL for (int d = 0; d < DISPARITIES; ++d) {
      int sad[PER_ITEM];
      UNROLL for (int i = 0; i < PER_ITEM; ++i) sad[i] = 0;
      WINDOW_LOOP for (int v = 0; v < PER_ITEM + 2 * RADIUS; ++v) {
        int row = 0;
        WINDOW_LOOP for (int u = 0; u < WINDOW; ++u) {
          row += tap(right_tile[TILE_AT(own + v, column + u)], tile[TILE_AT(own + v, column + u + d)]);
          COUNT(local_reads);
          COUNT(local_reads);
        }
        UNROLL for (int i = 0; i < PER_ITEM; ++i) {
          if (v >= i && v <= i + 2 * RADIUS) sad[i] += row;
        }
      }
      UNROLL for (int i = 0; i < PER_ITEM; ++i) {
        if (sad[i] < best_sad[i]) {
          best_sad[i] = sad[i];
          best[i] = d;
        }
      }
    }
  }
  UNROLL for (int i = 0; i < PER_ITEM; ++i) {
    if (x < width && y + i < height)
      disparity[(y + i) * width + x] = is_computed(x, y + i, width, height) ? best[i] : 0;
  }
  STORE_COUNTERS();
}
