// SPDX-License-Identifier: Apache-2.0
// What a round lens leaves dark in the corners of both pictures: it does not move with the scene, and its edge is
// found at the same place in both.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "inspect/to_bytes.hpp"
#include "vergence/inspect_layout.hpp"

namespace vergence {
namespace {

using RoundPicture = ImageView<const std::uint8_t>;

constexpr Size least_round_picture{64, 48};
constexpr int corner_side = 6;          // px that are one level in each corner
constexpr int corner_levels = 8;        // by which the surround may vary, after compression
constexpr int most_round_rows = 64;     // that are looked at
constexpr int round_slack = 3;          // px between the edges in both pictures
constexpr int round_rows_percent = 65;  // dark things beside it hide it in some
constexpr int least_bend = 8;           // px
constexpr int least_percent_of_surround = 2;

/// The level of all four corners; less than 0 where they are not of one.
int corner_level(RoundPicture picture) {
  int lowest = 255, highest = 0;
  for (const int left : {0, picture.width() - corner_side})
    for (const int top : {0, picture.height() - corner_side})
      for (int y = top; y < top + corner_side; ++y)
        for (int x = left; x < left + corner_side; ++x) {
          lowest = std::min<int>(lowest, picture(x, y));
          highest = std::max<int>(highest, picture(x, y));
          if (highest - lowest > corner_levels) return -1;
        }
  return (lowest + highest) / 2;
}

/// Pixels of a row that belong to the surround, from the left and from the right; all of them where it is whole.
struct Insets {
  int left = 0, right = 0;
};
Insets insets_of(RoundPicture picture, int y, int level) {
  const std::uint8_t* const row = picture.row(y);
  const int width = picture.width();
  const auto belongs = [=](int x) { return std::abs(row[x] - level) <= corner_levels; };
  Insets found;
  while (found.left < width && belongs(found.left)) ++found.left;
  if (found.left == width) return {width, width};
  while (belongs(width - 1 - found.right)) ++found.right;
  return found;
}

/// The rows that were looked at, and what belongs to the surround in either picture.
struct RoundRows {
  std::vector<int> at;
  std::vector<Insets> insets;
};

Rect largest_inside(const RoundRows& rows, Size size) {
  Rect best{0, 0, 0, 0};
  for (std::size_t top = 0; top < rows.at.size(); ++top) {
    int left = 0, right = 0;
    for (std::size_t bottom = top; bottom < rows.at.size(); ++bottom) {
      left = std::max(left, rows.insets[bottom].left);
      right = std::max(right, rows.insets[bottom].right);
      const Rect here{left, rows.at[top], size.width - left - right, rows.at[bottom] - rows.at[top] + 1};
      if (here.width > 0 && std::int64_t{here.width} * here.height > std::int64_t{best.width} * best.height)
        best = here;
    }
  }
  return best;
}

SurroundFindings find_surround(RoundPicture left, RoundPicture right) {
  if (left.size() != right.size())
    throw Error(ErrorCode::invalid_argument, fmt::format("left is {}x{} and right {}x{}: give pictures of one size",
                                                         left.width(), left.height(), right.width(), right.height()));
  if (left.width() < least_round_picture.width || left.height() < least_round_picture.height) return {};
  const int of_left = corner_level(left), of_right = of_left < 0 ? -1 : corner_level(right);
  if (of_right < 0) return {};
  const int height = left.height(), width = left.width(), count = std::min(height, most_round_rows);
  RoundRows rows;
  std::int64_t outside = 0;
  int alike = 0, least_left = width, most_left = 0, least_right = width, most_right = 0;
  for (int i = 0; i < count; ++i) {
    const int y = i * (height - 1) / (count - 1);
    const Insets a = insets_of(left, y, of_left), b = insets_of(right, y, of_right);
    alike += std::abs(a.left - b.left) <= round_slack ? 1 : 0;
    alike += std::abs(a.right - b.right) <= round_slack ? 1 : 0;
    rows.at.push_back(y);
    rows.insets.push_back({std::max(a.left, b.left), std::max(a.right, b.right)});
    const Insets& here = rows.insets.back();
    outside += std::min(width, here.left + here.right);
    least_left = std::min(least_left, here.left), least_right = std::min(least_right, here.right);
    if (here.left < width)  // rows that show nothing are bars
      most_left = std::max(most_left, here.left), most_right = std::max(most_right, here.right);
  }
  const auto percent = static_cast<int>(100 * outside / (std::int64_t{count} * width));
  if (100 * alike < round_rows_percent * 2 * count || percent < least_percent_of_surround) return {};
  if (std::min(most_left - least_left, most_right - least_right) < least_bend) return {};
  return {percent, largest_inside(rows, left.size())};
}

}  // namespace

SurroundFindings inspect_surround(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right) {
  return find_surround(left, right);
}
SurroundFindings inspect_surround(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                  int max_value) {
  const int most = std::min(max_value, inspect::highest(right, inspect::highest(left, 255)));
  return find_surround(inspect::Bytes(left, most).view(), inspect::Bytes(right, most).view());
}

}  // namespace vergence
