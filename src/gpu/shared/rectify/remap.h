// SPDX-License-Identifier: Apache-2.0
// Scalars of remap.cl.
#ifndef VERGENCE_GPU_SHARED_RECTIFY_REMAP_H
#define VERGENCE_GPU_SHARED_RECTIFY_REMAP_H
#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

typedef struct {
  int width, height;        // of the rectified picture, in px
  int in_width, in_height;  // of the source picture
  int largest;              // no value exceeds it
} RemapArguments;
VERGENCE_SHARED_SIZE(RemapArguments, 20)

VERGENCE_SHARED_END

#endif
