// SPDX-License-Identifier: Apache-2.0
// The volumes of semi-global matching, and what its kernels take besides buffers.
//
// A volume has a number for each candidate of each pixel: pixels in raster order, and of each pixel the candidates from
// DMIN on, then unused places. Volume n holds the costs at the ends of path n; after those of the paths comes one of
// window costs, where the kernel that walks does not compute them itself.
#ifndef VERGENCE_GPU_SHARED_STEREO_PATHS_H
#define VERGENCE_GPU_SHARED_STEREO_PATHS_H

#include "gpu/shared/language.h"

#define PATHS_PLACES(count) (((count) + 15) / 16 * 16)  // of a pixel's candidates
// Pixels of the other view that the candidates of so many neighbouring pixels name; a word of local memory for each.
#define PATHS_OTHER_KEYS(pixels, count) ((pixels) + (count)-1)

// packed_paths.cl: groups of `lines` lines, in rows and in columns; more columns than a picture has by lines - 1 at
// least.
#define PACKED_ROW_GROUPS(height, lines) (((height) + (lines)-1) / (lines))
#define PACKED_COLUMN_GROUPS(width, lines) (((width) + 2 * (lines)-2) / (lines))
// Its costs in local memory, of a team with so many candidates: pixels that 16 neighbours may meet, a multiple of 16;
// bytes from pixel to pixel, an odd multiple, so that 8 pixels lie in different banks; words of all.
#define PACKED_SPAN(candidates) ((candidates) + 16)
#define PACKED_SPAN_PITCH(candidates) \
  (PACKED_SPAN(candidates) / 16 % 2 == 0 ? PACKED_SPAN(candidates) + 16 : PACKED_SPAN(candidates))
#define PACKED_TILE_WORDS(lines, candidates) (16 * (lines)*PACKED_SPAN_PITCH(candidates) / 4 + 1)

VERGENCE_SHARED_BEGIN

typedef struct {
  int width, height;     // of the pictures, px
  int paths;             // 2, 4, 5 or 8
  int p1, p2, p2_slope;  // of the options
} PathsArguments;
VERGENCE_SHARED_SIZE(PathsArguments, 24)

VERGENCE_SHARED_END

#endif
