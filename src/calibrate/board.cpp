// SPDX-License-Identifier: Apache-2.0
// Numbering of a chessboard's corners, and what the picture shows around them.
#include "calibrate/board.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace vergence::calibrate {
namespace {

struct Place {
  double x = 0;
  double y = 0;
};
Place operator+(Place a, Place b) { return {a.x + b.x, a.y + b.y}; }
Place operator-(Place a, Place b) { return {a.x - b.x, a.y - b.y}; }
Place operator*(Place a, double s) { return {a.x * s, a.y * s}; }
double length_of(Place a) { return std::sqrt(a.x * a.x + a.y * a.y); }

/// A whole board's corners by column and row, turned by quarter turns of the numbering.
class Grid {
 public:
  Grid(const Corners& corners, int columns, int rows) : corners_(corners), columns_(columns), rows_(rows) {}
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  Place at(int column, int row) const {
    const Corner& corner = corners_[static_cast<std::size_t>(row * columns_ + column)];
    return {corner.x, corner.y};
  }
  Place cell(int column, int row) const {
    return (at(column, row) + at(column + 1, row) + at(column, row + 1) + at(column + 1, row + 1)) * 0.25;
  }

 private:
  const Corners& corners_;
  int columns_, rows_;
};

bool inside(Place p, Size size, double margin) {
  return p.x >= margin && p.y >= margin && p.x <= size.width - 1 - margin && p.y <= size.height - 1 - margin;
}

/// Bilinear; the place lies inside.
double sample_at(ImageView<const std::uint8_t> picture, Place p) {
  const int x = std::min(static_cast<int>(p.x), std::max(0, picture.width() - 2));
  const int y = std::min(static_cast<int>(p.y), std::max(0, picture.height() - 2));
  const int right = std::min(x + 1, picture.width() - 1), below = std::min(y + 1, picture.height() - 1);
  const double u = p.x - x, v = p.y - y;
  return (1 - v) * ((1 - u) * picture(x, y) + u * picture(right, y)) +
         v * ((1 - u) * picture(x, below) + u * picture(right, below));
}

/// The sum over all squares of the grey level, those of one colour with the opposite sign; negative where the first one
/// is dark.
double colour_of_first(const Grid& grid, ImageView<const std::uint8_t> picture) {
  double sum = 0;
  for (int row = 0; row + 1 < grid.rows(); ++row)
    for (int column = 0; column + 1 < grid.columns(); ++column) {
      const Place middle = grid.cell(column, row);
      if (inside(middle, picture.size(), 0)) sum += ((column + row) % 2 == 0 ? 1 : -1) * sample_at(picture, middle);
    }
  return sum;
}

void number(Corners& corners) {
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i].index = static_cast<int>(i);
}

/// The same board, its columns as rows from the far end on: a quarter turn. Square boards only.
Corners quarter_turned(const Corners& corners, int side) {
  Corners turned(corners.size());
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      turned[static_cast<std::size_t>(row * side + column)] =
          corners[static_cast<std::size_t>((side - 1 - column) * side + row)];
  number(turned);
  return turned;
}

Corners half_turned(const Corners& corners) {
  Corners turned(corners.rbegin(), corners.rend());
  number(turned);
  return turned;
}

/// All numberings that keep rows clockwise to columns.
std::vector<Corners> numberings(const Corners& corners, const Board& board) {
  std::vector<Corners> all{corners, half_turned(corners)};
  if (board.columns == board.rows) {
    all.push_back(quarter_turned(corners, board.columns));
    all.push_back(half_turned(all.back()));
  }
  return all;
}

/// How alike the corners lie about their middle.
double likeness(const Corners& a, const Corners& b) {
  Place middle_a, middle_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    middle_a = middle_a + Place{a[i].x, a[i].y};
    middle_b = middle_b + Place{b[i].x, b[i].y};
  }
  const double count = static_cast<double>(a.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (a[i].x - middle_a.x / count) * (b[i].x - middle_b.x / count) +
           (a[i].y - middle_a.y / count) * (b[i].y - middle_b.y / count);
  return sum;
}

/// Whether a half turn, or a quarter turn of a square board, gives a board of the same colours.
bool looks_alike(const Board& board, bool quarter) {
  if (quarter) return board.columns % 2 == 0;
  return (board.columns + board.rows) % 2 == 0;
}

