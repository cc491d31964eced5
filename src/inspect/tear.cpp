// SPDX-License-Identifier: Apache-2.0
// Frames that were put together of two, along a row: what is below lies beside what is above. Edges of things along a
// whole row leave no other place at which both fit.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "inspect/to_bytes.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using TornPicture = ImageView<const std::uint8_t>;

constexpr Size least_torn{64, 48};
constexpr int most_tear = 48;       // px
constexpr int least_tear = 2;       // less is a lens or rounding
constexpr int steps_beside = 4;     // at each side, that a step from row to row is compared with
constexpr int least_tear_step = 3;  // grey levels
// In percent: beside the largest step next to it; what may be left of it once it is moved; and of the mean of the steps
// next to it. Of 57 photographs none has such a row; torn by 4 px and more, 38 or 39 of 40 have.
constexpr int outstanding_percent = 140;
constexpr int worth_percent = 115;  // the same of some pieces of rows
constexpr int fitting_percent = 65;
constexpr int usual_percent = 140;
// And of what is left 3 to 8 px beside that place: where rows are flat but for an edge, many places fit.
constexpr int sharp_percent = 80;
constexpr int sharp_from = 3, sharp_to = 8;  // px

int difference_of(const std::uint8_t* a, const std::uint8_t* b, int count) {
  constexpr int most = 1 << 22;  // px; so many tell enough, and their sum is an int
  int sum = 0;
  for (int x = 0; x < std::min(count, most); ++x) sum += std::abs(a[x] - b[x]);  // compilers know this form
  return sum;
}

/// The same of every second piece of a row, in wide pictures of every fourth one: what tells whether all of it is worth
/// a look.
constexpr int piece = 64;  // px
constexpr int wide_picture = 16 * piece;
int apart_of_pieces(int width) { return width < wide_picture ? 2 * piece : 4 * piece; }
int difference_of_pieces(const std::uint8_t* a, const std::uint8_t* b, int width) {
  int sum = 0;
  for (int x = 0; x + piece <= width; x += apart_of_pieces(width)) sum += difference_of(a + x, b + x, piece);
  return sum;
}
int pixels_of_pieces(int width) {
  const int apart = apart_of_pieces(width);
  return (width - piece + apart) / apart * piece;
}

/// More than any step next to it, by so many percent.
bool stands_out(const std::vector<int>& steps, std::size_t at, int pixels, int percent) {
  if (outstanding_percent * std::int64_t{steps[at]} < percent * std::int64_t{least_tear_step} * pixels) return false;
  for (std::size_t i = at - steps_beside; i <= at + steps_beside; ++i)
    if (i != at && percent * std::int64_t{steps[i]} > 100 * std::int64_t{steps[at]}) return false;
  return true;
}

/// Of whole rows.
bool stands_out(TornPicture picture, std::vector<int>& steps, std::size_t at) {
  for (std::size_t i = at - steps_beside; i <= at + steps_beside; ++i) {
    const int row = static_cast<int>(i);
    steps[i] = difference_of(picture.row(row), picture.row(row + 1), picture.width());
  }
  return stands_out(steps, at, picture.width(), outstanding_percent);
}

/// The shift at which the row below fits the one above; 0 where none does.
int fitting_shift(TornPicture picture, const std::vector<int>& steps, std::size_t at) {
  const int width = picture.width(), row = static_cast<int>(at);
  const std::uint8_t *const above = picture.row(row), *const below = picture.row(row + 1);
  std::int64_t usual = 0;
  for (std::size_t i = at - steps_beside; i <= at + steps_beside; ++i) usual += i == at ? 0 : steps[i];
  const auto left_at = [=](int shift) {
    const int common = width - std::abs(shift);
    return std::int64_t{difference_of(above + std::max(shift, 0), below + std::max(-shift, 0), common)} * width /
           common;
  };
  int best = 0;
  std::int64_t least = steps[at];
  for (int shift = -most_tear; shift <= most_tear; ++shift) {
    if (std::abs(shift) < least_tear) continue;
    if (const std::int64_t here = left_at(shift); here < least) least = here, best = shift;
  }
  for (int away = sharp_from; away <= sharp_to; ++away)
    if (100 * least > sharp_percent * std::min(left_at(best - away), left_at(best + away))) return 0;
  const bool fits = 100 * least <= fitting_percent * std::int64_t{steps[at]} &&
                    100 * 2 * steps_beside * least <= usual_percent * usual;
  return fits ? best : 0;
}

TearFindings find_tear(TornPicture picture) {
  if (picture.width() < least_torn.width || picture.height() < least_torn.height) return {};
  std::vector<int> some(static_cast<std::size_t>(picture.height()) - 1), steps(some.size());
  for (std::size_t y = 0; y < some.size(); ++y) {
    const int row = static_cast<int>(y);
    some[y] = difference_of_pieces(picture.row(row), picture.row(row + 1), picture.width());
  }
  for (std::size_t y = steps_beside; y + steps_beside < steps.size(); ++y)
    if (stands_out(some, y, pixels_of_pieces(picture.width()), worth_percent) && stands_out(picture, steps, y))
      if (const int shift = fitting_shift(picture, steps, y); shift != 0) return {static_cast<int>(y) + 1, -shift};
  return {};
}

}  // namespace

TearFindings inspect_tear(ImageView<const std::uint8_t> picture) { return find_tear(picture); }
TearFindings inspect_tear(ImageView<const std::uint16_t> picture, int max_value) {
  return find_tear(inspect::Bytes(picture, max_value).view());
}

}  // namespace vergence
