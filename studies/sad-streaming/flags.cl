// SPDX-License-Identifier: Apache-2.0
// Paper A's centralised loading as it is printed: no barrier, a flag in global memory for each row of a group. The last
// work-item of a row sets it; the row below waits for it before its first work-item replaces a row of local memory.
// OpenCL promises none of what this needs: that work-items of a group advance independently, that a row's last one ends
// last, that groups above are at work. So a wait ends after SPINS looks, and says so.
//   AWAIT_LOADER 0: as printed, a row's work-items do not wait for the one that loads
//                1: they wait for a second flag
//   CHAINED      0: rows wait within their group
//                1: a group's first row waits for the last row of the group above, for which the paper's array has room
//                2: the same with groups numbered from below, so that the one above comes later
#include "sad-streaming/ring.h"
#if !defined(AWAIT_LOADER) || !defined(CHAINED) || !defined(SPINS)
#error "sad_flags needs AWAIT_LOADER (0, 1), CHAINED (0, 1, 2) and SPINS (looks at a flag)"
#endif
#if defined(__CUDA_ARCH__)
#define MEMORY_FENCE() __threadfence()
#else
#define MEMORY_FENCE() mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// Until the flag is set, or the wait is over, or another one's is.
void await(volatile __global int* flag, volatile __global int* failed) {
  int looks = 0;
  while (*flag == 0 && looks < SPINS && *failed == 0) ++looks;
  if (*flag == 0) *failed = 1;
  MEMORY_FENCE();
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void sad_flags(PARAMETERS, volatile __global int* row_done,
                                                     volatile __global int* row_loaded,
                                                     volatile __global int* failed LOCAL_ARGUMENT(PIXEL, tile)) {
  USE_LOCAL_ARGUMENT(PIXEL, tile);
  COUNTERS;
  LOCAL_POINTER PIXEL* const right_tile = tile + TILE_SIZE;
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1);
  const int across = (int)get_num_groups(0), gx = (int)get_group_id(0);
  const int gy = CHAINED == 2 ? (int)get_num_groups(1) - 1 - (int)get_group_id(1) : (int)get_group_id(1);
  const int x = (int)get_global_id(0), y = gy * GROUP_H + ly, flag = y * across + gx;
  const Columns columns = columns_of_group(gx * GROUP_W);
  if (ly > 0 || (CHAINED && y > 0)) await(&row_done[flag - across], failed);
  if (lx == 0) {
    for (int row = ly == 0 ? y - RADIUS : y + RADIUS; row <= y + RADIUS; ++row) {
      load_row(tile, left, row, columns.first, columns.left_count, 0,
               1 COUNTER_ARGUMENT(global_reads) COUNTER_ARGUMENT(local_writes));
      load_row(right_tile, right, row, columns.first, columns.right_count, 0,
               1 COUNTER_ARGUMENT(global_reads) COUNTER_ARGUMENT(local_writes));
    }
    MEMORY_FENCE();
    if (AWAIT_LOADER) row_loaded[flag] = 1;
  }
  if (AWAIT_LOADER && lx > 0) await(&row_loaded[flag], failed);
  int best = 0;
  if (is_computed(x, y, width, height))
    best = search(tile, right_tile, y, x - RADIUS - columns.first COUNTER_ARGUMENT(local_reads));
  MEMORY_FENCE();
  if (lx == GROUP_W - 1) row_done[flag] = 1;
  if (x < width && y < height) disparity[y * width + x] = best;
  STORE_COUNTERS();
}
