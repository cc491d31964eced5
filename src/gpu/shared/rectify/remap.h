// SPDX-License-Identifier: Apache-2.0
// Scalars of remap.cl, and how its map is divided.
#ifndef VERGENCE_GPU_SHARED_RECTIFY_REMAP_H
#define VERGENCE_GPU_SHARED_RECTIFY_REMAP_H
#include "gpu/shared/language.h"

// Neighbouring pixels whose places are stored as differences to one place.
#define REMAP_RUN 16

VERGENCE_SHARED_BEGIN

typedef struct {
  int64 in_first, in_pitch, out_first, out_pitch;  // of the pictures, in pixels
  int items;                                       // work-items of a row of the rectified picture
  int width, height;                               // of the rectified picture, in px
  int in_width, in_height;                         // of the source picture
  int largest;                                     // no value exceeds it
} RemapArguments;
VERGENCE_SHARED_SIZE(RemapArguments, 56)

VERGENCE_SHARED_END

#endif
