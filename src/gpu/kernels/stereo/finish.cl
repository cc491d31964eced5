// SPDX-License-Identifier: Apache-2.0
// The validity mask, and confidence 0 where the final map was not measured.
//
//   MAP         type of disparities: short or int
//   INVALID     the disparity that says there is none
//   CONFIDENCE  1: there are confidences
#include "gpu/shared/picture.h"
#if !defined(MAP) || !defined(INVALID) || !defined(CONFIDENCE) || !defined(GROUP_W) || !defined(GROUP_H)
#error "finish needs MAP, INVALID, CONFIDENCE, GROUP_W and GROUP_H"
#endif

// Values of the mask, as StereoValidity has them.
#define NOT_VALID 0
#define MEASURED 1
#define FILLED 2

__kernel WORK_GROUP(GROUP_W, GROUP_H) void finish(__global const MAP* restrict measured,
                                                  __global const MAP* restrict final_map, __global uchar* restrict mask,
                                                  __global uchar* restrict confidences,
                                                  const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int64 at = (int64)y * width + x;
  const bool was_measured = measured[at] != (MAP)(INVALID);
  mask[at] = was_measured ? MEASURED : final_map[at] != (MAP)(INVALID) ? FILLED : NOT_VALID;
  if (CONFIDENCE && !was_measured) confidences[at] = 0;
}
