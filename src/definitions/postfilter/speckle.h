// SPDX-License-Identifier: Apache-2.0
// The speckle rule: which neighbours belong to one region, and which regions go.
#ifndef VERGENCE_DEFINITIONS_FILTER_SPECKLE_H
#define VERGENCE_DEFINITIONS_FILTER_SPECKLE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Two neighbours (left, right, above, below) are of one region: both valid and at most `range` apart, all in 1/16 px.
VERGENCE_DEFINITION bool is_same_region(int a, int b, int range, int invalid) {
  return a != invalid && b != invalid && absolute_difference(a, b) <= range;
}

/// A region of this many pixels is removed.
VERGENCE_DEFINITION bool is_speckle(int64 region_size, int speckle_size) { return region_size <= speckle_size; }

VERGENCE_DEFINITIONS_END

#endif
