// SPDX-License-Identifier: Apache-2.0
// The rate term: what a vector costs in bits, and J = D + rate (the measure of HM, the reference encoder of HEVC).
#ifndef VERGENCE_DEFINITIONS_MOTION_RATE_H
#define VERGENCE_DEFINITIONS_MOTION_RATE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Length of the signed Exp-Golomb word of one component, in quarter pixels, from its prediction: 2 floor(log2 u) + 1
/// with u = 2 v for positive v, 2 |v| + 1 else.
VERGENCE_DEFINITION int component_bits(int v) {
  int u = v > 0 ? 2 * v : 1 - 2 * v;
  int bits = 1;
  while (u > 1) {
    u >>= 1;
    bits += 2;
  }
  return bits;
}

/// Bits of the vector (x, y) after the prediction (px, py), all in quarter pixels.
VERGENCE_DEFINITION int vector_bits(int x, int y, int px, int py) {
  return component_bits(x - px) + component_bits(y - py);
}

/// What J adds to the distortion; lambda is Q16 and not negative.
VERGENCE_DEFINITION uint64 motion_rate(int lambda, int bits) {
  return (VERGENCE_AS(uint64, lambda) * VERGENCE_AS(uint64, bits)) >> 16;
}

/// A component in quarter pixels as whole pixels, halves up.
VERGENCE_DEFINITION int whole_pixels(int quarters) { return (quarters + 2) >> 2; }

VERGENCE_DEFINITIONS_END

#endif
