// SPDX-License-Identifier: Apache-2.0
// The horizontal 3x3 Sobel derivative that the prefilter and the texture sum use.
#ifndef VERGENCE_DEFINITIONS_STEREO_XSOBEL_H
#define VERGENCE_DEFINITIONS_STEREO_XSOBEL_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// cap + the derivative clipped to [-cap, cap]; `left` and `right` are the columns x - 1 and x + 1 of the rows above,
/// at and below the pixel.
VERGENCE_DEFINITION int xsobel(int left_above, int right_above, int left, int right, int left_below, int right_below,
                               int cap) {
  int derivative = (right_above - left_above) + 2 * (right - left) + (right_below - left_below);
  return derivative < -cap ? 0 : derivative > cap ? 2 * cap : cap + derivative;
}

/// The row that stands in for row y, which may be one above or below a picture of this height: row -1 is row 1.
VERGENCE_DEFINITION int mirrored_row(int y, int height) {
  if (height == 1) return 0;
  return y < 0 ? -y : y >= height ? 2 * height - 2 - y : y;
}

/// What one tap adds to the texture sum.
VERGENCE_DEFINITION int texture_tap(int filtered, int cap) { return filtered > cap ? filtered - cap : cap - filtered; }

VERGENCE_DEFINITIONS_END

#endif
