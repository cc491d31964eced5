// SPDX-License-Identifier: Apache-2.0
// Census words of the prepared pixels of two pictures; rows and columns beyond the border repeat the last one.
//
//   PREPARED, WORD, CENSUS_W, CENSUS_H, SYMMETRIC  census_word.h
//   TILED               1: a group's pixels lie in local memory, 2 DOWN times as many rows as the group has, and a
//                       work-item has two columns of DOWN pixels and compares those of both at once; pixels are bytes,
//                       GROUP_W is a multiple of 4
//                       0: pixels are read where they are
#include "gpu/shared/picture.h"
#include "packed.h"
#include "stereo/census_word.h"
#if !defined(GROUP_W) || !defined(GROUP_H) || !defined(TILED)
#error "census needs GROUP_W, GROUP_H and TILED"
#endif
#if TILED
#if !defined(DOWN) || GROUP_W % 4 != 0
#error "census in tiles needs DOWN, and a GROUP_W that is a multiple of 4"
#endif
#define MARGIN 4  // left and right of the group's pixels, so that whole words of a picture's row lie in the tile
#define TILE_W (GROUP_W + 2 * MARGIN)
#define ROWS (2 * GROUP_H * DOWN)
#define TILE_H (ROWS + CENSUS_H - 1)

// All of the group call it. A pixel of the tile has the form that push_greater compares.
static ALWAYS_INLINE void read_tile(LOCAL_POINTER ushort* tile, __global const uchar* restrict in, int left, int top,
                                    int width, int height, int thread) {
  const bool whole_words =
      left >= MARGIN && left + GROUP_W + MARGIN <= width && (width & 3) == 0 && ((size_t)in & 3) == 0;
  if (whole_words) {
    for (int i = thread; i < TILE_W / 4 * TILE_H; i += GROUP_W * GROUP_H) {
      const int x = left - MARGIN + i % (TILE_W / 4) * 4, y = clamp(top - ABOVE + i / (TILE_W / 4), 0, height - 1);
      const uint four = *(__global const uint*)(in + (int64)y * width + x);
      const uint2 pairs = {pick_bytes(four, COMPARABLE, 0x4140), pick_bytes(four, COMPARABLE, 0x4342)};
      ((LOCAL_POINTER uint2*)tile)[i] = pairs;
    }
    return;
  }
  for (int i = thread; i < TILE_W * TILE_H; i += GROUP_W * GROUP_H)
    tile[i] =
        (ushort)(pixel_at(in, left - MARGIN + i % TILE_W, top - ABOVE + i / TILE_W, width, height) | COMPARABLE << 8);
}

// Pixels of an even column of a row of the tile and of the next column, dx further right.
static ALWAYS_INLINE uint pair_at(LOCAL_POINTER const ushort* row, int dx) {
  LOCAL_POINTER const uint* words = (LOCAL_POINTER const uint*)row + (dx >> 1);
  return (dx & 1) == 0 ? words[0] : pick_bytes(words[0], words[1], BYTES_FROM(2));
}

// Taps of both columns come in the order of their bits, the highest one first; eight of them are in eights[bit / 8].
static ALWAYS_INLINE void push_tap(uint* eights, int tap, uint neighbour, uint other) {
  const int bit = TAPS - 1 - tap, first = min(bit / 8 * 8 + 7, TAPS - 1);
  const uint before = bit == first ? NO_BITS(first % 8 + 1) : eights[bit / 8];
  eights[bit / 8] = push_greater(before, neighbour, other);
}

