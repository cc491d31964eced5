// SPDX-License-Identifier: Apache-2.0
// What images.cl takes besides buffers. Firsts and pitches count pixels.
#ifndef VERGENCE_GPU_SHARED_STEREO_IMAGES_H
#define VERGENCE_GPU_SHARED_STEREO_IMAGES_H

#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

typedef struct {
  int64 in_first, in_pitch, out_first, out_pitch;
  int width, height;
} CopyRowsArguments;
VERGENCE_SHARED_SIZE(CopyRowsArguments, 40)

typedef struct {
  int64 first, pitch;
  int width, height;
} FindLargeArguments;
VERGENCE_SHARED_SIZE(FindLargeArguments, 24)

VERGENCE_SHARED_END

#endif
