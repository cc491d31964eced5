// SPDX-License-Identifier: Apache-2.0
// What a group of packed_paths.cl reads, and the strips (packed_tile.h) of its next steps: the tile.
//
//   STRIPS_AHEAD  of a worker's strips, so many are read while it walks the tile before, others when their costs are
//                 due: many fill the registers, few are waited for
#include "stereo/packed_lines.h"
#include "stereo/packed_tile.h"
#ifndef STRIPS_AHEAD
#error "packed_strips needs STRIPS_AHEAD"
#endif

typedef struct {
  __global const WORD* restrict mine;
  __global const WORD* restrict theirs;
  __global const PIXEL* restrict guide;  // the reference picture before the prefilter
  __global VALUE* volume;                // of the path
  __global const VALUE* costs;           // where GIVEN
  __global const uchar* restrict own_mask;
  __global const uchar* restrict other_mask;
  int width, height;
} Pictures;

#if !GIVEN
#define WORKERS (GROUP / STRIP_WORKERS)  // at strips
#define OWN_STRIPS ((LINES + WORKERS - 1) / WORKERS)
#define AHEAD (OWN_STRIPS < STRIPS_AHEAD ? OWN_STRIPS : STRIPS_AHEAD)

// The tile of the steps from a spot on: a strip for each line of rows, else for each step.
typedef struct {
  int left, y;  // of the first strip
  int dx, dy;   // from strip to strip
} Tile;
static ALWAYS_INLINE Tile tile_at(Lines lines, Spot spot) {
  Tile tile = {spot.x, spot.y, lines.dx, lines.dy};
  if (lines.along_row) {
    if (lines.dx < 0) tile.left -= 7;
    tile.dx = 0, tile.dy = 1;
  }
  return tile;
}
static ALWAYS_INLINE int left_of_strip(Tile tile, Lines lines, int strip, int width) {
  return lines.along_row ? tile.left : column_around(tile.left + tile.dx * strip, width, lines.columns);
}
// The i-th of the worker's strips.
static ALWAYS_INLINE void read_in_tile(Strip* strip, Tile tile, Lines lines, int i, Pictures p) {
  const int worker = (int)get_local_id(0) / STRIP_WORKERS, number = min(worker * OWN_STRIPS + i, LINES - 1);
  const int64 row = (int64)clamp(tile.y + tile.dy * number, 0, p.height - 1) * p.width;
  const WordRows rows = {p.mine + row, p.theirs + row};
  read_strip(strip, rows, left_of_strip(tile, lines, number, p.width), p.width);
}
static ALWAYS_INLINE void read_ahead_of_tile(Strip* ahead, Tile tile, Lines lines, Pictures p) {
  UNROLL for (int i = 0; i < AHEAD; ++i) read_in_tile(&ahead[i], tile, lines, i, p);
}
// `ahead`: the worker's first strips, as read_ahead_of_tile() leaves them.
static ALWAYS_INLINE void write_tile(LOCAL_POINTER uint* costs, const Strip* ahead, Tile tile, Lines lines,
                                     Pictures p) {
  const int worker = (int)get_local_id(0) / STRIP_WORKERS;
  UNROLL for (int i = 0; i < OWN_STRIPS; ++i) {
    const int number = worker * OWN_STRIPS + i;
    Strip strip;
    if (i < AHEAD)
      strip = ahead[i];
    else
      read_in_tile(&strip, tile, lines, i, p);
    const int row = clamp(tile.y + tile.dy * number, 0, p.height - 1);
    const Sources sources = sources_of_row(p.own_mask, p.other_mask, row, p.width);
    if (LINES % WORKERS == 0 || number < LINES)
      write_strip(costs + number * STRIP_WORDS, &strip, sources, left_of_strip(tile, lines, number, p.width), p.width,
                  true);
  }
}
// Between what is written to the tile and what is read there. A warp reads of rows what it wrote.
static ALWAYS_INLINE void tile_barrier(Lines lines) {
#if BY_SHUFFLES
  if (lines.along_row && LINES % WORKERS == 0) {
    WARP_BARRIER();
    return;
  }
#endif
  GROUP_BARRIER();
}
#endif
