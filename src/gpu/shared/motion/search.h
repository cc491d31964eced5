// SPDX-License-Identifier: Apache-2.0
// Scalars of the kernels that search a level block by block (search.cl, walk.cl, step_grid.cl), refine what was found
// (refine.cl) and judge it (confidence.cl).
#ifndef VERGENCE_GPU_SHARED_MOTION_SEARCH_H
#define VERGENCE_GPU_SHARED_MOTION_SEARCH_H
#include "gpu/shared/language.h"

VERGENCE_SHARED_BEGIN

/// Both frames on one level.
typedef struct {
  int width, height;  // px
  int pitch;          // px from row to row; rows begin at multiples of 16 bytes
} FrameArguments;
VERGENCE_SHARED_SIZE(FrameArguments, 12)

/// A level, and the displacements that are searched there.
typedef struct {
  FrameArguments frame;
  int first_x, last_x, first_y, last_y;  // px of the level
  int predicted;                         // 1: predictions count; 0: all are zero
} LevelArguments;
VERGENCE_SHARED_SIZE(LevelArguments, 32)

typedef struct {
  LevelArguments level;
  int frame_width, frame_height;  // px of the finest level
} WalkArguments;
VERGENCE_SHARED_SIZE(WalkArguments, 40)

typedef struct {
  LevelArguments level;
  int frame_width, frame_height;  // px of the finest level
  int number, coarsest;           // of the level: 0 is the finest one; of the coarsest one
  int want_second;                // 1: the second best J is written too
} SearchArguments;
VERGENCE_SHARED_SIZE(SearchArguments, 52)

VERGENCE_SHARED_END

#endif
