// SPDX-License-Identifier: Apache-2.0
// How deep the pixels are that tracking works on, and how patches and gradients are scaled so that both fit 16 bits.
#ifndef VERGENCE_DEFINITIONS_TRACK_SCALE_H
#define VERGENCE_DEFINITIONS_TRACK_SCALE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Pixels lose the bits below the twelfth of the largest one.
VERGENCE_DEFINITION int dropped_bits(int max_pixel) {
  int dropped = 0;
  while ((max_pixel >> dropped) > 4095) ++dropped;
  return dropped;
}

/// Bits of the largest pixel that is left, at least 8: 8 .. 12.
VERGENCE_DEFINITION int track_depth(int max_pixel) {
  int bits = 8;
  while ((max_pixel >> dropped_bits(max_pixel)) >> bits != 0) ++bits;
  return bits;
}

/// Gradients are sums of up to 16 x a pixel: halved where 12 bits would make that 65520.
VERGENCE_DEFINITION int gradient_shift(int depth) { return depth < 12 ? 0 : 1; }

/// From sums of 2^14 x a pixel to patches of 13 bits: 32 x the pixel at 8 bits, twice the pixel at 12.
VERGENCE_DEFINITION int patch_shift(int depth) { return depth + 1; }
VERGENCE_DEFINITION int patch_scale(int depth) { return 1 << (13 - depth); }

/// Corner scores take gradients of at most 4095.
VERGENCE_DEFINITION int corner_shift(int depth) { return depth - 8 - gradient_shift(depth); }

VERGENCE_DEFINITIONS_END

#endif
