// SPDX-License-Identifier: Apache-2.0
// Makes pixels invalid that show nothing, or whose match shows nothing. Equal to reference/postfilter/source.cpp.
//
//   MAP      type of disparities: short or int
//   INVALID  the disparity that says there is none
//   LEFT     1: the reference picture is the left one, 0: the right one
#include "gpu/shared/picture.h"
#if !defined(MAP) || !defined(INVALID) || !defined(LEFT) || !defined(GROUP_W) || !defined(GROUP_H)
#error "source needs MAP, INVALID, LEFT, GROUP_W and GROUP_H"
#endif

/// Looks at the reference picture's mask alone.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void source_pixel(__global MAP* restrict map, __global const uchar* restrict own,
                                                        const PictureArguments arguments) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= arguments.width || y >= arguments.height) return;
  const int64 at = (int64)y * arguments.width + x;
  if (own[at] == 0) map[at] = (MAP)(INVALID);
}

/// Looks at both masks.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void source_match(__global MAP* restrict map, __global const uchar* restrict own,
                                                        __global const uchar* restrict other,
                                                        const PictureArguments arguments) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1), width = arguments.width;
  if (x >= width || y >= arguments.height) return;
  const int64 row = (int64)y * width;
  const int d = map[row + x];
  if (d == INVALID) return;
#if LEFT
  const int lower = x - (d >> 4), upper = x - ((d + 15) >> 4);
#else
  const int lower = x + (d >> 4), upper = x + ((d + 15) >> 4);
#endif
  bool lost = own[row + x] == 0;
  if (lower >= 0 && lower < width) lost = lost || other[row + lower] == 0;
  if (upper >= 0 && upper < width) lost = lost || other[row + upper] == 0;
  if (lost) map[row + x] = (MAP)(INVALID);
}
