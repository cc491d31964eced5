// SPDX-License-Identifier: Apache-2.0
// Census words of prepared pixels; rows and columns beyond the border repeat the last one.
//
//   PREPARED            type of pixels: uchar or ushort
//   WORD                holds all bits, of which there are as many as neighbours, or pairs of them: uint or uint64
//   CENSUS_W, CENSUS_H  the window, px: 5 x 5 or 9 x 7
//   SYMMETRIC           1: compares neighbours that lie opposite each other, 0: each neighbour with the centre
#include "definitions/stereo/census.h"
#include "gpu/shared/picture.h"
#if !defined(PREPARED) || !defined(WORD) || !defined(CENSUS_W) || !defined(CENSUS_H) || !defined(SYMMETRIC)
#error "census needs PREPARED, WORD, CENSUS_W, CENSUS_H and SYMMETRIC"
#endif
#if !defined(GROUP_W) || !defined(GROUP_H)
#error "census needs GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void census(__global const PREPARED* restrict in, __global WORD* restrict out,
                                                  const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  uint64 word = 0;
#if SYMMETRIC
  // The first half of the neighbourhood; the centre is the next one.
  for (int i = 0; i < CENSUS_W * CENSUS_H / 2; ++i) {
    const int dx = i % CENSUS_W - CENSUS_W / 2, dy = i / CENSUS_W - CENSUS_H / 2;
    const int first = in[(int64)clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
    const int second = in[(int64)clamp(y - dy, 0, height - 1) * width + clamp(x - dx, 0, width - 1)];
    word |= census_term(first, second, symmetric_census_bit(dx, dy, CENSUS_W, CENSUS_H));
  }
#else
  const int centre = in[(int64)y * width + x];
  for (int dy = -(CENSUS_H / 2); dy <= CENSUS_H / 2; ++dy) {
    __global const PREPARED* row = in + (int64)clamp(y + dy, 0, height - 1) * width;
    for (int dx = -(CENSUS_W / 2); dx <= CENSUS_W / 2; ++dx)
      if (dx != 0 || dy != 0)
        word |= census_term(row[clamp(x + dx, 0, width - 1)], centre, census_bit(dx, dy, CENSUS_W, CENSUS_H));
  }
#endif
  out[(int64)y * width + x] = (WORD)word;
}
