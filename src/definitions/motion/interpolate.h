// SPDX-License-Identifier: Apache-2.0
// Samples between pixels: the filters and roundings of HEVC (ITU-T H.265, 8.5.3.3.3), on integers.
#ifndef VERGENCE_DEFINITIONS_MOTION_INTERPOLATE_H
#define VERGENCE_DEFINITIONS_MOTION_INTERPOLATE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Tap k = 0 .. 7 of the luma filter for `quarters` = 1 .. 3, of the pixel k - 3 to the right of the whole position.
/// Taps sum to 64; quarters = 0 is the pixel itself.
VERGENCE_DEFINITION int luma_tap(int quarters, int k) {
  if (quarters == 0) return k == 3 ? 64 : 0;
  if (quarters == 3) k = 7 - k;  // three quarters is one quarter mirrored
  if (quarters == 2) {
    if (k > 3) k = 7 - k;
    return k == 0 ? -1 : k == 1 ? 4 : k == 2 ? -11 : 40;
  }
  return k == 0 ? -1 : k == 1 ? 4 : k == 2 ? -10 : k == 3 ? 58 : k == 4 ? 17 : k == 5 ? -5 : k == 6 ? 1 : 0;
}

/// Tap k = 0 .. 3 of the chroma filter for `eighths` = 0 .. 7, of the pixel k - 1 to the right.
VERGENCE_DEFINITION int chroma_tap(int eighths, int k) {
  if (eighths > 4) {
    eighths = 8 - eighths;
    k = 3 - k;
  }
  if (eighths == 0) return k == 1 ? 64 : 0;
  if (eighths == 1) return k == 1 ? 58 : k == 2 ? 10 : -2;
  if (eighths == 2) return k == 0 ? -4 : k == 1 ? 54 : k == 2 ? 16 : -2;
  if (eighths == 3) return k == 0 ? -6 : k == 1 ? 46 : k == 2 ? 28 : -4;
  return k == 1 || k == 2 ? 36 : -4;
}

/// Bits of the pixels as the filters count them: those of the largest value, at least 8.
VERGENCE_DEFINITION int interpolation_depth(int max_pixel) {
  int bits = 8;
  while ((max_pixel >> bits) != 0) ++bits;
  return bits;
}

/// The first filter's sum of 64 x the pixel is kept with 14 bits, or two more than the pixels have.
VERGENCE_DEFINITION int first_shift(int depth) { return depth < 12 ? depth - 8 : 4; }
/// A second filter's sum of 64 x that keeps its scale.
VERGENCE_DEFINITION int second_shift(void) { return 6; }
/// From 14 bits back to a pixel: rounded to the nearest, halves up, clipped.
VERGENCE_DEFINITION int sample_from(int value, int depth, int max_pixel) {
  int shift = depth < 12 ? 14 - depth : 2;
  int sample = (value + (1 << (shift - 1))) >> shift;
  return sample < 0 ? 0 : sample > max_pixel ? max_pixel : sample;
}

/// `inside`, one axis, for displacements d in quarters: all samples of the block lie between the first and the last pixel.
VERGENCE_DEFINITION bool is_inside_quarters(int start, int extent, int d, int side) {
  return 4 * start + d >= 0 && 4 * (start + extent - 1) + d <= 4 * (side - 1);
}

VERGENCE_DEFINITIONS_END

#endif
