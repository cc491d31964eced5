// SPDX-License-Identifier: Apache-2.0
// Checks that all domains share; their messages name the field, the value and what is allowed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "vergence/error.hpp"
#include "vergence/image.hpp"

namespace vergence {

/// No picture is wider or higher: positions need 32 bits.
inline constexpr int largest_side = 1 << 20;

namespace option_checks {

/// `field` is Field::name, or another literal.
[[noreturn]] inline void refuse(std::string_view field, const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message, field);
}

/// `what` is "picture" or "frame". Pixel numbers fit 31 bits.
inline void check_size(const char* what, Size size, int smallest_side) {
  constexpr long long most_pixels = 0x7FFFFFFF;
  if (std::min(size.width, size.height) < smallest_side || std::max(size.width, size.height) > largest_side)
    refuse("size", fmt::format("{} size is {}x{}: allowed are {}x{} .. {}x{}", what, size.width, size.height,
                               smallest_side, smallest_side, largest_side, largest_side));
  if (static_cast<long long>(size.width) * size.height > most_pixels)
    refuse("size", fmt::format("{} size is {}x{}: at most {} pixels are allowed, split the {}", what, size.width,
                               size.height, most_pixels, what));
}

}  // namespace option_checks
}  // namespace vergence
