// SPDX-License-Identifier: Apache-2.0
// What the kernels of the filters of disparity maps take besides buffers.
#ifndef VERGENCE_GPU_SHARED_POSTFILTER_POSTFILTER_H
#define VERGENCE_GPU_SHARED_POSTFILTER_POSTFILTER_H

#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

typedef struct {
  int width, height;  // of the map, px
  int range;          // largest difference of neighbours in a region, in the map's unit
  int size;           // most pixels of a region that is removed
} SpeckleArguments;
VERGENCE_SHARED_SIZE(SpeckleArguments, 16)

typedef struct {
  int width, height;                   // of the map, px
  int words;                           // of 32 bits in a row of the map of valid pixels
  int first_x, first_y, end_x, end_y;  // the region that is filled: [first, end)
  int radius;                          // half the window of means, px
  int all;                             // 1: a mean counts what is not valid as 0
} FillArguments;
VERGENCE_SHARED_SIZE(FillArguments, 36)

VERGENCE_SHARED_END

#endif
