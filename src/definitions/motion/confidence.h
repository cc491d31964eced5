// SPDX-License-Identifier: Apache-2.0
// Confidence of a block's vector, 0 .. 255, from what every search knows: no second best is needed.
#ifndef VERGENCE_DEFINITIONS_MOTION_CONFIDENCE_H
#define VERGENCE_DEFINITIONS_MOTION_CONFIDENCE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// How far the vector's distortion lies below the cheapest alternative: the block's texture (what one pixel
/// to the side or down would cost the block itself, the smaller of both) and, unless the vector is zero, the zero
/// vector's distortion. floor(255 (alternative - cost) / alternative), 0 where the vector costs as much or more.
VERGENCE_DEFINITION int motion_confidence(uint64 cost, uint64 zero_cost, bool is_zero, uint64 texture_x,
                                          uint64 texture_y) {
  uint64 alternative = texture_x < texture_y ? texture_x : texture_y;
  if (!is_zero && zero_cost < alternative) alternative = zero_cost;
  return cost < alternative ? VERGENCE_AS(int, 255 * (alternative - cost) / alternative) : 0;
}

VERGENCE_DEFINITIONS_END

#endif
