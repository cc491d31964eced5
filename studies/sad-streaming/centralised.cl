// SPDX-License-Identifier: Apache-2.0
// Paper A's centralised loading: the first work-item of a row of the group brings what the row needs into local memory,
// five rows at the start and one new row for each further row of work-items.
#include "sad-streaming/ring.h"

__kernel WORK_GROUP(GROUP_W, GROUP_H) void sad_centralised(PARAMETERS LOCAL_ARGUMENT(PIXEL, tile)) {
  USE_LOCAL_ARGUMENT(PIXEL, tile);
  COUNTERS;
  LOCAL_POINTER PIXEL* const right_tile = tile + TILE_SIZE;
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1);
  const int x = (int)get_global_id(0), y0 = (int)get_group_id(1) * GROUP_H;
  const Columns columns = columns_of_group((int)get_group_id(0) * GROUP_W);
  int best = 0;
  for (int r = 0; r < GROUP_H; ++r) {
    const int y = y0 + r;
    if (lx == 0 && ly == r) {
      for (int row = r == 0 ? y - RADIUS : y + RADIUS; row <= y + RADIUS; ++row) {
        load_row(tile, left, row, columns.first, columns.left_count, 0,
                 1 COUNTER_ARGUMENT(global_reads) COUNTER_ARGUMENT(local_writes));
        load_row(right_tile, right, row, columns.first, columns.right_count, 0,
                 1 COUNTER_ARGUMENT(global_reads) COUNTER_ARGUMENT(local_writes));
      }
    }
    GROUP_BARRIER();
    if (ly == r && is_computed(x, y, width, height))
      best = search(tile, right_tile, y, x - RADIUS - columns.first COUNTER_ARGUMENT(local_reads));
    // The paper sets a flag when a row is done, and trusts work-items to run in the order of their rows. OpenCL
    // promises no order, so a barrier takes the flag's place: no row of the ring is replaced before the row above has
    // used it.
    if (GROUP_H > 1) GROUP_BARRIER();
  }
  const int y = y0 + ly;
  if (x < width && y < height) disparity[y * width + x] = best;
  STORE_COUNTERS();
}
