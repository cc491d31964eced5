// SPDX-License-Identifier: Apache-2.0
// A picture of fewer pixels: the mean of each square block.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "vergence/image.hpp"

namespace vergence {

/// Sums of `Count` neighbours each.
template <int Count, class Sum>
void add_neighbours(const Sum* from, int width, Sum* to) {
  for (int x = 0; x < width; ++x) {
    std::uint32_t sum = 0;
    for (int dx = 0; dx < Count; ++dx) sum += from[Count * x + dx];
    to[x] = static_cast<Sum>(sum);
  }
}

/// As reduce_row, some pixels at a time, by sums of `Known` / 3 neighbours and then of three of these: compilers find
/// vector code for steps of three, and of powers of two, but not for their products.
template <int Known, class T, class Sum>
void reduce_row_by_thirds(const Sum* columns, int width, T* to) {
  constexpr int part = Known / 3, some = 64;
  constexpr Sum area = Known * Known;
  static_assert(area * std::uint64_t{std::numeric_limits<T>::max()} + area <= std::numeric_limits<Sum>::max());
  std::array<Sum, 3 * some> thirds;
  std::array<Sum, some> sums;
  for (int x = 0; x < width; x += some) {
    const int count = std::min(some, width - x);
    add_neighbours<part>(columns + Known * x, 3 * count, thirds.data());
    add_neighbours<3>(thirds.data(), count, sums.data());
    for (int i = 0; i < count; ++i)
      to[x + i] = static_cast<T>(static_cast<Sum>(sums[static_cast<std::size_t>(i)] + area / 2) / area);
  }
}

/// A row of means of blocks; `columns` are sums of columns of blocks, `factor` to a block. `Known` is `factor`, or 0
/// where compilers do not know it: with a known one they find vector code, and no division.
template <int Known, class T, class Sum>
void reduce_row(const Sum* columns, int factor, int width, T* to) {
  if constexpr (Known > 3 && Known % 3 == 0) return reduce_row_by_thirds<Known>(columns, width, to);
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
