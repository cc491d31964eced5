// SPDX-License-Identifier: Apache-2.0
// Sampling between pixels for rectification: places in 1/1024 px, weights of 14 bits (those of tracks).
#ifndef VERGENCE_DEFINITIONS_RECTIFY_BILINEAR_H
#define VERGENCE_DEFINITIONS_RECTIFY_BILINEAR_H

#include "definitions/language.h"
#include "definitions/track/sample.h"

VERGENCE_DEFINITIONS_BEGIN

/// A map's column: ~x of the nearest place inside where the true place has no source.
VERGENCE_DEFINITION bool has_source(int x) { return x >= 0; }
VERGENCE_DEFINITION int source_place(int x) { return x < 0 ? -x - 1 : x; }

/// From the pixel at the place, right of it, below it, and both; x and y are fractions. Weights may be -1, so that the
/// value may leave the range of the taps by at most 4. Taps of weight 0, which x = 0 or y = 0 make, may lie outside the
/// picture: any number may stand for them.
VERGENCE_DEFINITION int bilinear_unlimited(int here, int right, int below, int both, int x, int y) {
  int sum = weight_here(x, y) * here + weight_right(x, y) * right + weight_below(x, y) * below +
            weight_both(x, y) * both;
  return (sum + 8192) >> 14;
}
/// The same, and no more than `largest` again.
VERGENCE_DEFINITION int bilinear(int here, int right, int below, int both, int x, int y, int largest) {
  int value = bilinear_unlimited(here, right, below, both, x, y);
  return value < 0 ? 0 : value > largest ? largest : value;
}

VERGENCE_DEFINITIONS_END

#endif
