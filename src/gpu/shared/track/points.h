// SPDX-License-Identifier: Apache-2.0
// Scalars of lk.cl and corners.cl.
#ifndef VERGENCE_GPU_SHARED_TRACK_POINTS_H
#define VERGENCE_GPU_SHARED_TRACK_POINTS_H
#include "gpu/shared/language.h"

// What corners.cl counts, in words: corners, the last bin that is kept, and the corners of each bin of scores. A bin is
// 1/256 of an octave below the best score; the last one has all that is less.
#define CORNER_BINS 4096
#define CORNER_COUNT_WORDS (2 + CORNER_BINS)

VERGENCE_SHARED_BEGIN

/// lk
typedef struct {
  int64 short_step;      // a step ends a level where its square is no more than this, in squared position units
  int64 back_limit;      // the square of how far from where it began a point may end on its way back, likewise
  int64 residual_limit;  // the greatest residual of a tracked point
  int top;               // the coarsest level
  int iterations;        // most steps on a level
} LkArguments;
VERGENCE_SHARED_SIZE(LkArguments, 32)

/// score and peaks: the pixels that may be corners.
typedef struct {
  int has_mask;                  // 1: where the mask is not 0
  int left, top, right, bottom;  // px; `right` and `bottom` are the first ones beyond
  int capacity;                  // corners that `peaks` may put down
} CornerArguments;
VERGENCE_SHARED_SIZE(CornerArguments, 24)

VERGENCE_SHARED_END

#endif
