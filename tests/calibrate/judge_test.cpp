// SPDX-License-Identifier: Apache-2.0
// Coverage counted by hand, and what is said to lack.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "calibrate/judge.hpp"
#include "support/board_scene.hpp"

namespace vergence::test {
namespace {

using calibrate::Corners;

TEST(Coverage, CountsBoardsOverPixels) {
  // A square from (2, 1) to (5, 3), with a corner inside; a triangle at (0, 0), (4, 0), (0, 4).
  const Corners square{{0, 2, 1}, {1, 5, 1}, {2, 3, 2}, {3, 2, 3}, {4, 5, 3}};
  const Corners triangle{{0, 0, 0}, {1, 4, 0}, {2, 0, 4}};
  const Image<std::int32_t> boards = calibrate::boards_over({square, triangle}, {8, 6});
  const int expected[6][8] = {{1, 1, 1, 1, 1, 0, 0, 0}, {1, 1, 2, 2, 1, 1, 0, 0}, {1, 1, 2, 1, 1, 1, 0, 0},
                              {1, 1, 1, 1, 1, 1, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}};
  // Edges that lie in a row add nothing of their own, but their ends are those of the others.
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 8; ++x) EXPECT_EQ(boards(x, y), expected[y][x]) << x << " " << y;
  EXPECT_DOUBLE_EQ(calibrate::covered_share(boards.view()), 24 / 48.0);
}

class Advice : public testing::Test {
 protected:
  /// Of poses as if they had been calibrated.
  std::vector<std::string> advice_for(const std::vector<calibrate::Pose>& poses) {
    const StereoRig rig = board_rig({640, 480});
    std::mt19937 none;
    std::vector<calibrate::View> views;
    calibrate::Calibrated result;
    result.left.camera = rig.left;
    result.right.camera = rig.right;
    for (const calibrate::Pose& pose : poses) {
      const int number = static_cast<int>(views.size());
      views.push_back({number, seen_corners(rig.left, pose, board, 0, none),
                       seen_corners(rig.right, pose_beside(rig, pose), board, 0, none)});
      result.left.poses.push_back(pose);
      result.right.poses.push_back(pose_beside(rig, pose));
      for (auto* const list : {&result.left_views, &result.right_views, &result.pair_views}) list->push_back(number);
    }
    return calibrate::advice(result, views, board);
  }
  static bool any(const std::vector<std::string>& lines, const std::string& text) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(text) != std::string::npos; });
  }
  const calibrate::Board board = chessboard(9, 6, 0.025);
};

TEST_F(Advice, NamesWhatLacks) {
  std::vector<calibrate::Pose> poses;
  for (int i = 0; i < 5; ++i) poses.push_back(board_pose(board, turned_by(0.05 * i, 0, 0), 0.05, 0, 0.8));
  const auto lines = advice_for(poses);
  EXPECT_TRUE(any(lines,
                  "upper left corner, upper right corner, lower left corner, lower right corner, left side, "
                  "right side, upper side and lower side of the left picture"));
  EXPECT_TRUE(any(lines, "of the right picture"));
  EXPECT_TRUE(any(lines, "to the left and right, by 30 degrees each: so far its tilts differ by 0"));
  EXPECT_TRUE(any(lines, "forward and back, by 30 degrees each: so far its tilts differ by 11"));  // 0.2 rad
  EXPECT_TRUE(any(lines, "hold the board nearer: it covers"));
  EXPECT_TRUE(any(lines, "the farthest board is only 1.00 times"));
  EXPECT_TRUE(any(lines, "5 are used"));
}

TEST_F(Advice, SaysNothingWhereNothingLacks) {
  std::vector<calibrate::Pose> poses;
  for (const double x : {-0.16, 0.05, 0.26})
    for (const double y : {-0.14, 0.0, 0.14})
      for (const double tilt : {-0.5, 0.5}) {
        poses.push_back(board_pose(board, turned_by(tilt, 0, 0), x, y, 0.5));
        poses.push_back(board_pose(board, turned_by(0, tilt, 0), x / 2, y / 2, 0.25));
      }
  for (const std::string& line : advice_for(poses)) ADD_FAILURE() << line;
}

}  // namespace
}  // namespace vergence::test
