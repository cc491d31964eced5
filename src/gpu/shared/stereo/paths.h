// SPDX-License-Identifier: Apache-2.0
// The volumes of semi-global matching, and what its kernels take besides buffers.
//
// A volume has a number for each candidate of each pixel: pixels in raster order, and of each pixel the candidates from
// DMIN on, then unused places. Volume n holds the costs at the ends of path n; after those of the paths comes one of
// window costs, where windows have more than one pixel.
#ifndef VERGENCE_GPU_SHARED_STEREO_PATHS_H
#define VERGENCE_GPU_SHARED_STEREO_PATHS_H

#include "gpu/shared/language.h"
#include "gpu/shared/stereo/settings.h"

#define PATHS_PLACES(count) (((count) + 15) / 16 * 16)  // of a pixel's candidates
// Pixels of the other view that the candidates of so many neighbouring pixels name; a word of local memory for each.
#define PATHS_OTHER_KEYS(pixels, count) ((pixels) + (count)-1)

VERGENCE_SHARED_BEGIN

typedef struct {
  int width, height;     // of the pictures, px
  int paths;             // 2, 4, 5 or 8
  int p1, p2, p2_slope;  // of the options
} PathsArguments;
VERGENCE_SHARED_SIZE(PathsArguments, 24)

typedef struct {
  MatchArguments match;
  int paths;
} PathWinnersArguments;
VERGENCE_SHARED_SIZE(PathWinnersArguments, 28)

VERGENCE_SHARED_END

#endif
