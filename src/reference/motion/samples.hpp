// SPDX-License-Identifier: Apache-2.0
// Samples of a frame between its pixels, whose edge pixels are repeated without end.
#pragma once

#include <cstdint>

#include "definitions/motion/block.h"
#include "definitions/motion/interpolate.h"
#include "vergence/image.hpp"

namespace vergence::reference {

/// A filter along one axis: `taps` pixels from `first` on, weights by (fraction, k).
struct Filter {
  int taps;
  int first;
  int (*weight)(int fraction, int k);
};
inline constexpr Filter luma_filter{8, -3, [](int quarters, int k) { return definitions::luma_tap(quarters, k); }};
inline constexpr Filter chroma_filter{4, -1, [](int eighths, int k) { return definitions::chroma_tap(eighths, k); }};

template <class P>
class Sampler {
 public:
  Sampler(ImageView<const P> picture, const Filter& filter, int max_pixel)
      : picture_(picture),
        filter_(filter),
        max_pixel_(max_pixel),
        depth_(definitions::interpolation_depth(max_pixel)) {}

  /// At (x + fraction_x, y + fraction_y), fractions in the filter's unit.
  int at(int x, int y, int fraction_x, int fraction_y) const {
    if (fraction_x == 0 && fraction_y == 0) return pixel(x, y);
    if (fraction_y == 0) return definitions::sample_from(across(x, y, fraction_x), depth_, max_pixel_);
    std::int32_t sum = 0;
    for (int k = 0; k < filter_.taps; ++k) {
      const int row = y + filter_.first + k;
      sum += filter_.weight(fraction_y, k) * (fraction_x == 0 ? pixel(x, row) : across(x, row, fraction_x));
    }
    // A vertical filter alone is a first one.
    sum >>= fraction_x == 0 ? definitions::first_shift(depth_) : definitions::second_shift();
    return definitions::sample_from(sum, depth_, max_pixel_);
  }

 private:
  int pixel(int x, int y) const {
    return picture_(definitions::padded(x, picture_.width()), definitions::padded(y, picture_.height()));
  }
  std::int32_t across(int x, int y, int fraction) const {
    std::int32_t sum = 0;
    for (int k = 0; k < filter_.taps; ++k) sum += filter_.weight(fraction, k) * pixel(x + filter_.first + k, y);
    return sum >> definitions::first_shift(depth_);
  }

  ImageView<const P> picture_;
  const Filter& filter_;
  int max_pixel_;
  int depth_;
};

}  // namespace vergence::reference
