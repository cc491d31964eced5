// SPDX-License-Identifier: Apache-2.0
// Sub-pixel for SSD and census: the vertex of the parabola through three costs.
#ifndef VERGENCE_DEFINITIONS_STEREO_PARABOLA_H
#define VERGENCE_DEFINITIONS_STEREO_PARABOLA_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Disparity in 1/16 px from the costs of d - 1, d and d + 1, rounded to the nearest, halves up. Costs are below 2^56.
VERGENCE_DEFINITION int64 parabola(int d, int64 before, int64 at, int64 after) {
  int64 slope = 16 * (before - after);
  int64 curvature = 2 * (before - 2 * at + after);
  int64 offset = curvature > 0 ? floor_divide(2 * slope + curvature, 2 * curvature) : 0;
  return 16 * VERGENCE_AS(int64, d) + offset;
}

VERGENCE_DEFINITIONS_END

#endif