/// How many rows of squares go on beyond the grid's first row, in the direction away from it; -1: the picture ends
/// first.
int squares_beyond(const Grid& grid, ImageView<const std::uint8_t> picture) {
  double bright = 0, dark = 0;
  int brights = 0, darks = 0;
  const bool first_dark = colour_of_first(grid, picture) < 0;
  for (int row = 0; row + 1 < grid.rows(); ++row)
    for (int column = 0; column + 1 < grid.columns(); ++column) {
      const Place middle = grid.cell(column, row);
      if (!inside(middle, picture.size(), 0)) continue;
      const bool is_dark = ((column + row) % 2 == 0) == first_dark;
      (is_dark ? dark : bright) += sample_at(picture, middle);
      ++(is_dark ? darks : brights);
    }
  if (brights == 0 || darks == 0) return -1;
  const double contrast = bright / brights - dark / darks;
  // Square -1 is the board's outermost if the board ends here; -2 goes on where it does not.
  for (int beyond = 1;; ++beyond) {
    double sums[2] = {0, 0};
    int counts[2] = {0, 0};
    for (int column = 0; column + 1 < grid.columns(); ++column) {
      const auto place = [&](int at) {  // each step as much longer than the one before as the last two tell
        const Place first = grid.at(at, 0), step = first - grid.at(at, 1), inner = grid.at(at, 1) - grid.at(at, 2);
        const double ratio = std::clamp(length_of(step) / std::max(length_of(inner), 1e-9), 0.8, 1.25);
        Place end = first, next = step * ratio;
        for (int i = 0; i < beyond; ++i, next = next * ratio) end = end + next;
        return end + next * 0.3;  // outermost squares may be cut to a half
      };
      const Place middle = (place(column) + place(column + 1)) * 0.5;
      if (!inside(middle, picture.size(), 0)) return -1;
      const bool is_dark = ((column + beyond) % 2 != 0) == first_dark;
      sums[is_dark ? 1 : 0] += sample_at(picture, middle);
      ++counts[is_dark ? 1 : 0];
    }
    // Squares that go on differ by the contrast; a margin and the table behind do not alternate.
    if (sums[0] / counts[0] - sums[1] / counts[1] < 0.6 * contrast || beyond > 40) return beyond - 1;
  }
}

/// The board with its columns as rows.
Corners transposed_corners(const Corners& corners, int columns, int rows) {
  Corners turned;
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row) turned.push_back(corners[static_cast<std::size_t>(row * columns + column)]);
  return turned;
}

/// Contrast by slope across the edge that joins two corners, 0 where there is none.
double width_between(ImageView<const std::uint8_t> picture, Place a, Place b) {
  const double length = length_of(b - a);
  const double reach = 0.35 * length;
  if (reach < 2) return 0;
  const Place middle = (a + b) * 0.5, along = (b - a) * (1 / length), across{-along.y, along.x};
  if (!inside(middle, picture.size(), reach + 1)) return 0;
  const int steps = static_cast<int>(reach * 2);
  std::vector<double> profile;
  for (int i = -steps; i <= steps; ++i) profile.push_back(sample_at(picture, middle + across * (i * 0.5)));
  double slope = 0;
  for (std::size_t i = 2; i < profile.size(); ++i) slope = std::max(slope, std::abs(profile[i] - profile[i - 2]));
  const double contrast = std::abs(profile.back() - profile.front());
  return slope < 1 || contrast < 10 ? 0 : contrast / slope;
}

}  // namespace

void order_corners(Corners& corners, const Board& board, ImageView<const std::uint8_t> picture) {
  number(corners);
  const Grid grid(corners, board.columns, board.rows);
  const Place right = grid.at(board.columns - 1, 0) - grid.at(0, 0), down = grid.at(0, board.rows - 1) - grid.at(0, 0);
  if (right.x * down.y - right.y * down.x < 0) {  // a mirrored numbering
    for (int row = 0; row < board.rows; ++row)
      std::reverse(corners.begin() + row * board.columns, corners.begin() + (row + 1) * board.columns);
    number(corners);
  }
  std::vector<Corners> all = numberings(corners, board);
  const auto better = [&](const Corners& a, const Corners& b) {
    const double colour_a = colour_of_first(Grid(a, board.columns, board.rows), picture);
    const double colour_b = colour_of_first(Grid(b, board.columns, board.rows), picture);
    if ((colour_a < 0) != (colour_b < 0)) return colour_a < 0;
    const auto end = static_cast<std::size_t>(board.columns) - 1;
    return a[end].x - a[0].x > b[end].x - b[0].x;
  };
  corners = *std::min_element(all.begin(), all.end(), better);
}

void order_like(const Corners& left, Corners& right, const Board& board) {
  if (board.kind != Board::Kind::chessboard || left.size() != right.size() || left.empty()) return;
  const std::vector<Corners> all = numberings(right, board);
  const Corners* best = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && !looks_alike(board, i >= 2)) continue;
    if (best == nullptr || likeness(left, all[i]) > likeness(left, *best)) best = &all[i];
  }
  right = Corners(*best);
}

std::optional<Size> whole_board(const Corners& corners, const Board& board, ImageView<const std::uint8_t> picture) {
  if (board.columns < 3 || board.rows < 3) return std::nullopt;
  const Corners back = half_turned(corners), sides = transposed_corners(corners, board.columns, board.rows);
  const Corners back_sides(sides.rbegin(), sides.rend());
  const int beyond[4] = {squares_beyond(Grid(sides, board.rows, board.columns), picture),
                         squares_beyond(Grid(back_sides, board.rows, board.columns), picture),
                         squares_beyond(Grid(corners, board.columns, board.rows), picture),
                         squares_beyond(Grid(back, board.columns, board.rows), picture)};
  if (*std::min_element(beyond, beyond + 4) < 0) return std::nullopt;
  return Size{board.columns + beyond[0] + beyond[1], board.rows + beyond[2] + beyond[3]};
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double edge_width(const Corners& corners, const Board& board, ImageView<const std::uint8_t> picture) {
  std::vector<double> widths;
  for (const Corner& corner : corners)
    for (const Corner& other : corners) {
      const bool beside = other.index == corner.index + 1 && other.index % board.columns != 0;
      if (!beside && other.index != corner.index + board.columns) continue;
      const double width = width_between(picture, {corner.x, corner.y}, {other.x, other.y});
      if (width > 0) widths.push_back(width);
    }
  return widths.empty() ? 0 : median_of(std::move(widths));
}

}  // namespace vergence::calibrate
