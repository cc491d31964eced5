// SPDX-License-Identifier: Apache-2.0
// A picture of fewer pixels: the mean of each square block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "vergence/image.hpp"

namespace vergence {

/// A row of means of blocks; `columns` are sums of columns of blocks, `factor` to a block. `Known` is `factor`, or 0
/// where compilers do not know it: with a known one they find vector code, and no division.
template <int Known, class T, class Sum>
void reduce_row(const Sum* columns, int factor, int width, T* to) {
  const int side = Known > 0 ? Known : factor;
  const auto area = static_cast<std::uint32_t>(side * side);
  for (int x = 0; x < width; ++x) {
    std::uint32_t sum = area / 2;
    for (int dx = 0; dx < side; ++dx) sum += columns[side * x + dx];
    to[x] = static_cast<T>(sum / area);
  }
}

/// reduce_row for this factor.
template <class T, class Sum>
auto reduce_row_for(int factor) {
  return factor == 2   ? reduce_row<2, T, Sum>
         : factor == 3 ? reduce_row<3, T, Sum>
         : factor == 4 ? reduce_row<4, T, Sum>
                       : reduce_row<0, T, Sum>;
}

/// The mean of each block of `factor` x `factor` pixels, halves up; `factor` is 1..256. Columns and rows that fill no
/// block are left out.
template <class T>
Image<T> reduced(ImageView<const T> picture, int factor) {
  using Sum = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;  // of 256 pixels
  Image<T> small(picture.width() / factor, picture.height() / factor);
  const int width = small.width() * factor;
  std::vector<Sum> columns(static_cast<std::size_t>(width));
  const auto row = reduce_row_for<T, Sum>(factor);
  for (int y = 0; y < small.height(); ++y) {
    const T* const first = picture.row(y * factor);
    std::copy(first, first + width, columns.begin());
    for (int dy = 1; dy < factor; ++dy) {
      const T* const from = picture.row(y * factor + dy);
      Sum* const to = columns.data();
      for (int x = 0; x < width; ++x) to[x] = static_cast<Sum>(to[x] + from[x]);
    }
    row(columns.data(), factor, small.width(), small.row(y));
  }
  return small;
}

}  // namespace vergence
