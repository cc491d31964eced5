// SPDX-License-Identifier: Apache-2.0
// Where a group of prepare.cl keeps what it has of COUNT levels: of level k (counted from the first one of the pass) a
// tile of TILE_W >> k by TILE_H >> k pixels and what lies around it, as far as the smaller levels ask for. Columns and
// rows are counted from the tile's first pixel.
#include "gpu/shared/track/tile.h"

#define PIXEL_BYTES (BYTES ? 1 : 2)
#define CHUNK TILE_CHUNK(PIXEL_BYTES)
// Pixels before and after the tile, of a level and of its rows in local memory.
#define BEFORE(k) TILE_BEFORE(k, COUNT, HALVE)
#define AFTER(k) TILE_AFTER(k, COUNT)
#define ROW_BEFORE(k) TILE_ROW_BEFORE(k, COUNT, HALVE, PIXEL_BYTES)
#define ROW_AFTER(k) TILE_ROW_AFTER(k, COUNT, PIXEL_BYTES)
#define ROW(k) TILE_ROW(k, COUNT, HALVE, TILE_W, PIXEL_BYTES)
#define ROWS(k) TILE_ROWS(k, COUNT, HALVE, TILE_H)
// Pixels of a level, and of all of them.
#define AREA(k) TILE_LEVEL(k, COUNT, HALVE, TILE_W, TILE_H, PIXEL_BYTES)
#define ALL_PIXELS (AREA(0) + AREA(1) + AREA(2) + AREA(3) + TILE_SLACK)

// Of the level after level k: pixels before the tile that are made, all rows, and columns in pairs. There is none
// around what goes straight into a picture.
#define NEXT_BEFORE(k) ((k) + 1 < COUNT ? BEFORE(k + 1) : 0)
#define NEXT_AFTER(k) ((k) + 1 < COUNT ? AFTER(k + 1) : 0)
#define HIGH(k) (NEXT_BEFORE(k) + (TILE_H >> (k + 1)) + NEXT_AFTER(k))
#define PAIRS_BEFORE(k) TILE_WHOLE(NEXT_BEFORE(k), 2)
#define PAIRS(k) (TILE_WHOLE(PAIRS_BEFORE(k) + (TILE_W >> (k + 1)) + NEXT_AFTER(k), 2) / 2)

typedef LOCAL_POINTER PIXEL* Tile;

// Pixels of all levels before level k.
static inline int pixels_before(int k) { return (k > 0 ? AREA(0) : 0) + (k > 1 ? AREA(1) : 0) + (k > 2 ? AREA(2) : 0); }

// The pixel in this column and row of level k.
static inline Tile pixel_of(Tile tiles, int k, int x, int y) {
  return tiles + pixels_before(k) + (y + BEFORE(k)) * ROW(k) + x + ROW_BEFORE(k);
}

static inline bool is_in_tile(int k, int x, int y) {
  return x >= -ROW_BEFORE(k) && x < (TILE_W >> k) + ROW_AFTER(k) && y >= -BEFORE(k) && y < (TILE_H >> k) + AFTER(k);
}

// Whether what lies around the tile of level k goes beyond the picture; `left` and `top` say where the tile lies in it.
static inline bool is_at_edge(int k, Level level, int left, int top) {
  return left < ROW_BEFORE(k) || top < BEFORE(k) || left + (TILE_W >> k) + ROW_AFTER(k) > level.width ||
         top + (TILE_H >> k) + AFTER(k) > level.height;
}

// Sets the pixels beside the picture: no more than two on each side are ever read, and four columns and four rows of
// them to a tile are all there are.
static inline void mirror_edges(Tile tiles, int k, Level level, int left, int top, int item) {
  const int columns = 4 * ROWS(k), all = columns + 4 * ROW(k);
  for (int i = item; i < all; i += THREADS) {
    const int n = i % 4, along = (i < columns ? i : i - columns) / 4;
    const int x = (i >= columns ? left - ROW_BEFORE(k) + along : n < 2 ? n - 2 : level.width + n - 2);
    const int y = (i < columns ? top - BEFORE(k) + along : n < 2 ? n - 2 : level.height + n - 2);
    if (x < -2 || x > level.width + 1 || y < -2 || y > level.height + 1 || !is_in_tile(k, x - left, y - top)) continue;
    const int from_x = mirrored(x, level.width) - left, from_y = mirrored(y, level.height) - top;
    if (is_in_tile(k, from_x, from_y)) *pixel_of(tiles, k, x - left, y - top) = *pixel_of(tiles, k, from_x, from_y);
  }
}
