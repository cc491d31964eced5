// SPDX-License-Identifier: Apache-2.0
// What kernels with one work-item for each pixel of a picture take besides buffers.
#ifndef VERGENCE_GPU_SHARED_PICTURE_H
#define VERGENCE_GPU_SHARED_PICTURE_H

#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

typedef struct {
  int width, height;  // px
} PictureArguments;
VERGENCE_SHARED_SIZE(PictureArguments, 8)

VERGENCE_SHARED_END

#endif
