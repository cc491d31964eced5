// SPDX-License-Identifier: Apache-2.0
// Scalars of pyramid.cl and predict.cl.
#ifndef VERGENCE_GPU_SHARED_MOTION_STAGES_H
#define VERGENCE_GPU_SHARED_MOTION_STAGES_H
#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

typedef struct {
  int width, height;              // px of the coarsest level that is made: a work-item has a pixel of it
  int fine_width, fine_height;    // px of the level that is read
  int fine_pitch;                 // px from row to row
  int pitch_1, pitch_2, pitch_3;  // of the coarser levels, in px; those that are not made do not count
} PyramidArguments;
VERGENCE_SHARED_SIZE(PyramidArguments, 32)

typedef struct {
  int width, height;  // of the plane, in px
  int across, down;   // blocks of a row and of a column
} PredictArguments;
VERGENCE_SHARED_SIZE(PredictArguments, 16)

VERGENCE_SHARED_END

#endif
