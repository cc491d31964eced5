// SPDX-License-Identifier: Apache-2.0
// Patches and gradients between pixels: bilinear, weights of 14 bits.
#ifndef VERGENCE_DEFINITIONS_TRACK_SAMPLE_H
#define VERGENCE_DEFINITIONS_TRACK_SAMPLE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Weights of the pixel at the position (fractions in 1/1024 px), right of it, below it, and of both. They sum to 16384;
/// the last is what the others leave, and may be -1.
VERGENCE_DEFINITION int weight_here(int x, int y) { return ((1024 - x) * (1024 - y) + 32) >> 6; }
VERGENCE_DEFINITION int weight_right(int x, int y) { return (x * (1024 - y) + 32) >> 6; }
VERGENCE_DEFINITION int weight_below(int x, int y) { return ((1024 - x) * y + 32) >> 6; }
VERGENCE_DEFINITION int weight_both(int x, int y) {
  return 16384 - weight_here(x, y) - weight_right(x, y) - weight_below(x, y);
}

/// From the weighted sum: a patch, shift = patch_shift(depth), and a gradient.
VERGENCE_DEFINITION int patch_from(int sum, int shift) { return (sum + (1 << (shift - 1))) >> shift; }
VERGENCE_DEFINITION int gradient_from(int sum) { return (sum + 8192) >> 14; }

VERGENCE_DEFINITIONS_END

#endif
