// SPDX-License-Identifier: Apache-2.0
// Scalars of separable.cl.
#ifndef VERGENCE_GPU_SHARED_IMGPROC_SEPARABLE_H
#define VERGENCE_GPU_SHARED_IMGPROC_SEPARABLE_H
#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

/// blur
typedef struct {
  int width, height;        // of the output, in px
  int in_width, in_height;  // of the input
  int border;               // FilterBorder
} BlurArguments;
VERGENCE_SHARED_SIZE(BlurArguments, 20)

/// gradients
typedef struct {
  int width, height;       // px
  int border;              // FilterBorder
  int outer, inner;        // weights of the smoothing filter
  int wants_dx, wants_dy;  // 1: it is written
} GradientArguments;
VERGENCE_SHARED_SIZE(GradientArguments, 28)

VERGENCE_SHARED_END

#endif
