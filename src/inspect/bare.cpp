// SPDX-License-Identifier: Apache-2.0
// Areas without texture in both pictures, and bars of one grey level at their edges.
#include <algorithm>
#include <utility>
#include <vector>

#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int cell_side = 8;      // px
constexpr int flat_share = 127;   // cells vary by 1 in so many of the brightest pixel at most: by 2 of 255
constexpr int least_bar = 4;      // rows or columns
constexpr int least_percent = 5;  // of the picture, of an area; bars are told from 1 % on
constexpr int bar_percent = 1;
constexpr Size least_size{64, 48};

template <class Pixel>
using View = ImageView<const Pixel>;

template <class Pixel>
int brightest(View<Pixel> picture) {
  int most = 0;
  for (int y = 0; y < picture.height(); ++y)
    most = std::max<int>(most, *std::max_element(picture.row(y), picture.row(y) + picture.width()));
  return most;
}

// --- areas ---

/// For each cell of a picture, whether its pixels are alike.
template <class Pixel>
std::vector<bool> flat_cells(View<Pixel> picture, int most) {
  const int columns = picture.width() / cell_side, rows = picture.height() / cell_side;
  std::vector<bool> cells(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      int lowest = picture(column * cell_side, row * cell_side), highest = lowest;
      for (int y = row * cell_side; y < (row + 1) * cell_side && highest - lowest <= most; ++y) {
        const auto [least, largest] =
            std::minmax_element(picture.row(y) + column * cell_side, picture.row(y) + (column + 1) * cell_side);
        lowest = std::min<int>(lowest, *least);
        highest = std::max<int>(highest, *largest);
      }
      cells[static_cast<std::size_t>(row * columns + column)] = highest - lowest <= most;
    }
  return cells;
}

/// Cells whose neighbours are flat, too. Beyond the picture lies nothing.
std::vector<bool> inner_cells(const std::vector<bool>& flat, int columns) {
  const int rows = static_cast<int>(flat.size()) / columns;
  std::vector<bool> inner(flat.size());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      bool all = true;
      for (int y = std::max(row - 1, 0); y <= std::min(row + 1, rows - 1); ++y)
        for (int x = std::max(column - 1, 0); x <= std::min(column + 1, columns - 1); ++x)
          all = all && flat[static_cast<std::size_t>(y * columns + x)];
      inner[static_cast<std::size_t>(row * columns + column)] = all;
    }
  return inner;
}

/// The most cells that touch each other along rows and columns.
std::vector<int> largest_area(std::vector<bool> cells, int columns) {
  std::vector<int> largest;
  const int count = static_cast<int>(cells.size());
  const auto take = [&cells](int cell) {
    const auto at = static_cast<std::size_t>(cell);
    const bool there = cells[at];
    cells[at] = false;
    return there;
  };
  for (int first = 0; first < count; ++first) {
    if (!take(first)) continue;
    std::vector<int> area{first};
    for (std::size_t i = 0; i < area.size(); ++i) {
      const int cell = area[i], column = cell % columns;
      if (column > 0 && take(cell - 1)) area.push_back(cell - 1);
      if (column + 1 < columns && take(cell + 1)) area.push_back(cell + 1);
      if (cell >= columns && take(cell - columns)) area.push_back(cell - columns);
      if (cell + columns < count && take(cell + columns)) area.push_back(cell + columns);
    }
    if (area.size() > largest.size()) largest = std::move(area);
  }
  return largest;
}

