// SPDX-License-Identifier: Apache-2.0
// Raw pictures of a sensor with colour filters. Of their 2x2 pixels two lie behind green filters, at one diagonal: the
// picture alternates as a chessboard does, which nothing that a lens shows does.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "inspect/few_levels.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int side = 16;      // px of a patch
constexpr int most_rows = 8;  // of patches
constexpr int most_columns = 12;
constexpr int least_patches = 12;
// What patches hold of a chessboard beside what they hold of patterns of half that frequency, in percent. Photographs
// have up to 112, noise up to 117, mosaics 587 and more.
constexpr std::int64_t told = 250, doubtful = 170;
constexpr int few = 3;                     // one patch of so many along and across is looked at first
constexpr std::int64_t least_range = 512;  // the chessboard's share of the range of pixels, as 1 in so many
// Ordered dithering has one sign throughout. It holds half as much of rows (or columns) in turn as of a chessboard, and
// less of the other ones, where those of mosaics are alike (the difference of red and blue: 3 % of the chessboard
// apart); or it is weak: that to 15 and 16 bits a pixel holds 0.9 to 2.3 of 255 levels.
constexpr std::int64_t one_sign = 98;     // percent of the chessboard
constexpr std::int64_t unlike_lines = 8;  // the difference of both, as 1 in so many of the chessboard
constexpr std::int64_t weak = 100;        // the chessboard's share of the range, as 1 in so many

/// What a patch holds of a chessboard, of rows and of columns in turn, each with its sign; and of two patterns that
/// alternate along rows or columns and have half the frequency across.
struct Patterns {
  std::int64_t chessboard = 0, rows = 0, columns = 0, along = 0, across = 0;
};
template <class Pixel>
Patterns patterns(ImageView<const Pixel> picture, int left, int top) {
  constexpr std::array half{1, 1, -1, -1};
  Patterns found;
  for (int y = 0; y < side; ++y) {
    const Pixel* const row = picture.row(top + y) + left;
    std::int64_t all = 0, alternating = 0, slow = 0;
    for (int x = 0; x < side; ++x) {
      all += row[x];
      alternating += x % 2 == 0 ? row[x] : -int{row[x]};
      slow += half[static_cast<std::size_t>(x % 4)] * row[x];
    }
    const int sign = y % 2 == 0 ? 1 : -1;
    found.chessboard += sign * alternating;
    found.rows += sign * all;
    found.columns += alternating;
    found.across += sign * slow;
    found.along += half[static_cast<std::size_t>(y % 4)] * alternating;
  }
  return found;
}

/// Sums over patches, whose places are even.
struct PatternSums {
  std::int64_t chessboard = 0, along = 0, across = 0;  ///< Of sizes.
  Patterns with_sign;
  void add(const Patterns& one) {
    chessboard += std::abs(one.chessboard);
    along += std::abs(one.along);
    across += std::abs(one.across);
    with_sign.chessboard += one.chessboard;
    with_sign.rows += one.rows;
    with_sign.columns += one.columns;
  }
  /// `range`: of the pixels, times their number.
  bool is_dithered(std::int64_t range) const {
    const std::int64_t apart = std::abs(std::abs(with_sign.rows) - std::abs(with_sign.columns));
    return 100 * std::abs(with_sign.chessboard) >= one_sign * chessboard &&
           (unlike_lines * apart >= chessboard || weak * chessboard < range);
  }
};

template <class Pixel>
bool is_mosaic(ImageView<const Pixel> picture) {
  const int columns = std::min(most_columns, picture.width() / side);
  const int rows = std::min(most_rows, picture.height() / side);
  if (columns * rows < least_patches || inspect::has_few_levels(picture)) return false;
  const auto left_of = [&](int column) { return (picture.width() - side) * column / std::max(columns - 1, 1) / 2 * 2; };
  const auto top_of = [&](int row) { return (picture.height() - side) * row / std::max(rows - 1, 1) / 2 * 2; };
  PatternSums some;  // most pictures hold so little of it in a few patches that the others tell nothing
  for (int row = 0; row < rows; row += few)
    for (int column = 0; column < columns; column += few) some.add(patterns(picture, left_of(column), top_of(row)));
  if (100 * some.chessboard < doubtful * std::max(some.along, some.across)) return false;
  PatternSums sum;
  int patches = 0, of_chessboards = 0;  // that are not flat; and those in which the chessboard is the strongest
  Pixel lowest = picture(0, 0), highest = lowest;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int left = left_of(column), top = top_of(row);
      const Patterns found = patterns(picture, left, top);
      sum.add(found);
      const std::int64_t strongest = std::max(std::abs(found.along), std::abs(found.across));
      patches += std::abs(found.chessboard) + strongest > 0 ? 1 : 0;
      of_chessboards += std::abs(found.chessboard) > strongest ? 1 : 0;
      const auto [least, most] = std::minmax_element(picture.row(top) + left, picture.row(top) + left + side);
      lowest = std::min(lowest, *least);
      highest = std::max(highest, *most);
    }
  const std::int64_t range = std::int64_t{columns} * rows * side * side * (highest - lowest);
  return 100 * sum.chessboard >= told * std::max(sum.along, sum.across) && least_range * sum.chessboard >= range &&
         sum.chessboard > 0 && 3 * of_chessboards >= 2 * patches &&  // a hatched legend is in some of them
         !sum.is_dithered(range);
}

}  // namespace

bool inspect_mosaic(ImageView<const std::uint8_t> picture) { return is_mosaic(picture); }
bool inspect_mosaic(ImageView<const std::uint16_t> picture) { return is_mosaic(picture); }

}  // namespace vergence
