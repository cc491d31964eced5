// SPDX-License-Identifier: Apache-2.0
// Sub-pixel for SAD: two lines of equal and opposite slope through three costs (the form of OpenCV's StereoBM).
#ifndef VERGENCE_DEFINITIONS_STEREO_VFIT_H
#define VERGENCE_DEFINITIONS_STEREO_VFIT_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Disparity in 1/16 px from the costs of d - 1, d and d + 1; the division truncates towards zero, the shift is
/// arithmetic. Costs are below 2^54.
VERGENCE_DEFINITION int64 vfit(int d, int64 before, int64 at, int64 after) {
  int64 denominator = before + after - 2 * at + absolute_difference(before, after);
  int64 offset = denominator != 0 ? 256 * (before - after) / denominator : 0;
  return (256 * VERGENCE_AS(int64, d) + offset + 15) >> 4;
}

/// The same, for costs below 2^16: 32 bits are enough, which divide several times faster on GPUs.
VERGENCE_DEFINITION int vfit_small(int d, int before, int at, int after) {
  int difference = before - after;
  int denominator = before + after - 2 * at + (difference < 0 ? -difference : difference);
  int offset = denominator != 0 ? 256 * difference / denominator : 0;
  return (256 * d + offset + 15) >> 4;
}

VERGENCE_DEFINITIONS_END

#endif
