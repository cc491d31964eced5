// SPDX-License-Identifier: Apache-2.0
// Sample points with texture.
#include "inspect/samples.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace vergence::inspect {

namespace {

constexpr std::array<Point, 5> places{{{2, 2}, {1, 1}, {3, 1}, {1, 3}, {3, 3}}};  // in quarters of a cell

/// The corners of patches that lie inside the area.
class Grid {
 public:
  Grid(const Rect& area, int columns, int rows)
      : area_(area),
        width_(area.width - patch_width + 1),
        height_(area.height - patch_height + 1),
        columns_(columns),
        rows_(rows) {}
  bool fits() const { return width_ >= columns_ && height_ >= rows_; }
  Point at(int column, int row, const Point& place) const {
    return {area_.x + width_ * (4 * column + place.x) / (4 * columns_),
            area_.y + height_ * (4 * row + place.y) / (4 * rows_)};
  }

 private:
  Rect area_;
  int width_, height_, columns_, rows_;
};

}  // namespace

Texture texture(Picture picture, Point point) {
  // In a row, for the registers' sake.
  constexpr int size = patch_width * patch_height;
  std::uint8_t here[size + 1];
  for (int y = 0; y < patch_height; ++y)
    std::memcpy(here + y * patch_width, picture.row(point.y + y) + point.x, patch_width);
  here[size] = here[size - 1];
  int along = 0;
  int across = 0;
  for (int i = 0; i < size; ++i) along += std::abs(here[i] - here[i + 1]);
  // The last pixel of a row has no neighbour in the patch.
  for (int i = patch_width; i < size; i += patch_width) along -= std::abs(here[i - 1] - here[i]);
  for (int i = patch_width; i < size; ++i) across += std::abs(here[i] - here[i - patch_width]);
  return {16 * along / (patch_height * (patch_width - 1)), 16 * across / ((patch_height - 1) * patch_width)};
}

std::vector<Point> choose_points(Picture picture, const Rect& area, int columns, int rows, const Texture& least) {
  std::vector<Point> points;
  const Grid grid(area, columns, rows);
  if (!grid.fits()) return points;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      Point best;
      int most = -1;
      for (const Point& place : places) {
        const Point point = grid.at(column, row, place);
        const Texture found = texture(picture, point);
        if (found.along_rows < least.along_rows || found.across_rows < least.across_rows) continue;
        if (found.along_rows + found.across_rows <= most) continue;
        most = found.along_rows + found.across_rows;
        best = point;
      }
      if (most >= 0) points.push_back(best);
    }
  return points;
}

bool is_textured_cell(Picture picture, const Rect& area, int columns, int rows, const Texture& least,
                      std::size_t cell) {
  const Grid grid(area, columns, rows);
  if (!grid.fits()) return false;
  const int row = static_cast<int>(cell) / columns, column = static_cast<int>(cell) % columns;
  return std::any_of(places.begin(), places.end(), [&](const Point& place) {
    const Texture found = texture(picture, grid.at(column, row, place));
    return found.along_rows >= least.along_rows && found.across_rows >= least.across_rows;
  });
}

void Sharpness::add(Picture picture, Point point) {
  // In a row, for the registers' sake.
  constexpr int far = 4, inner = patch_width - far, size = inner * patch_height;
  std::uint8_t here[size], next[size], distant[size];
  for (int y = 0; y < patch_height; ++y) {
    const std::uint8_t* const row = picture.row(point.y + y) + point.x + far;
    std::memcpy(here + y * inner, row, inner);
    std::memcpy(next + y * inner, row - 1, inner);
    std::memcpy(distant + y * inner, row - far, inner);
  }
  int near_steps = 0, far_steps = 0;
  for (int i = 0; i < size; ++i) near_steps += std::abs(here[i] - next[i]);
  for (int i = 0; i < size; ++i) far_steps += std::abs(here[i] - distant[i]);
  fine += near_steps;
  coarse += far_steps;
}

bool match_by_chance(Picture from, Picture to, const std::vector<Match>& matches) {
  std::int64_t own = 0;
  std::int64_t unrelated = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Match& other = matches[(i + matches.size() / 2) % matches.size()];
    own += difference(from, matches[i].from, to, matches[i].to);
    unrelated += difference(from, matches[i].from, to, other.to);
  }
  return 10 * own >= 7 * unrelated;
}

int median(std::vector<int>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace vergence::inspect
