// SPDX-License-Identifier: Apache-2.0
// The local memory of a group of prepare.cl: of each of `count` levels (k is counted from the first one of the pass) a
// tile of width >> k by height >> k pixels and what lies around it, as far as the smaller levels ask for. `halve` is 1
// where the pass makes one more level than it prepares.
#ifndef VERGENCE_GPU_SHARED_TRACK_TILE_H
#define VERGENCE_GPU_SHARED_TRACK_TILE_H

// Pixels before and after the tile. A level's gradients ask for one, its next level's pixel m for 2 m - 2 .. 2 m + 2.
#define TILE_BEFORE(k, count, halve) ((((halve) ? 4 : 3) << ((count)-1 - (k))) - 2)
#define TILE_AFTER(k, count) ((2 << ((count)-1 - (k))) - 1)
// A row begins and ends with whole fours of pixels, level 0's with whole chunks of 16 bytes.
#define TILE_CHUNK(pixel_bytes) (16 / (pixel_bytes))
#define TILE_UNIT(k, pixel_bytes) ((k) == 0 ? TILE_CHUNK(pixel_bytes) : 4)
#define TILE_WHOLE(pixels, unit) (((pixels) + (unit)-1) / (unit) * (unit))
#define TILE_ROW_BEFORE(k, count, halve, pixel_bytes) \
  TILE_WHOLE(TILE_BEFORE(k, count, halve), TILE_UNIT(k, pixel_bytes))
#define TILE_ROW_AFTER(k, count, pixel_bytes) TILE_WHOLE(TILE_AFTER(k, count), TILE_UNIT(k, pixel_bytes))

/// Pixels from row to row of level k.
#define TILE_ROW(k, count, halve, width, pixel_bytes) \
  (TILE_ROW_BEFORE(k, count, halve, pixel_bytes) + ((width) >> (k)) + TILE_ROW_AFTER(k, count, pixel_bytes))
#define TILE_ROWS(k, count, halve, height) (TILE_BEFORE(k, count, halve) + ((height) >> (k)) + TILE_AFTER(k, count))
/// Pixels of level k.
#define TILE_LEVEL(k, count, halve, width, height, pixel_bytes) \
  ((k) < (count) ? TILE_ROW(k, count, halve, width, pixel_bytes) * TILE_ROWS(k, count, halve, height) : 0)
/// Reads go up to two fours beyond the last row.
#define TILE_SLACK 8

#endif
