// SPDX-License-Identifier: Apache-2.0
// Small separable filters: what stands for pixels beside the picture, and the sums of one pass, whose order counts in
// floating point. Nothing here may be contracted.
#ifndef VERGENCE_DEFINITIONS_FILTER_SEPARABLE_H
#define VERGENCE_DEFINITIONS_FILTER_SEPARABLE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// The pixel that stands for the one at `at`, along one axis; -1 = a zero. `border` as FilterBorder: 0 zero, 1 edge, 2
/// mirror, 3 blank (which asks for pixels inside alone).
VERGENCE_DEFINITION int filter_source(int at, int side, int border) {
  if (at >= 0 && at < side) return at;
  if (border == 1) return at < 0 ? 0 : side - 1;
  if (border != 2) return -1;
  if (side == 1) return 0;
  int period = 2 * (side - 1), place = at % period;
  if (place < 0) place += period;
  return place < side ? place : period - place;
}

/// Five taps 1 4 6 4 1 over 16.
VERGENCE_DEFINITION float blur_float(float a, float b, float c, float d, float e) {
  return (((a + e) + 4.0f * (b + d)) + 6.0f * c) * 0.0625f;
}
VERGENCE_DEFINITION int blur_sum(int a, int b, int c, int d, int e) { return a + e + 4 * (b + d) + 6 * c; }
/// Of the sum of both passes.
VERGENCE_DEFINITION int blur_pixel(int sum) { return (sum + 128) >> 8; }

/// Three taps along an edge: Sobel's 1 2 1 or Scharr's 3 10 3.
VERGENCE_DEFINITION float smooth_float(float a, float b, float c, float outer, float inner) {
  return outer * (a + c) + inner * b;
}
VERGENCE_DEFINITION int smooth_sum(int a, int b, int c, int outer, int inner) { return outer * (a + c) + inner * b; }

/// What is stored: of all that is no number one, the quiet NaN 7fc00000, since devices and compilers give several.
VERGENCE_DEFINITION float filter_result(float value) {
  return value != value ? VERGENCE_FLOAT_OF_BITS(0x7fc00000) : value;
}

VERGENCE_DEFINITIONS_END

#endif
