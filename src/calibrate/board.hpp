// SPDX-License-Identifier: Apache-2.0
// A board with known corners, and where a picture shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vergence/image.hpp"

namespace vergence::calibrate {

/// A printed board. Corners are those inside, where four squares meet: a chessboard of 10x7 squares has 9x6.
struct Board {
  enum class Kind { chessboard, charuco };
  Kind kind = Kind::chessboard;
  int columns = 0;  ///< Corners of a row.
  int rows = 0;
  double square_m = 0;     ///< A square's side in metres.
  double marker_m = 0;     ///< ChArUco: a marker's side in metres.
  std::string dictionary;  ///< ChArUco: "4X4_50", ...
  int corners() const { return columns * rows; }
};

/// A corner of the board in a picture; corner `index` lies in column index % columns and row index / columns.
struct Corner {
  int index = 0;
  double x = 0;  ///< px; pixel centres have whole coordinates.
  double y = 0;
};
/// By rising index. A chessboard is seen whole or not at all, a ChArUco board in part.
using Corners = std::vector<Corner>;

/// Numbers the corners of a whole chessboard anew, so that every picture of it numbers them alike: rows run clockwise
/// to columns, and the square between the first corners is dark. Where the board looks the same from several sides
/// (both counts even or both odd), its rows run to the right; see order_like().
void order_corners(Corners& corners, const Board& board, ImageView<const std::uint8_t> picture);

/// Of the numberings that order_corners() cannot tell apart, the one with which the corners lie most alike in both
/// pictures: the cameras are turned against each other by less than half of the board's symmetry.
void order_like(const Corners& left, Corners& right, const Board& board);

/// The corners {columns, rows} that the board in the picture really has, seen by squares going on beyond those found: a
/// detector that is told too few corners finds a part of a board. Nothing where the picture ends before the board does.
std::optional<Size> whole_board(const Corners& corners, const Board& board, ImageView<const std::uint8_t> picture);

/// Of at least one value; the upper one of two in the middle.
double median_of(std::vector<double> values);

/// How wide edges of squares are in a picture, px: contrast by slope, the median over all edges. About 2 where it is
/// sharp; 0 where no edge can be measured.
double edge_width(const Corners& corners, const Board& board, ImageView<const std::uint8_t> picture);

}  // namespace vergence::calibrate
