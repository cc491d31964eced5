// SPDX-License-Identifier: Apache-2.0
// Raw pictures of a sensor with colour filters. Of their 2x2 pixels two lie behind green filters, at one diagonal: the
// picture alternates as a chessboard does, which nothing that a lens shows does.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int side = 16;      // px of a patch
constexpr int most_rows = 8;  // of patches
constexpr int most_columns = 12;
constexpr int least_patches = 12;
// What patches hold of a chessboard beside what they hold of patterns of half that frequency, in percent. Photographs
// have up to 112, noise up to 117, mosaics 587 and more.
constexpr std::int64_t told = 250;
constexpr std::int64_t least_range = 512;  // the chessboard's share of the range of pixels, as 1 in so many

/// What a patch holds of a chessboard, and of two patterns that alternate along rows or columns and have half the
/// frequency across.
struct Patterns {
  std::int64_t chessboard = 0, along = 0, across = 0;
};
template <class Pixel>
Patterns patterns(ImageView<const Pixel> picture, int left, int top) {
  constexpr std::array half{1, 1, -1, -1};
  std::int64_t chessboard = 0, along = 0, across = 0;
  for (int y = 0; y < side; ++y) {
    const Pixel* const row = picture.row(top + y) + left;
    std::int64_t alternating = 0, slow = 0;
    for (int x = 0; x < side; ++x) {
      alternating += x % 2 == 0 ? row[x] : -int{row[x]};
      slow += half[static_cast<std::size_t>(x % 4)] * row[x];
    }
    const int sign = y % 2 == 0 ? 1 : -1;
    chessboard += sign * alternating;
    across += sign * slow;
    along += half[static_cast<std::size_t>(y % 4)] * alternating;
  }
  return {std::abs(chessboard), std::abs(along), std::abs(across)};
}

template <class Pixel>
bool is_mosaic(ImageView<const Pixel> picture) {
  const int columns = std::min(most_columns, picture.width() / side);
  const int rows = std::min(most_rows, picture.height() / side);
  if (columns * rows < least_patches) return false;
  Patterns sum;
  int patches = 0, of_chessboards = 0;  // that are not flat; and those in which the chessboard is the strongest
  Pixel lowest = picture(0, 0), highest = lowest;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int left = (picture.width() - side) * column / std::max(columns - 1, 1);
      const int top = (picture.height() - side) * row / std::max(rows - 1, 1);
      const Patterns found = patterns(picture, left, top);
      sum.chessboard += found.chessboard;
      sum.along += found.along;
      sum.across += found.across;
      patches += found.chessboard + found.along + found.across > 0 ? 1 : 0;
      of_chessboards += found.chessboard > std::max(found.along, found.across) ? 1 : 0;
      const auto [least, most] = std::minmax_element(picture.row(top) + left, picture.row(top) + left + side);
      lowest = std::min(lowest, *least);
      highest = std::max(highest, *most);
    }
  return 100 * sum.chessboard >= told * std::max(sum.along, sum.across) &&
         least_range * sum.chessboard >= std::int64_t{columns} * rows * side * side * (highest - lowest) &&
         sum.chessboard > 0 && 3 * of_chessboards >= 2 * patches;  // a hatched legend is in some of them
}

}  // namespace

bool inspect_mosaic(ImageView<const std::uint8_t> picture) { return is_mosaic(picture); }
bool inspect_mosaic(ImageView<const std::uint16_t> picture) { return is_mosaic(picture); }

}  // namespace vergence
