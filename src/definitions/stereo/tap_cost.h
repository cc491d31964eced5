// SPDX-License-Identifier: Apache-2.0
// What one tap of a matching window costs, and the most that it can cost. A window's cost is the plain sum of its taps.
#ifndef VERGENCE_DEFINITIONS_STEREO_TAP_COST_H
#define VERGENCE_DEFINITIONS_STEREO_TAP_COST_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// SAD: |a - b| of two pixels.
VERGENCE_DEFINITION uint64 sad_tap(uint64 a, uint64 b) { return a > b ? a - b : b - a; }
VERGENCE_DEFINITION uint64 sad_tap_max(uint64 max_pixel) { return max_pixel; }

/// SSD: (a - b)^2 of two pixels.
VERGENCE_DEFINITION uint64 ssd_tap(uint64 a, uint64 b) { return sad_tap(a, b) * sad_tap(a, b); }
VERGENCE_DEFINITION uint64 ssd_tap_max(uint64 max_pixel) { return max_pixel * max_pixel; }

/// Census: the number of bits in which two census words differ.
VERGENCE_DEFINITION uint64 hamming_tap(uint64 a, uint64 b) { return VERGENCE_AS(uint64, VERGENCE_POPCOUNT(a ^ b)); }
VERGENCE_DEFINITION uint64 hamming_tap_max(int census_width, int census_height) {
  return VERGENCE_AS(uint64, census_width * census_height - 1);
}

VERGENCE_DEFINITIONS_END

#endif
