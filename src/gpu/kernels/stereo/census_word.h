// SPDX-License-Identifier: Apache-2.0
// What a census word is made of, and that of one pixel; rows and columns beyond the border repeat the last one.
//
//   PREPARED            type of pixels: uchar or ushort
//   WORD                holds all bits, of which there are as many as neighbours, or pairs of them: uint or uint64
//   CENSUS_W, CENSUS_H  the window, px: 5 x 5 or 9 x 7
//   SYMMETRIC           1: compares neighbours that lie opposite each other, 0: each neighbour with the centre
#include "definitions/stereo/census.h"
#if !defined(PREPARED) || !defined(WORD) || !defined(CENSUS_W) || !defined(CENSUS_H) || !defined(SYMMETRIC)
#error "census needs PREPARED, WORD, CENSUS_W, CENSUS_H and SYMMETRIC"
#endif
#define LEFT (CENSUS_W / 2)
#define ABOVE (CENSUS_H / 2)
#define TAPS (SYMMETRIC ? CENSUS_W * CENSUS_H / 2 : CENSUS_W * CENSUS_H - 1)

static ALWAYS_INLINE PREPARED pixel_at(__global const PREPARED* restrict in, int x, int y, int width, int height) {
  return in[(int64)clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

static ALWAYS_INLINE WORD census_word(__global const PREPARED* restrict in, int x, int y, int width, int height) {
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
  return (WORD)word;
}
