// SPDX-License-Identifier: Apache-2.0
// A picture of fewer pixels: the mean of each square block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vergence/image.hpp"

namespace vergence {

/// The mean of each block of `factor` x `factor` pixels, halves up; `factor` is 1..256. Columns and rows that fill no
/// block are left out.
template <class T>
Image<T> reduced(ImageView<const T> picture, int factor) {
  Image<T> small(picture.width() / factor, picture.height() / factor);
  const int width = small.width() * factor;
  const auto area = static_cast<std::uint32_t>(factor * factor);
  std::vector<std::uint32_t> columns(static_cast<std::size_t>(width));
  for (int y = 0; y < small.height(); ++y) {
    std::fill(columns.begin(), columns.end(), 0);
    for (int dy = 0; dy < factor; ++dy) {
      const T* const from = picture.row(y * factor + dy);
      for (int x = 0; x < width; ++x) columns[static_cast<std::size_t>(x)] += from[x];
    }
    const std::uint32_t* column = columns.data();
    for (int x = 0; x < small.width(); ++x) {
      std::uint32_t sum = area / 2;
      for (int dx = 0; dx < factor; ++dx) sum += *column++;
      small(x, y) = static_cast<T>(sum / area);
    }
  }
  return small;
}

}  // namespace vergence
