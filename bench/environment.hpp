// SPDX-License-Identifier: Apache-2.0
// What the environment asks of the GPU benchmarks: which cases, and numbers in place of defaults.
#pragma once

#include <cstdlib>
#include <string>

#include "vergence/image.hpp"

namespace vergence::bench {

/// NAME=N takes the place of a number.
inline void take_number(const char* name, int& number) {
  if (const char* const text = std::getenv(name); text != nullptr) number = std::atoi(text);
}

/// ONLY=TEXT takes cases whose name holds it.
inline bool is_wanted(const std::string& name) {
  const char* const text = std::getenv("ONLY");
  return text == nullptr || name.find(text) != std::string::npos;
}

/// WIDTH=N takes frames so wide.
inline bool is_wanted(Size size) {
  int width = size.width;
  take_number("WIDTH", width);
  return width == size.width;
}

}  // namespace vergence::bench
