// SPDX-License-Identifier: Apache-2.0
// What the kernels of this study share: where pixels are read from, and the winners of both views.
#include "common/counters.h"
#if !defined(RADIUS) || !defined(DISPARITIES) || !defined(GROUP_W) || !defined(GROUP_H) || !defined(MEMORY)
#error "ssd-local-memory needs RADIUS, DISPARITIES, GROUP_W, GROUP_H and MEMORY (0 none, 1 bytes, 2 uchar4)"
#endif

// A group's part of a picture in local memory, by the paper's formula.
#define SPAN_W (GROUP_W + 2 * RADIUS + DISPARITIES)
#define SPAN_H (GROUP_H + 2 * RADIUS)

#if MEMORY == 0
#define SPACE __global
#define TEXEL uchar
#define VALUE(texel) ((int)(texel))
#define TILE_PARAMETER
#define TILE_ARGUMENT
#define TILE_KERNEL_PARAMETER
#define USE_TILE()
#define COUNT_TAP() COUNT(*global_reads)
#else
#define SPACE LOCAL_POINTER
#if MEMORY == 1
#define TEXEL uchar
#define VALUE(texel) ((int)(texel))
#define PUT(texel, value) texel = value
#else
// The paper's remedy for bank conflicts: a pixel is the first byte of four, the others stay empty.
#define TEXEL uchar4
#define VALUE(texel) ((int)(texel).x)
#define PUT(texel, value) (texel).x = value
#endif
#define TILE_PARAMETER , LOCAL_POINTER TEXEL* tile
#define TILE_ARGUMENT , tile
#define TILE_KERNEL_PARAMETER LOCAL_ARGUMENT(TEXEL, tile)
#define USE_TILE() USE_LOCAL_ARGUMENT(TEXEL, tile)
#define COUNT_TAP() COUNT(*local_reads)

// Brings the part of a picture that begins at (first_x, first_y) into local memory, zeros where there is no picture.
void load_tile(LOCAL_POINTER TEXEL* tile, __global const uchar* picture, int first_x, int first_y, int width,
               int height COUNTER_PARAMETER(global_reads) COUNTER_PARAMETER(local_writes)) {
  const int item = (int)get_local_id(1) * GROUP_W + (int)get_local_id(0);
  for (int i = item; i < SPAN_W * SPAN_H; i += GROUP_W * GROUP_H) {
    const int x = first_x + i % SPAN_W, y = first_y + i / SPAN_W;
    uchar value = 0;
    if (x >= 0 && x < width && y >= 0 && y < height) {
      value = picture[y * width + x];
      COUNT(*global_reads);
    }
    PUT(tile[i], value);
    COUNT(*local_writes);
  }
}
#endif

// Is the window around a pixel whole? Elsewhere every map is 0.
bool is_valid(int x, int y, int width, int height) {
  return x >= RADIUS && x < width - RADIUS && y >= RADIUS && y < height - RADIUS;
}

// The candidate with the smallest sum of squared differences, the lowest of equals. `mine` and `theirs` are the pixels
// in the middle of the windows of candidate 0; each further candidate lies `step` pixels on.
int winner(SPACE const TEXEL* mine, SPACE const TEXEL* theirs, int pitch, int count,
           int step COUNTER_PARAMETER(global_reads) COUNTER_PARAMETER(local_reads)) {
  uint best_cost = 0xFFFFFFFFu;
  int best = 0;
  for (int d = 0; d < count; ++d) {
    uint cost = 0;
    for (int v = -RADIUS; v <= RADIUS; ++v) {
      for (int u = -RADIUS; u <= RADIUS; ++u) {
        const int difference = VALUE(mine[v * pitch + u]) - VALUE(theirs[v * pitch + u + step * d]);
        cost += (uint)(difference * difference);
        COUNT_TAP();
        COUNT_TAP();
      }
    }
    if (cost < best_cost) {
      best_cost = cost;
      best = d;
    }
  }
  return best;
}

typedef struct {
  int left, right;
} Winners;

// The disparities of left pixel (x, y) and of right pixel (x, y); candidates whose window leaves the picture are left
// out.
Winners find_winners(__global const uchar* left, __global const uchar* right, int width,
                     int height TILE_PARAMETER COUNTER_PARAMETER(global_reads) COUNTER_PARAMETER(local_reads)
                         COUNTER_PARAMETER(local_writes)) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  Winners winners;
  winners.left = 0;
  winners.right = 0;
#if MEMORY == 0
  const int pitch = width;
  __global const uchar* const left_at = left + y * width + x;
  __global const uchar* const right_at = right + y * width + x;
#else
  // The left part reaches to the right by all candidates, the right part to the left.
  const int pitch = SPAN_W, lx = (int)get_local_id(0), ly = (int)get_local_id(1);
  LOCAL_POINTER TEXEL* const right_tile = tile + SPAN_W * SPAN_H;
  load_tile(tile, left, x - lx - RADIUS, y - ly - RADIUS, width,
            height COUNTER_FORWARD(global_reads) COUNTER_FORWARD(local_writes));
  load_tile(right_tile, right, x - lx - RADIUS - DISPARITIES, y - ly - RADIUS, width,
            height COUNTER_FORWARD(global_reads) COUNTER_FORWARD(local_writes));
  GROUP_BARRIER();
  SPACE const TEXEL* const left_at = tile + (ly + RADIUS) * SPAN_W + lx + RADIUS;
  SPACE const TEXEL* const right_at = right_tile + (ly + RADIUS) * SPAN_W + lx + RADIUS + DISPARITIES;
#endif
  if (is_valid(x, y, width, height)) {
    winners.left = winner(left_at, right_at, pitch, min(DISPARITIES, x - RADIUS + 1),
                          -1 COUNTER_FORWARD(global_reads) COUNTER_FORWARD(local_reads));
    winners.right = winner(right_at, left_at, pitch, min(DISPARITIES, width - RADIUS - x),
                           1 COUNTER_FORWARD(global_reads) COUNTER_FORWARD(local_reads));
  }
  return winners;
}
