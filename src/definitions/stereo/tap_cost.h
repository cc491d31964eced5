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

/// Can every rule hold its products in 64 bits? The largest is the uniqueness rule's, 1100 times a window's cost times
/// its width; the sub-pixel fits and the confidence stay below it.
VERGENCE_DEFINITION bool window_fits_64_bits(uint64 tap_max, int window_width, int window_height) {
  uint64 limit = ~VERGENCE_AS(uint64, 0) / 1100;
  uint64 width = VERGENCE_AS(uint64, window_width);
  return tap_max <= limit / width / VERGENCE_AS(uint64, window_height) / width;
}

VERGENCE_DEFINITIONS_END

#endif
