// SPDX-License-Identifier: Apache-2.0
// A part of one frame that has one grey level where the frames beside it show something: it was not received.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "inspect/regions.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using PartFrame = ImageView<const std::uint8_t>;

constexpr int part_cell = 16;  // px
constexpr int part_rows = 8;   // apart, that are looked at

/// By how much the pixels of a cell differ at most, in every eighth row. In bytes, of which compilers make SIMD.
int spread_of_cell(PartFrame frame, int left, int top) {
  std::uint8_t lowest = 255, highest = 0;
  for (int y = top + part_rows / 2; y < top + part_cell; y += part_rows) {
    const std::uint8_t* const row = frame.row(y) + left;
    for (int x = 0; x < part_cell; ++x) {
      lowest = std::min(lowest, row[x]);
      highest = std::max(highest, row[x]);
    }
  }
  return highest - lowest;
}

Rect find_missing(PartFrame before, PartFrame frame, PartFrame after) {
  if (before.size() != frame.size() || after.size() != frame.size() || frame.width() < 1 || frame.height() < 1)
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  constexpr int flat = 2, texture = 12, least_cells = 6, least_percent = 1, against = -3;
  const int columns = frame.width() / part_cell, rows = frame.height() / part_cell;
  if (columns < 4 || rows < 3) return {};
  // Frames whose cells show something are looked at in one row first.
  const auto may_be_bare = [](PartFrame one, int left, int top) {
    const std::uint8_t* const row = one.row(top + part_rows / 2) + left;
    return std::abs(row[0] - row[part_cell / 2]) <= flat && std::abs(row[3] - row[part_cell - 1]) <= flat;
  };
  const auto state_at = [&](int row, int column) {
    const int left = column * part_cell, top = row * part_cell;
    if (!may_be_bare(frame, left, top) || spread_of_cell(frame, left, top) > flat) return against;
    return spread_of_cell(before, left, top) >= texture && spread_of_cell(after, left, top) >= texture ? 1 : 0;
  };
  // Of a part one of each four cells lies in it, and half of these tell. What is bare in all frames is a sky.
  int missing = 0;
  for (int row = 1; row < rows; row += 2)
    for (int column = 1; column < columns; column += 2) {
      const int left = column * part_cell, top = row * part_cell;
      if (may_be_bare(frame, left, top) && !may_be_bare(before, left, top) && !may_be_bare(after, left, top))
        missing += std::max(state_at(row, column), 0);
    }
  if (missing == 0 || 8 * 100 * missing < least_percent * columns * rows) return {};
  std::vector<int> states;
  states.reserve(static_cast<std::size_t>(rows * columns));
  missing = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      states.push_back(state_at(row, column));
      missing += std::max(states.back(), 0);
    }
  if (missing < least_cells || 100 * missing < least_percent * columns * rows) return {};
  const Rect part = inspect::best_block(states, columns).cells;
  int inside = 0;
  for (int row = part.y; row < part.y + part.height; ++row)
    for (int column = part.x; column < part.x + part.width; ++column)
      inside += states[static_cast<std::size_t>(row * columns + column)] > 0 ? 1 : 0;
  const int area = part.width * part.height;
  if (std::min(part.width, part.height) < 2 || inside < least_cells || 100 * inside < least_percent * columns * rows ||
      2 * inside < area)
    return {};
  return {part.x * part_cell, part.y * part_cell, part.width * part_cell, part.height * part_cell};
}

}  // namespace

Rect inspect_missing_part(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> frame,
                          ImageView<const std::uint8_t> after) {
  return find_missing(before, frame, after);
}

}  // namespace vergence
