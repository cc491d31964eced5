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

template <class Pixel>
int contrast(ImageView<const Pixel> cell) {
  Pixel lowest = cell(0, 0), highest = lowest;
  for (int y = 0; y < cell.height(); ++y) {
    const auto [least, most] = std::minmax_element(cell.row(y), cell.row(y) + cell.width());
    lowest = std::min(lowest, *least);
    highest = std::max(highest, *most);
  }
  return highest - lowest;
}

template <class Pixel>
FlatParts flat_parts(ImageView<const Pixel> left, ImageView<const Pixel> right, int max_value) {
  if (left.size() != right.size() || left.empty())
    throw Error(ErrorCode::invalid_argument, "left and right differ in size or are empty: give pictures of one size");
  const int width = left.width() / columns, height = left.height() / rows;
  if (width < least_side || height < least_side) return {};
  FlatParts found;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const Rect cell{x * width, y * height, width, height};
      const std::int64_t here = contrast(left.crop(cell)), there = contrast(right.crop(cell));
      const auto is_flat = [max_value](std::int64_t value) { return value * flat_share <= max_value; };
      const auto shows = [max_value](std::int64_t value) { return value * texture_share >= max_value; };
      found.left += is_flat(here) && shows(there) ? 1 : 0;
      found.right += is_flat(there) && shows(here) ? 1 : 0;
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
