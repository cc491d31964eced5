// SPDX-License-Identifier: Apache-2.0
// Numbers that stand for choices in the kernels of stereo, and what all matchers take besides buffers.
#ifndef VERGENCE_GPU_SHARED_STEREO_SETTINGS_H
#define VERGENCE_GPU_SHARED_STEREO_SETTINGS_H

#include "gpu/shared/language.h"

// COST
#define COST_SAD 0
#define COST_SSD 1
#define COST_HAMMING 2  // of census words
// OUTSIDE: taps and candidates beyond the other picture's border.
#define OUTSIDE_SKIP 0
#define OUTSIDE_ZERO 1
#define OUTSIDE_CLAMP 2
// SOBEL
#define SOBEL_NONE 0
#define SOBEL_PLAIN 1
#define SOBEL_OPENCV 2  // the last row of pictures of odd height is flat

VERGENCE_SHARED_BEGIN

typedef struct {
  int width, height;               // of the pictures, px
  int roi_x, roi_y, roi_w, roi_h;  // the region of interest, px: pixels outside get no disparity
  int inner_left, inner_right;     // columns that match_strip.cl serves; other kernels leave them out. In the kernel's
                                   // orientation, the second one is no longer among them
} MatchArguments;
VERGENCE_SHARED_SIZE(MatchArguments, 32)

VERGENCE_SHARED_END

#endif
