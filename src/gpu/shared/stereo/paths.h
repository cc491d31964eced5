// SPDX-License-Identifier: Apache-2.0
// The volumes of semi-global matching, and what its kernels take besides buffers.
//
// A volume has a number for each candidate of each pixel: pixels in raster order, and of each pixel the candidates from
// DMIN on, then unused places. Where packed_paths.cl fills it, candidates that are half of the places apart lie side by
// side: places 2 n and 2 n + 1 have candidates n and n + half. Volume n holds the costs at the ends of path n; after
// those of the paths comes one of window costs, where the kernel that walks does not compute them itself.
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
// Parts of a line, each of so many steps but the last one; words that a group keeps of a part's levels.
#define PACKED_PARTS(steps, of_part) (((steps) + (of_part)-1) / (of_part))
#define PACKED_SEAM_WORDS(group, own) (2 * (group) * ((own) / 2))
// Its costs in local memory, two in a word: words from pixel to pixel, 4 more than a multiple of 8, and an odd number
// of words for a strip of 8 pixels, so that what lanes read and write together lies in different banks; words of all.
#define PACKED_PITCH(places) ((places) / 2 + 12)
#define PACKED_STRIP_WORDS(places) (8 * PACKED_PITCH(places) + 1)
#define PACKED_TILE_WORDS(lines, places) ((lines)*PACKED_STRIP_WORDS(places))

VERGENCE_SHARED_BEGIN

typedef struct {
  int width, height;            // of the pictures, px
  int paths;                    // 2, 4, 5 or 8
  int p1, p2, p2_slope;         // of the options
  int row_steps, column_steps;  // packed_paths.cl: of a line's part, multiples of 16 where there are several
  int keys;                     // of it: that it sets to the largest number, for path_winners.cl
} PathsArguments;
VERGENCE_SHARED_SIZE(PathsArguments, 36)

VERGENCE_SHARED_END

#endif
