// SPDX-License-Identifier: Apache-2.0
// Sums over all pixels of a map: apart, as the compiler optimises this more than the rest of the program.
#pragma once

#include <cstdint>

#include "vergence/image.hpp"

namespace vergence::cli {

/// Of the pixels that have a disparity.
struct DisparitySums {
  std::int64_t valid = 0;  ///< How many.
  std::int64_t zero = 0;   ///< How many within half a px of 0.
  std::int64_t sum = 0;    ///< Of all, in 1/16 px.
};

/// `invalid` as StereoMatcher::invalid.
DisparitySums sums_of(ImageView<const std::int16_t> map, int invalid);
DisparitySums sums_of(ImageView<const std::int32_t> map, int invalid);

}  // namespace vergence::cli
