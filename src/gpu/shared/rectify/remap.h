// SPDX-License-Identifier: Apache-2.0
// Scalars of remap.cl, and how its map is divided.
#ifndef VERGENCE_GPU_SHARED_RECTIFY_REMAP_H
#define VERGENCE_GPU_SHARED_RECTIFY_REMAP_H
#include "gpu/shared/language.h"

// Neighbouring pixels whose places are stored as differences to a line: one for each lane of a warp, so that what its
// lanes read at a time lies side by side. A word has a byte for the same pixel of each of four runs.
#define REMAP_RUN 32
#define REMAP_FOUR_RUNS (4 * REMAP_RUN)
// Is subtracted from the start of x where not all that a run reads lies in the source picture. Places are below 2^26.
#define REMAP_OUTSIDE (1 << 30)

VERGENCE_SHARED_BEGIN

typedef struct {
  int64 in_first, in_second;  // the first two rows, in pixels
  int64 out_first;
  int in_pitch, out_pitch;
} RemapPicture;
VERGENCE_SHARED_SIZE(RemapPicture, 32)

typedef struct {
  RemapPicture left, right;
  int first_camera;         // 0: from the left one on; 1: the right one
  int items, fours;         // work-items, and times four runs, of a row of the rectified picture
  int width, height;        // of the rectified picture, in px
  int in_width, in_height;  // of the source picture
  int largest;              // no value exceeds it
} RemapArguments;
VERGENCE_SHARED_SIZE(RemapArguments, 96)

VERGENCE_SHARED_END

#endif