template <class Pixel>
BareArea bare_area(View<Pixel> reference, View<Pixel> other, int max_value) {
  const int most = max_value / flat_share;
  const int columns = reference.width() / cell_side;
  const std::vector<int> area = largest_area(inner_cells(flat_cells(reference, most), columns), columns);
  const std::int64_t pixels = std::int64_t{cell_side} * cell_side * static_cast<std::int64_t>(area.size());
  if (100 * pixels < std::int64_t{least_percent} * reference.width() * reference.height()) return {};
  // What has no texture in one picture has none in the other one, if not at the same place.
  const std::vector<bool> there = flat_cells(other, most);
  if (2 * std::count(there.begin(), there.end(), true) < std::ssize(area)) return {};
  BareArea found;
  int left = columns, right = 0, top = area.front(), bottom = 0;
  for (const int cell : area) {
    const int x = cell % columns, y = cell / columns;
    found.parts.push_back({x * cell_side, y * cell_side, cell_side, cell_side});
    left = std::min(left, x), right = std::max(right, x + 1);
    top = std::min(top, y), bottom = std::max(bottom, y + 1);
  }
  found.bounds = {left * cell_side, top * cell_side, (right - left) * cell_side, (bottom - top) * cell_side};
  return found;
}

// --- bars ---

/// How many lines from one edge on have one value in both pictures, all of them the same. line(i, k) are the values of
/// the k-th pixel of the i-th line in both.
template <class Line>
int bar(int lines, int length, Line line) {
  const auto value = line(0, 0);
  int count = 0;
  for (; count < lines; ++count)
    for (int k = 0; k < length; ++k)
      if (line(count, k) != value) return count;
  return count;
}

template <class Pixel>
BareArea bars(View<Pixel> a, View<Pixel> b) {
  const int width = a.width(), height = a.height();
  const auto both = [a, b](int x, int y) { return std::pair{a(x, y), b(x, y)}; };
  const auto at_least = [](int lines) { return lines < least_bar ? 0 : lines; };
  const int top = at_least(bar(height, width, [&](int i, int k) { return both(k, i); }));
  if (top == height) return {};
  const int bottom = at_least(bar(height, width, [&](int i, int k) { return both(k, height - 1 - i); }));
  const int rows = height - top - bottom;
  const int left = at_least(bar(width, rows, [&](int i, int k) { return both(i, top + k); }));
  const int right = at_least(bar(width, rows, [&](int i, int k) { return both(width - 1 - i, top + k); }));
  const std::int64_t pixels = std::int64_t{width} * (top + bottom) + std::int64_t{rows} * (left + right);
  if (rows <= 0 || left + right >= width || 100 * pixels < std::int64_t{bar_percent} * width * height) return {};
  BareArea found;
  for (const Rect& part : {Rect{0, 0, width, top}, Rect{0, height - bottom, width, bottom}, Rect{0, top, left, rows},
                           Rect{width - right, top, right, rows}})
    if (part.width > 0 && part.height > 0) found.parts.push_back(part);
  found.bounds = {left, top, width - left - right, rows};
  return found;
}

template <class Pixel>
BareArea find_bars(View<Pixel> left, View<Pixel> right) {
  if (left.size() != right.size())
    throw Error(ErrorCode::invalid_argument, "left and right differ in size: give pictures of one size");
  if (left.width() < least_size.width || left.height() < least_size.height) return {};
  return bars(left, right);
}

template <class Pixel>
BareArea find_bare(View<Pixel> reference, View<Pixel> other, int max_value) {
  if (reference.size() != other.size())
    throw Error(ErrorCode::invalid_argument, "left and right differ in size: give pictures of one size");
  if (reference.width() < least_size.width || reference.height() < least_size.height) return {};
  return bare_area(reference, other, std::min(max_value, std::max(brightest(reference), brightest(other))));
}

}  // namespace

BareArea inspect_bars(View<std::uint8_t> left, View<std::uint8_t> right) { return find_bars(left, right); }
BareArea inspect_bars(View<std::uint16_t> left, View<std::uint16_t> right) { return find_bars(left, right); }

BareArea inspect_bare_area(View<std::uint8_t> reference, View<std::uint8_t> other, int max_value) {
  return find_bare(reference, other, max_value);
}
BareArea inspect_bare_area(View<std::uint16_t> reference, View<std::uint16_t> other, int max_value) {
  return find_bare(reference, other, max_value);
}

}  // namespace vergence
