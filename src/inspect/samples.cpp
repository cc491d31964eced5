// SPDX-License-Identifier: Apache-2.0
// Sample points with texture.
#include "inspect/samples.hpp"

#include <array>
#include <cstdlib>

namespace vergence::inspect {

Texture texture(Picture picture, Point point) {
  int along = 0;
  int across = 0;
  for (int y = 0; y < patch_height; ++y) {
    const std::uint8_t* const row = picture.row(point.y + y) + point.x;
    for (int x = 1; x < patch_width; ++x) along += std::abs(row[x] - row[x - 1]);
    if (y == 0) continue;
    const std::uint8_t* const above = picture.row(point.y + y - 1) + point.x;
    for (int x = 0; x < patch_width; ++x) across += std::abs(row[x] - above[x]);
  }
  return {16 * along / (patch_height * (patch_width - 1)), 16 * across / ((patch_height - 1) * patch_width)};
}

std::vector<Point> choose_points(Picture picture, const Rect& area, int columns, int rows, const Texture& least) {
  std::vector<Point> points;
  // The corners of patches that lie inside the area.
  const int width = area.width - patch_width + 1;
  const int height = area.height - patch_height + 1;
  if (width < columns || height < rows) return points;
  constexpr std::array<Point, 5> places{{{2, 2}, {1, 1}, {3, 1}, {1, 3}, {3, 3}}};  // in quarters of a cell
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      Point best;
      int most = -1;
      for (const Point& place : places) {
        const Point point{area.x + width * (4 * column + place.x) / (4 * columns),
                          area.y + height * (4 * row + place.y) / (4 * rows)};
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

void Sharpness::add(Picture picture, Point point) {
  constexpr int far = 4;
  for (int y = 0; y < patch_height; ++y) {
    const std::uint8_t* const row = picture.row(point.y + y) + point.x;
    for (int x = far; x < patch_width; ++x) {
      fine += std::abs(row[x] - row[x - 1]);
      coarse += std::abs(row[x] - row[x - far]);
    }
  }
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

}  // namespace vergence::inspect
