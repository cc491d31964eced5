// SPDX-License-Identifier: Apache-2.0
// Small maps written as lists of numbers, so that a test shows what it expects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "vergence/image.hpp"

namespace vergence::test {

/// The pixels in raster order; the height follows from how many there are.
template <class T>
Image<T> map_of(int width, const std::vector<int>& values) {
  Image<T> map(width, static_cast<int>(values.size()) / width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<int>(i);
    map(at % width, at / width) = static_cast<T>(values[i]);
  }
  return map;
}

/// The other way round; GoogleTest prints vectors.
template <class T>
std::vector<std::int64_t> values_of(const Image<T>& map) {
  std::vector<std::int64_t> values;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) values.push_back(static_cast<std::int64_t>(map(x, y)));
  return values;
}

using Values = std::vector<std::int64_t>;

}  // namespace vergence::test
