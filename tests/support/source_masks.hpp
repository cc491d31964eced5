// SPDX-License-Identifier: Apache-2.0
// Seeded source masks: those of rectified pictures, and such as no lens makes.
#pragma once

#include <cstdint>

#include "support/filter_maps.hpp"
#include "vergence/image.hpp"

namespace vergence::test {

/// Values that are neither 0 nor 1 are among them.
inline Image<std::uint8_t> draw_source_mask(Maps& maps, Size size) {
  const int kind = maps.below(5), one = 1 + maps.below(255), slope = maps.below(3);
  const int first = maps.below(size.width + 1), end = maps.below(size.width + 1);
  Image<std::uint8_t> mask(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      bool shows = true;                                                              // kind 0: everything
      if (kind == 1) shows = maps.below(8) != 0;                                      // holes
      if (kind == 2) shows = x >= first / 4 + slope * y && x < size.width - end / 4;  // a slanted edge
      if (kind == 3) shows = x >= first && x < end;                                   // a stripe, or nothing
      if (kind == 4) shows = maps.below(8) == 0;
      mask(x, y) = static_cast<std::uint8_t>(shows ? one : 0);
    }
  return mask;
}

}  // namespace vergence::test
