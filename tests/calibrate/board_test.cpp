// SPDX-License-Identifier: Apache-2.0
// Numbering of corners, boards that go on, and the width of edges, on drawn boards whose corners are known.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/board_scene.hpp"

namespace vergence::test {
namespace {

using calibrate::Board;
using calibrate::Corners;

constexpr Size small{160, 120};

Board board_of(int columns, int rows) { return chessboard(columns, rows, 0.03); }

/// A board of so many corners in the middle of a picture, and its corners, numbered as drawn.
struct Drawn {
  Image<std::uint8_t> picture;
  Corners corners;
};
Drawn drawn(const Board& board, double about_x, double about_y, double about_z) {
  const Camera camera = board_rig(small).left;
  const double z = board.square_m * (board.columns + 3) * 1.3;
  const calibrate::Pose pose = board_pose(board, turned_by(about_x, about_y, about_z), 0, 0, z);
  std::mt19937 none;
  return {BoardPainter(camera).paint(board, pose), seen_corners(camera, pose, board, 0, none)};
}

void expect_same(const Corners& a, const Corners& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].index, b[i].index);
    EXPECT_EQ(a[i].x, b[i].x) << i;
    EXPECT_EQ(a[i].y, b[i].y) << i;
  }
}

Corners reversed(const Corners& corners) { return {corners.rbegin(), corners.rend()}; }
/// Each row from its other end.
Corners mirrored(const Corners& corners, int columns) {
  Corners other;
  for (std::size_t i = 0; i < corners.size(); i += static_cast<std::size_t>(columns))
    for (int k = columns - 1; k >= 0; --k) other.push_back(corners[i + static_cast<std::size_t>(k)]);
  return other;
}

/// The painter's first square is dark, so that the drawn numbering is the one that is wanted.
TEST(BoardOrder, FollowsTheColoursWhereTheyTell) {
  const Board board = board_of(6, 5);
  for (const double about_z : {0.2, 1.7, 3.0}) {  // upside down, too
    const Drawn is = drawn(board, 0.2, -0.3, about_z);
    for (const Corners& given :
         {is.corners, reversed(is.corners), mirrored(is.corners, 6), mirrored(reversed(is.corners), 6)}) {
      Corners corners = given;
      order_corners(corners, board, is.picture);
      expect_same(corners, is.corners);
    }
  }
}

TEST(BoardOrder, RunsToTheRightWhereColoursDoNotTell) {
  for (const auto& [columns, rows] : {std::pair{7, 5}, {6, 4}, {5, 5}}) {
    const Board board = board_of(columns, rows);
    const Drawn is = drawn(board, 0.2, -0.3, 0.2);
    for (const Corners& given : {is.corners, reversed(is.corners), mirrored(is.corners, columns)}) {
      Corners corners = given;
      order_corners(corners, board, is.picture);
      expect_same(corners, is.corners);
    }
  }
}

/// Quarter turns of square boards: the numbering that lies like the other picture's.
TEST(BoardOrder, IsLikeThatOfTheOtherPicture) {
  for (const int side : {4, 5}) {
    const Board board = board_of(side, side);
    for (const double about_z : {0.1, 1.5}) {
      const Drawn left = drawn(board, 0.1, 0.1, about_z), right = drawn(board, 0.1, 0.2, about_z + 0.4);
      Corners a = left.corners, b = reversed(right.corners);
      order_corners(a, board, left.picture);
      order_corners(b, board, right.picture);
      order_like(a, b, board);
      double apart = 0;  // corresponding corners lie alike: the ends of a row are 60 px apart
      for (std::size_t i = 0; i < a.size(); ++i) apart = std::max(apart, std::hypot(a[i].x - b[i].x, a[i].y - b[i].y));
      EXPECT_LT(apart, 30) << side << " turned by " << about_z;
    }
  }
}

TEST(BoardSize, GoesOnBeyondAPartOfIt) {
  const Board whole = board_of(8, 6);
  const Drawn is = drawn(whole, 0.3, -0.2, 0.3);
  EXPECT_EQ(whole_board(is.corners, whole, is.picture), (Size{8, 6}));
  const auto part = [&](int from_x, int to_x, int from_y, int to_y) {
    Corners corners;
    for (const calibrate::Corner& corner : is.corners)
      if (const int x = corner.index % 8, y = corner.index / 8; x >= from_x && x <= to_x && y >= from_y && y <= to_y)
        corners.push_back({static_cast<int>(corners.size()), corner.x, corner.y});
    return corners;
  };
  EXPECT_EQ(whole_board(part(1, 7, 0, 5), board_of(7, 6), is.picture), (Size{8, 6}));
  EXPECT_EQ(whole_board(part(0, 6, 1, 5), board_of(7, 5), is.picture), (Size{8, 6}));
  EXPECT_EQ(whole_board(part(2, 5, 1, 4), board_of(4, 4), is.picture), (Size{8, 6}));
}

TEST(BoardEdges, AreAsWideAsTheyAreBlurred) {
  const Board board = board_of(6, 5);
  const Drawn is = drawn(board, 0, 0, 0);
  const double sharp = edge_width(is.corners, board, is.picture.view());
  EXPECT_GT(sharp, 0.8);
  EXPECT_LT(sharp, 2);
  const Image<std::uint8_t> soft = blurred(is.picture, 2);
  EXPECT_NEAR(edge_width(is.corners, board, soft.view()), 5, 0.7);  // the mean over 5 pixels makes a ramp of 5
}

}  // namespace
}  // namespace vergence::test
