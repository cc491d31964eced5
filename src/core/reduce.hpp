// SPDX-License-Identifier: Apache-2.0
// A picture of fewer pixels: the mean of each square block.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
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

/// reduce_row for this factor: known to compilers up to 12, by which frames of 3840 px become 320.
template <class T, class Sum>
auto reduce_row_for(int factor) {
  constexpr auto rows = []<int... Known>(std::integer_sequence<int, Known...>) {
    return std::array{&reduce_row<Known, T, Sum>...};
  }
  (std::make_integer_sequence<int, 13>());
  return rows[factor < std::ssize(rows) ? static_cast<std::size_t>(factor) : 0];
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
