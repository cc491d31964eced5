// SPDX-License-Identifier: Apache-2.0
// The x-Sobel picture of `prefilter` and of the texture sum.
#pragma once

#include "definitions/stereo/xsobel.h"
#include "plan/stereo/plan.hpp"

namespace vergence::reference {

/// cap + clipped derivative of every pixel. The first and the last column hold cap, and under
/// StereoPrefilter::xsobel_opencv so does the last row of a picture of odd height.
template <class P>
void xsobel_picture(const StereoPlan& plan, ImageView<const P> picture, ImageView<std::uint16_t> out) {
  const int width = picture.width();
  const int height = picture.height();
  const int cap = plan.options.prefilter_cap;
  const bool blank_last_row = plan.options.prefilter == StereoPrefilter::xsobel_opencv && height % 2 == 1;
  for (int y = 0; y < height; ++y) {
    const P* above = picture.row(definitions::mirrored_row(y - 1, height));
    const P* row = picture.row(y);
    const P* below = picture.row(definitions::mirrored_row(y + 1, height));
    for (int x = 0; x < width; ++x) {
      int value = cap;
      if (x > 0 && x < width - 1 && !(blank_last_row && y == height - 1))
        value =
            definitions::xsobel(above[x - 1], above[x + 1], row[x - 1], row[x + 1], below[x - 1], below[x + 1], cap);
      out(x, y) = static_cast<std::uint16_t>(value);
    }
  }
}

}  // namespace vergence::reference
