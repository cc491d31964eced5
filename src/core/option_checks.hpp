// SPDX-License-Identifier: Apache-2.0
// Checks of options that all domains share; their messages name the field, the value and what is allowed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "vergence/error.hpp"
#include "vergence/image.hpp"

namespace vergence::option_checks {

[[noreturn]] inline void refuse(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

inline void check_range(const char* field, long long value, long long low, long long high, const char* note = "") {
  if (value < low || value > high)
    refuse(fmt::format("{} is {}: allowed are {} .. {}{}", field, value, low, high, note));
}

/// Enumerations can hold any number (a cast, a damaged file); devices rely on their meaning.
template <class Enum>
void check_enum(const char* field, Enum value, Enum last) {
  const int number = static_cast<int>(value);
  if (number < 0 || number > static_cast<int>(last))
    refuse(fmt::format("{} has the unknown value {}: allowed are 0 .. {}", field, number, static_cast<int>(last)));
}

/// `what` is "picture" or "frame"; positions have 32 bits with room, pixel numbers 31.
inline void check_size(const char* what, Size size, int smallest_side) {
  constexpr int largest_side = 1 << 20;
  constexpr long long most_pixels = 0x7FFFFFFF;
  if (std::min(size.width, size.height) < smallest_side || std::max(size.width, size.height) > largest_side)
    refuse(fmt::format("{} size is {}x{}: allowed are {}x{} .. {}x{}", what, size.width, size.height, smallest_side,
                       smallest_side, largest_side, largest_side));
  if (static_cast<long long>(size.width) * size.height > most_pixels)
    refuse(fmt::format("{} size is {}x{}: at most {} pixels are allowed, split the {}", what, size.width, size.height,
                       most_pixels, what));
}

}  // namespace vergence::option_checks
