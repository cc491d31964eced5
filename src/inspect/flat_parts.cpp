// SPDX-License-Identifier: Apache-2.0
// Parts of one picture of a pair that show nothing.
#include <algorithm>

#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int columns = 16;
constexpr int rows = 12;
constexpr int least_side = 4;  // px of a cell
// Shares of the largest pixel: flat cells vary by less than the first, cells that show something by more than the
// other.
constexpr int flat_share = 128;
constexpr int texture_share = 16;

/// Highest less lowest pixel; where that is above `enough`, of the upper rows alone.
template <class Pixel>
int contrast(ImageView<const Pixel> cell, std::int64_t enough) {
  Pixel lowest = cell(0, 0), highest = lowest;
  for (int y = 0; y < cell.height() && highest - lowest <= enough; ++y) {
    const Pixel* const row = cell.row(y);
    for (int x = 0; x < cell.width(); ++x) {
      lowest = std::min(lowest, row[x]);
      highest = std::max(highest, row[x]);
    }
  }
  return highest - lowest;
}

template <class Pixel>
FlatParts flat_parts(ImageView<const Pixel> left, ImageView<const Pixel> right, int max_value) {
  if (left.size() != right.size() || left.empty())
    throw Error(ErrorCode::invalid_argument, "left and right differ in size or are empty: give pictures of one size");
  const int width = left.width() / columns, height = left.height() / rows;
  if (width < least_side || height < least_side) return {};
  const std::int64_t flat = max_value / flat_share, shown = (max_value + texture_share - 1) / texture_share;
  FlatParts found;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const Rect cell{x * width, y * height, width, height};
      const ImageView<const Pixel> here = left.crop(cell), there = right.crop(cell);
      const bool left_flat = contrast(here, flat) <= flat, right_flat = contrast(there, flat) <= flat;
      if (left_flat == right_flat) continue;
      if (contrast(left_flat ? there : here, shown - 1) >= shown) ++(left_flat ? found.left : found.right);
    }
  found.left = 100 * found.left / (columns * rows);
  found.right = 100 * found.right / (columns * rows);
  return found;
}

}  // namespace

FlatParts inspect_flat_parts(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right, int max_value) {
  return flat_parts(left, right, max_value);
}
FlatParts inspect_flat_parts(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right, int max_value) {
  return flat_parts(left, right, max_value);
}

}  // namespace vergence
