// SPDX-License-Identifier: Apache-2.0
// Census words of the prepared pixels of two pictures; rows and columns beyond the border repeat the last one.
//
//   PREPARED            type of pixels: uchar or ushort
//   WORD                holds all bits, of which there are as many as neighbours, or pairs of them: uint or uint64
//   CENSUS_W, CENSUS_H  the window, px: 5 x 5 or 9 x 7
//   SYMMETRIC           1: compares neighbours that lie opposite each other, 0: each neighbour with the centre
//   TILED               1: a group's pixels lie in local memory, twice as many rows as the group has, and a work-item
//                       compares those of two neighbours at once; pixels are bytes, GROUP_W is even
//                       0: pixels are read where they are
#include "definitions/stereo/census.h"
#include "gpu/shared/picture.h"
#include "packed.h"
#if !defined(PREPARED) || !defined(WORD) || !defined(CENSUS_W) || !defined(CENSUS_H) || !defined(SYMMETRIC)
#error "census needs PREPARED, WORD, CENSUS_W, CENSUS_H and SYMMETRIC"
#endif
#if !defined(GROUP_W) || !defined(GROUP_H) || !defined(TILED)
#error "census needs GROUP_W, GROUP_H and TILED"
#endif
#define LEFT (CENSUS_W / 2)
#define ABOVE (CENSUS_H / 2)
#define TILE_W (GROUP_W + CENSUS_W - 1)
#define ROWS (2 * GROUP_H)
#define TILE_H (ROWS + CENSUS_H - 1)
#define TAPS (SYMMETRIC ? CENSUS_W * CENSUS_H / 2 : CENSUS_W * CENSUS_H - 1)

static ALWAYS_INLINE PREPARED pixel_at(__global const PREPARED* restrict in, int x, int y, int width, int height) {
  return in[(int64)clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

#if TILED
// Pixels of an even column of a row of the tile and of the next column, dx further right.
static ALWAYS_INLINE uint pair_at(LOCAL_POINTER const ushort* row, int dx) {
  LOCAL_POINTER const uint* words = (LOCAL_POINTER const uint*)row + (dx >> 1);
  return (dx & 1) == 0 ? words[0] : pick_bytes(words[0], words[1], BYTES_FROM(2));
}

// The words of the pixels at `centre` in the tile and right of it: eight bits at once, the highest one first.
static ALWAYS_INLINE void census_pair(uint64* words, LOCAL_POINTER const ushort* centre) {
  uint eight[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  const uint middle = pair_at(centre, 0);
  UNROLL for (int i = 0; i < (TAPS + 7) / 8; ++i) {
    const int end = min(8 * i + 8, TAPS);
    uint bits = NO_BITS(end - 8 * i);
    UNROLL for (int bit = end - 1; bit >= 8 * i; --bit) {
      const int from_last = SYMMETRIC ? CENSUS_W * CENSUS_H - 1 - TAPS + bit + 1 : bit + (bit >= TAPS / 2 ? 1 : 0);
      const int raster = CENSUS_W * CENSUS_H - 1 - from_last;
      const int dx = raster % CENSUS_W - LEFT, dy = raster / CENSUS_W - ABOVE;
      const uint other = SYMMETRIC ? pair_at(centre - dy * TILE_W, -dx) : middle;
      bits = push_greater(bits, pair_at(centre + dy * TILE_W, dx), other);
    }
    eight[i] = bits;
  }
  uint two[4];
  UNROLL for (int i = 0; i < 4; ++i) two[i] = pick_bytes(eight[2 * i], eight[2 * i + 1], 0x6240);
  words[0] = (uint64)pick_bytes(two[2], two[3], LOW_HALVES) << 32 | pick_bytes(two[0], two[1], LOW_HALVES);
  words[1] = (uint64)pick_bytes(two[2], two[3], HIGH_HALVES) << 32 | pick_bytes(two[0], two[1], HIGH_HALVES);
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
  for (int i = thread; i < TILE_W * TILE_H; i += GROUP_W * GROUP_H)
    tile[i] = pixel_at(in, left - LEFT + i % TILE_W, top - ABOVE + i / TILE_W, width, height);
  GROUP_BARRIER();
  const int column = thread % (GROUP_W / 2) * 2, row = thread / (GROUP_W / 2), x = left + column, y = top + row;
  if (x >= width || y >= height) return;
  uint64 words[2];
  census_pair(words, tile + (row + ABOVE) * TILE_W + column + LEFT);
  out[(int64)y * width + x] = (WORD)words[0];
  if (x + 1 < width) out[(int64)y * width + x + 1] = (WORD)words[1];
#else
  const int x = (int)get_group_id(0) * GROUP_W + thread % GROUP_W,
            y = (int)get_group_id(1) * GROUP_H + thread / GROUP_W;
  if (x >= width || y >= height) return;
  uint64 word = 0;
#if SYMMETRIC
  // The first half of the neighbourhood; the centre is the next one.
  for (int i = 0; i < TAPS; ++i) {
    const int dx = i % CENSUS_W - LEFT, dy = i / CENSUS_W - ABOVE;
    word |= census_term(pixel_at(in, x + dx, y + dy, width, height), pixel_at(in, x - dx, y - dy, width, height),
                        symmetric_census_bit(dx, dy, CENSUS_W, CENSUS_H));
  }
#else
  const int centre = in[(int64)y * width + x];
  for (int dy = -ABOVE; dy <= ABOVE; ++dy) {
    for (int dx = -LEFT; dx <= LEFT; ++dx)
      if (dx != 0 || dy != 0)
        word |=
            census_term(pixel_at(in, x + dx, y + dy, width, height), centre, census_bit(dx, dy, CENSUS_W, CENSUS_H));
  }
#endif
  out[(int64)y * width + x] = (WORD)word;
#endif
}
