// SPDX-License-Identifier: Apache-2.0
// A picture as bytes: 8-bit ones as they are, deeper ones by their upper bits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vergence/image.hpp"

namespace vergence::inspect {

/// The largest pixel, or `least` where that is more.
inline int highest(ImageView<const std::uint8_t> /*picture*/, int least) { return least; }
inline int highest(ImageView<const std::uint16_t> picture, int least) {
  for (int y = 0; y < picture.height(); ++y)
    least = std::max<int>(least, *std::max_element(picture.row(y), picture.row(y) + picture.width()));
  return least;
}

class Bytes {
 public:
  Bytes(ImageView<const std::uint8_t> picture, int /*max_value*/) : view_(picture) {}
  Bytes(ImageView<const std::uint16_t> picture, int max_value) : own_(picture.size()), view_(own_.view()) {
    int shift = 0;
    while (max_value >> shift > 255) ++shift;
    for (int y = 0; y < picture.height(); ++y) {
      const std::uint16_t* const from = picture.row(y);
      std::uint8_t* const to = own_.row(y);
      for (int x = 0; x < picture.width(); ++x) to[x] = static_cast<std::uint8_t>(std::min(from[x] >> shift, 255));
    }
  }
  ImageView<const std::uint8_t> view() const { return view_; }

 private:
  Image<std::uint8_t> own_;
  ImageView<const std::uint8_t> view_;
};

}  // namespace vergence::inspect
