// SPDX-License-Identifier: Apache-2.0
// A grey picture as bytes: 8-bit ones as they are, deeper ones by their upper bits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vergence/io.hpp"

namespace vergence::cli {

class UpperBytes {
 public:
  explicit UpperBytes(const GreyPicture& picture) : picture_(picture) {
    if (picture.depth == Depth::u8) return;
    own_ = Image<std::uint8_t>(picture.size());
    int shift = 0;
    while (picture.max_value >> shift > 255) ++shift;
    for (int y = 0; y < picture.height(); ++y)
      std::transform(picture.u16.row(y), picture.u16.row(y) + picture.width(), own_.row(y),
                     [shift](int pixel) { return static_cast<std::uint8_t>(std::min(pixel >> shift, 255)); });
  }
  ImageView<const std::uint8_t> view() const { return picture_.depth == Depth::u8 ? picture_.u8.view() : own_.view(); }

 private:
  const GreyPicture& picture_;
  Image<std::uint8_t> own_;
};

}  // namespace vergence::cli
