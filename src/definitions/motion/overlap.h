// SPDX-License-Identifier: Apache-2.0
// Overlapped prediction: how much a pixel takes from the vectors of the blocks beside its own. Every rule is for one
// axis.
#ifndef VERGENCE_DEFINITIONS_MOTION_OVERLAP_H
#define VERGENCE_DEFINITIONS_MOTION_OVERLAP_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// The neighbour that pixel `i` of a block of `side` pixels takes a vector from: the one before (-1) or behind (1).
VERGENCE_DEFINITION int overlap_neighbour(int i, int side) { return 2 * i + 1 < side ? -1 : 1; }

/// Its weight of 2 x side; the pixel's own block has the rest. 0 in the middle, nearly half at the edge.
VERGENCE_DEFINITION int overlap_weight(int i, int side) {
  int from_middle = 2 * i + 1 - side;
  return from_middle < 0 ? -from_middle : from_middle;
}

/// The weighted sum of four samples, of weight 4 x width x height in all, rounded to the nearest, halves up.
VERGENCE_DEFINITION int overlap_mean(int64 sum, int width, int height) {
  int64 weight = 4 * VERGENCE_AS(int64, width) * height;
  return VERGENCE_AS(int, (sum + weight / 2) / weight);
}

VERGENCE_DEFINITIONS_END

#endif
