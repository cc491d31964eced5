// SPDX-License-Identifier: Apache-2.0
// Rows and columns that are not what lies beside them: rows that were lost, and lines of two pictures in turn.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "inspect/few_levels.hpp"
#include "vergence/inspect_lines.hpp"

namespace vergence {
namespace {

constexpr Size least_picture{64, 48};

// --- rows that were lost ---

constexpr int flat_share = 64;    // a row is flat where it varies by 1 in so many of the largest value at most
constexpr int unlike_share = 32;  // and the rows beside it differ by so much in the mean
constexpr int most_together = 2;  // rows; more are a bar
constexpr int least_lost = 3;
constexpr int least_per_thousand = 10, most_per_thousand = 250;  // of all rows; more are drawn

/// Most rows stop at their first pixels.
template <class Pixel>
bool is_flat(const Pixel* row, int width, int levels) {
  for (const int x : {width / 5, 2 * width / 5, 3 * width / 5, 4 * width / 5})
    if (std::abs(row[x] - row[0]) > levels) return false;
  Pixel lowest = row[0], highest = row[0];
  for (int x = 1; x < width; ++x) {
    lowest = std::min(lowest, row[x]);
    highest = std::max(highest, row[x]);
    if (highest - lowest > levels) return false;
  }
  return true;
}

/// Is a row far from this level in the mean? Rows of an over-exposed street are not.
template <class Pixel>
bool is_unlike(const Pixel* row, int width, Pixel level, int least) {
  std::int64_t sum = 0;
  for (int x = 0; x < width; ++x) sum += std::abs(int{row[x]} - int{level});
  return sum >= std::int64_t{least} * width;
}

template <class Pixel>
LostRows lost_rows(ImageView<const Pixel> picture, int max_value) {
  if (picture.width() < least_picture.width || picture.height() < least_picture.height) return {};
  LostRows found;
  const int levels = max_value / flat_share, apart = max_value / unlike_share;
  int flat = 0, first = 0;  // of the flat rows above
  for (int y = 0; y < picture.height(); ++y) {
    if (is_flat(picture.row(y), picture.width(), levels)) {
      if (flat++ == 0) first = y;
      continue;
    }
    // At the upper edge they may be a bar.
    if (flat > 0 && flat <= most_together && first > 0 &&
        is_unlike(picture.row(first - 1), picture.width(), picture(0, first), apart) &&
        is_unlike(picture.row(y), picture.width(), picture(0, first), apart)) {
      if (found.rows == 0) found.first = first;
      found.rows += flat;
    }
    flat = 0;
  }
  const int per_thousand = 1000 * found.rows / picture.height();
  return found.rows < least_lost || per_thousand < least_per_thousand || per_thousand > most_per_thousand ? LostRows{}
                                                                                                          : found;
}

// --- lines of two pictures in turn ---

constexpr int side = 16;                        // px of a patch
constexpr int most_rows = 6, most_columns = 8;  // of patches
// What patches hold of every second line beside what they hold of every second pair of lines, in percent. Photographs,
// also noisy, compressed, sharpened and reduced ones, have up to 94; two views in turn have 184 and more, but for two
// of 68, and more of the former in 65 % of their patches and more.
constexpr std::int64_t told_percent = 150, doubtful_percent = 110;
constexpr int told_patches = 60;
constexpr std::int64_t least_range = 128;  // the share of a line's range, as 1 in so many

struct Alternation {
  std::int64_t lines = 0, pairs = 0;
  int patches = 0;  ///< In which there is more of the former.

  void add(const std::array<int, side>& sums) {
    int of_lines = 0, of_pairs = 0;
    for (std::size_t i = 0; i < side; ++i) {
      of_lines += i % 2 == 0 ? sums[i] : -sums[i];
      of_pairs += i % 4 < 2 ? sums[i] : -sums[i];
    }
    lines += std::abs(of_lines);
    pairs += std::abs(of_pairs);
    patches += std::abs(of_lines) > std::abs(of_pairs) ? 1 : 0;
  }
  bool told(int all, std::int64_t largest, std::int64_t percent) const {
    return 100 * lines >= percent * pairs && 100 * patches >= told_patches * all * percent / told_percent &&
           least_range * lines >= largest * side * side * all * percent / told_percent;
  }
};

/// Of patches of 16x16 px, one of `apart` along and across.
template <class Pixel>
LinesInTurn lines_in_turn(ImageView<const Pixel> picture, std::int64_t percent, int apart) {
  const int columns = std::min(most_columns, picture.width() / side),
            rows = std::min(most_rows, picture.height() / side);
  Alternation along, across;
  int largest = 1, patches = 0;
  std::int64_t chessboard = 0;  // of which ordered dithering holds more than of lines, with one sign throughout
  for (int row = 0; row < rows; row += apart)
    for (int column = 0; column < columns; column += apart, ++patches) {
      // Even places: all patches have the chessboard's signs at the same pixels.
      const int left = (picture.width() - side) * column / std::max(columns - 1, 1) / 2 * 2;
      const int top = (picture.height() - side) * row / std::max(rows - 1, 1) / 2 * 2;
      std::array<int, side> of_columns{}, of_rows{};
      for (std::size_t y = 0; y < side; ++y) {
        const Pixel* const pixels = picture.row(top + static_cast<int>(y)) + left;
        for (std::size_t x = 0; x < side; ++x) {
          of_columns[x] += pixels[x];
          of_rows[y] += pixels[x];
          chessboard += (x + y) % 2 == 0 ? pixels[x] : -int{pixels[x]};
        }
      }
      along.add(of_columns);
      across.add(of_rows);
      largest = std::max<int>(largest, picture(left, top));
    }
  const auto told = [&](const Alternation& lines) {
    return lines.told(patches, largest, percent) && std::abs(chessboard) < lines.lines;
  };
  return {told(along), told(across)};
}

template <class Pixel>
LinesInTurn find_lines_in_turn(ImageView<const Pixel> picture) {
  if (picture.width() < least_picture.width || picture.height() < least_picture.height) return {};
  if (inspect::has_few_levels(picture)) return {};
  const LinesInTurn some = lines_in_turn(picture, doubtful_percent, 2);  // which spares the others of most pictures
  return some.columns || some.rows ? lines_in_turn(picture, told_percent, 1) : LinesInTurn{};
}

}  // namespace

LostRows inspect_lost_rows(ImageView<const std::uint8_t> picture, int max_value) {
  return lost_rows(picture, max_value);
}
LostRows inspect_lost_rows(ImageView<const std::uint16_t> picture, int max_value) {
  return lost_rows(picture, max_value);
}
LinesInTurn inspect_lines_in_turn(ImageView<const std::uint8_t> picture) { return find_lines_in_turn(picture); }
LinesInTurn inspect_lines_in_turn(ImageView<const std::uint16_t> picture) { return find_lines_in_turn(picture); }

}  // namespace vergence
