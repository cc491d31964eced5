// SPDX-License-Identifier: Apache-2.0
// Gradients after Scharr (Optimale Operatoren in der digitalen Bildverarbeitung, thesis, Heidelberg, 2000, 9.3): weights
// 3, 10, 3 along the edge, the difference of both neighbours across it.
#ifndef VERGENCE_DEFINITIONS_TRACK_GRADIENT_H
#define VERGENCE_DEFINITIONS_TRACK_GRADIENT_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Of three neighbours in a row: 16 x a pixel at most.
VERGENCE_DEFINITION int gradient_smooth(int before, int here, int after) { return 3 * (before + after) + 10 * here; }

/// 32 x the change per pixel, shifted: gradient_shift.
VERGENCE_DEFINITION int gradient(int smooth_before, int smooth_after, int shift) {
  return (smooth_after - smooth_before) >> shift;
}

VERGENCE_DEFINITIONS_END

#endif
