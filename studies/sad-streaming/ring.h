// SPDX-License-Identifier: Apache-2.0
// Local memory as a ring of WINDOW rows of each picture: a new row takes the oldest one's place. The host sizes it; the
// left picture's ring lies first.
#include "sad-streaming/window.h"
#if !defined(TILE_COLUMNS) || !defined(TILE_PITCH) || !defined(TILE_SIZE)
#error \
    "sad-streaming needs TILE_COLUMNS (0: rows side by side, 1: columns), TILE_PITCH and TILE_SIZE (elements of one ring)"
#endif

#if TILE_COLUMNS
#define TILE_AT(row, column) ((column)*TILE_PITCH + (row))
#else
#define TILE_AT(row, column) ((row)*TILE_PITCH + (column))
#endif

// The columns of both pictures that a group needs: `first` .. `first + count - 1`, within the padded picture.
typedef struct {
  int first, left_count, right_count;
} Columns;

Columns columns_of_group(int x0) {
  Columns columns;
  columns.first = max(x0 - RADIUS, 0);
  columns.left_count = min(x0 + GROUP_W + RADIUS + DISPARITIES - 1, PITCH) - columns.first;
  columns.right_count = min(x0 + GROUP_W + RADIUS, PITCH) - columns.first;
  return columns;
}

// Brings columns from, from + step, ... of row `row` into the ring.
void load_row(LOCAL_POINTER PIXEL* ring, __global const PIXEL* restrict picture, int row, int first, int count,
              int from, int step COUNTER_PARAMETER(global_reads) COUNTER_PARAMETER(local_writes)) {
  if (row < 0 || row >= ROWS) return;
  const int place = row % WINDOW;
  for (int c = from; c < count; c += step) {
    ring[TILE_AT(place, c)] = picture[row * PITCH + first + c];
    COUNT(*global_reads);
    COUNT(*local_writes);
  }
}

// The winner of the pixel whose window begins at column `column` of the ring, in picture row y - RADIUS.
int search(LOCAL_POINTER const PIXEL* left, LOCAL_POINTER const PIXEL* right, int y,
           int column COUNTER_PARAMETER(local_reads)) {
  const int oldest = (y - RADIUS) % WINDOW;
  int best = 0, best_sad = 0x7FFFFFFF;
  NO_UNROLL for (int d = 0; d < DISPARITIES; ++d) {
    int sad = 0;
    WINDOW_LOOP for (int v = 0; v < WINDOW; ++v) {
      const int place = oldest + v < WINDOW ? oldest + v : oldest + v - WINDOW;
      WINDOW_LOOP for (int u = 0; u < WINDOW; ++u) {
        sad += tap(right[TILE_AT(place, column + u)], left[TILE_AT(place, column + u + d)]);
        COUNT(*local_reads);
        COUNT(*local_reads);
      }
    }
    if (sad < best_sad) {
      best_sad = sad;
      best = d;
    }
  }
  return best;
}
