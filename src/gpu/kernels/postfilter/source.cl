// SPDX-License-Identifier: Apache-2.0
// Makes pixels invalid that show nothing. Equal to reference/postfilter/source.cpp.
//
//   MAP      type of disparities: short or int
//   INVALID  the disparity that says there is none
#include "gpu/shared/picture.h"
#if !defined(MAP) || !defined(INVALID) || !defined(GROUP_W) || !defined(GROUP_H)
#error "source needs MAP, INVALID, GROUP_W and GROUP_H"
#endif

/// mask: of the reference picture.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void source(__global MAP* restrict map, __global const uchar* restrict mask,
                                                  const PictureArguments arguments) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= arguments.width || y >= arguments.height) return;
  const int64 at = (int64)y * arguments.width + x;
  if (mask[at] == 0) map[at] = (MAP)(INVALID);
}