// Of the pixel at `centre` in the tile and of the one to its right, and of those below them.
static ALWAYS_INLINE void compare_taps(uint eights[DOWN][8], LOCAL_POINTER const ushort* centre) {
#if SYMMETRIC
  UNROLL for (int i = 0; i < DOWN; ++i)
    UNROLL for (int tap = 0; tap < TAPS; ++tap) {
      const int dx = tap % CENSUS_W - LEFT, dy = tap / CENSUS_W - ABOVE;
      push_tap(eights[i], tap, pair_at(centre + (i + dy) * TILE_W, dx), pair_at(centre + (i - dy) * TILE_W, -dx));
    }
#else
  uint centres[DOWN];
  UNROLL for (int i = 0; i < DOWN; ++i) centres[i] = pair_at(centre + i * TILE_W, 0);
  UNROLL for (int row = 0; row < DOWN + CENSUS_H - 1; ++row)
    UNROLL for (int column = 0; column < CENSUS_W; ++column) {
      const uint neighbour = pair_at(centre + (row - ABOVE) * TILE_W, column - LEFT);
      UNROLL for (int i = 0; i < DOWN; ++i) {
        const int raster = (row - i) * CENSUS_W + column, middle = CENSUS_H / 2 * CENSUS_W + LEFT;
        if (row >= i && row < i + CENSUS_H && raster != middle)
          push_tap(eights[i], raster - (raster > middle ? 1 : 0), neighbour, centres[i]);
      }
    }
#endif
}

// Words of two neighbours, to a place that has the pair's alignment where `together`.
static ALWAYS_INLINE void write_pair(__global WORD* restrict out, const uint* eights, bool has_second, bool together) {
  uint two[4];
  UNROLL for (int i = 0; i < 4; ++i) two[i] = pick_bytes(eights[2 * i], eights[2 * i + 1], 0x6240);
  const uint first = pick_bytes(two[0], two[1], LOW_HALVES), second = pick_bytes(two[0], two[1], HIGH_HALVES);
#if !SYMMETRIC && CENSUS_W * CENSUS_H > 33
  const uint first_high = pick_bytes(two[2], two[3], LOW_HALVES), second_high = pick_bytes(two[2], two[3], HIGH_HALVES);
  if (together) {
    const uint4 both = {first, first_high, second, second_high};
    *(__global uint4*)out = both;
    return;
  }
  out[0] = (uint64)first_high << 32 | first;
  if (has_second) out[1] = (uint64)second_high << 32 | second;
#else
  if (together) {
    const uint2 both = {first, second};
    *(__global uint2*)out = both;
    return;
  }
  out[0] = first;
  if (has_second) out[1] = second;
#endif
}
#endif

// The first picture's groups have number 0 in the third dimension.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void census(__global const PREPARED* restrict first,
                                                  __global WORD* restrict first_out,
                                                  __global const PREPARED* restrict second,
                                                  __global WORD* restrict second_out,
                                                  const PictureArguments arguments) {
  const int thread = (int)(get_local_id(1) * GROUP_W + get_local_id(0));
  __global const PREPARED* restrict in = get_group_id(2) == 0 ? first : second;
  __global WORD* restrict out = get_group_id(2) == 0 ? first_out : second_out;
  const int width = arguments.width, height = arguments.height;
#if TILED
  __local ushort ALIGN_16 tile[TILE_W * TILE_H];
  const int left = (int)get_group_id(0) * GROUP_W, top = (int)get_group_id(1) * ROWS;
  read_tile(tile, in, left, top, width, height, thread);
  GROUP_BARRIER();
  const int column = thread % (GROUP_W / 2) * 2, row = thread / (GROUP_W / 2) * DOWN, x = left + column;
  if (x >= width || top + row >= height) return;
  uint eights[DOWN][8];
  UNROLL for (int i = 0; i < DOWN * 8; ++i) eights[i / 8][i % 8] = 0;
  compare_taps(eights, tile + (row + ABOVE) * TILE_W + column + MARGIN);
  UNROLL for (int i = 0; i < DOWN; ++i) {
    const int y = top + row + i;
    if (y < height) write_pair(out + (int64)y * width + x, eights[i], x + 1 < width, (width & 1) == 0);
  }
#else
  const int x = (int)get_group_id(0) * GROUP_W + thread % GROUP_W,
            y = (int)get_group_id(1) * GROUP_H + thread / GROUP_W;
  if (x >= width || y >= height) return;
  out[(int64)y * width + x] = census_word(in, x, y, width, height);
#endif
}
