// SPDX-License-Identifier: Apache-2.0
// The hash that reports carry: two runs with equal hashes gave equal disparities.
#pragma once

#include <cstdint>

#include "vergence/image.hpp"

namespace vergence::cli {

/// FNV-1a, 64 bits, over the values as 32-bit little-endian numbers in raster order: int16 and int32 maps of equal
/// values have equal hashes, strides do not matter, frames of a stream follow each other.
class DisparityHash {
 public:
  template <class Disparity>
  void add(ImageView<const Disparity> map) {
    for (int y = 0; y < map.height(); ++y)
      for (int x = 0; x < map.width(); ++x) add_value(static_cast<std::uint32_t>(std::int32_t{map(x, y)}));
  }
  std::uint64_t value() const { return state_; }

 private:
  void add_value(std::uint32_t value) {
    for (int byte = 0; byte < 4; ++byte) {
      state_ = (state_ ^ (value & 255u)) * 0x100000001B3u;
      value >>= 8;
    }
  }
  std::uint64_t state_ = 0xCBF29CE484222325u;
};

}  // namespace vergence::cli
