// SPDX-License-Identifier: Apache-2.0
// Words by which variables of the environment switch something on or off.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace vergence {

/// Whether `value` is one of these words of lower case, whatever its own case.
template <std::size_t N>
bool is_one_of(std::string_view value, const std::array<std::string_view, N>& words) {
  const auto same = [&](std::string_view word) {
    return std::equal(value.begin(), value.end(), word.begin(), word.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
  };
  return std::any_of(words.begin(), words.end(), same);
}
inline bool means_off(std::string_view value) {
  return is_one_of(value, std::array<std::string_view, 5>{"off", "no", "none", "false", "0"});
}
inline bool means_on(std::string_view value) {
  return is_one_of(value, std::array<std::string_view, 4>{"on", "yes", "true", "1"});
}

}  // namespace vergence
