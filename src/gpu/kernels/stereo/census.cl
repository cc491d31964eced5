// SPDX-License-Identifier: Apache-2.0
// Census words of prepared pixels; rows and columns beyond the border repeat the last one.
//
//   PREPARED            type of pixels: uchar or ushort
//   WORD                holds CENSUS_W * CENSUS_H - 1 bits: uint or uint64
//   CENSUS_W, CENSUS_H  the window, px: 5 x 5 or 9 x 7
#include "definitions/stereo/census.h"
#include "gpu/shared/picture.h"
#if !defined(PREPARED) || !defined(WORD) || !defined(CENSUS_W) || !defined(CENSUS_H)
#error "census needs PREPARED, WORD, CENSUS_W and CENSUS_H"
#endif
#if !defined(GROUP_W) || !defined(GROUP_H)
#error "census needs GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void census(__global const PREPARED* restrict in, __global WORD* restrict out,
                                                  const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int centre = in[(int64)y * width + x];
  uint64 word = 0;
  for (int dy = -(CENSUS_H / 2); dy <= CENSUS_H / 2; ++dy) {
    __global const PREPARED* row = in + (int64)clamp(y + dy, 0, height - 1) * width;
    for (int dx = -(CENSUS_W / 2); dx <= CENSUS_W / 2; ++dx)
      if (dx != 0 || dy != 0)
        word |= census_term(row[clamp(x + dx, 0, width - 1)], centre, census_bit(dx, dy, CENSUS_W, CENSUS_H));
  }
  out[(int64)y * width + x] = (WORD)word;
}
