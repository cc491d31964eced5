// SPDX-License-Identifier: Apache-2.0
// The sizes that follow from the launch configurations of match.cl and match_rows.cl.
#ifndef VERGENCE_GPU_SHARED_STEREO_COLUMNS_H
#define VERGENCE_GPU_SHARED_STEREO_COLUMNS_H

#include "gpu/shared/language.h"
#include "gpu/shared/stereo/settings.h"

// match.cl. tile: pixels of a strip; units: of candidates, which share an integer.
#define COLUMNS_SPAN(tile, rx) ((tile) + 2 * (rx))                      // columns that a strip has sums of
#define COLUMNS_SUMS(units, tile, rx) ((units)*COLUMNS_SPAN(tile, rx))  // of columns
#define COLUMNS_PIXEL_SUMS(units, tile) ((units) * (tile))              // of pixels, where they are kept

// match_rows.cl. strip: columns of a strip; 16 candidates share a vector.
#define ROWS_LANES 16
#define ROWS_VECTORS(count) (((count) + ROWS_LANES - 1) / ROWS_LANES)
#define ROWS_SPAN(strip, rx) ((strip) + 2 * (rx))
#define ROWS_SCRATCH(count, strip, rx) (ROWS_SPAN(strip, rx) * ROWS_VECTORS(count))  // vectors of a band
// Vectors of bytes of a band where costs of taps are kept.
#define ROWS_KEPT(count, strip, rx, ry) ((2 * (ry) + 1) * ROWS_SCRATCH(count, strip, rx))
// Sums for a row of the other view, and those before and behind it that vectors may touch.
#define ROWS_BESTS_MARGIN(count) (ROWS_LANES * (ROWS_VECTORS(count) + 2))
#define ROWS_BESTS(count, width) ((width) + 2 * ROWS_BESTS_MARGIN(count))

#endif
