// SPDX-License-Identifier: Apache-2.0
// The left-right rule: do the two views' integer winners agree?
#ifndef VERGENCE_DEFINITIONS_STEREO_LEFT_RIGHT_H
#define VERGENCE_DEFINITIONS_STEREO_LEFT_RIGHT_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Differ by at most `threshold` px.
VERGENCE_DEFINITION bool agree_in_pixels(int d, int other, int threshold) {
  return absolute_difference(d, other) <= threshold;
}

/// Differ by at most `threshold` steps of 255 / disparities, the grey levels of a map that is scaled to 8 bits.
VERGENCE_DEFINITION bool agree_in_grey(int d, int other, int threshold, int disparities) {
  return absolute_difference(d, other) * 255 <= VERGENCE_AS(int64, threshold) * disparities;
}

VERGENCE_DEFINITIONS_END

#endif
