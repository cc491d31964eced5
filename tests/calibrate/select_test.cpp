// SPDX-License-Identifier: Apache-2.0
// Which frames of a video are chosen.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "calibrate/select.hpp"
#include "support/board_scene.hpp"

namespace vergence::test {
namespace {

class SelectViews : public testing::Test {
 protected:
  /// Ten frames of each of six places, of which only one is sharp.
  std::vector<calibrate::Candidate> held_still() {
    std::vector<calibrate::Candidate> frames;
    const auto poses = board_poses(board, 6);
    for (std::size_t place = 0; place < poses.size(); ++place)
      for (std::size_t i = 0; i < 10; ++i) {
        calibrate::Candidate frame;
        frame.view.number = std::ssize(frames);
        frame.view.left = seen_corners(rig.left, poses[place], board, 0.1, random);
        frame.view.right = frame.view.left;
        frame.edge_px = i == sharp_one(place) ? 2 : 2.4;
        frames.push_back(frame);
      }
    return frames;
  }
  static std::size_t sharp_one(std::size_t place) { return (3 * place + 2) % 10; }

  const calibrate::Board board = chessboard(7, 5, 0.03);
  StereoRig rig = board_rig({640, 480});
  std::mt19937 random{11};
};

TEST_F(SelectViews, TakesTheSharpestOfEachPlace) {
  const auto frames = held_still();
  const std::vector<int> taken = select_views(frames, board, {640, 480}, 30);
  ASSERT_EQ(taken.size(), 6U);
  for (std::size_t place = 0; place < 6; ++place)
    EXPECT_EQ(taken[place], static_cast<int>(10 * place + sharp_one(place)));
  EXPECT_EQ(select_views(frames, board, {640, 480}, 4).size(), 4U);
}

TEST_F(SelectViews, LeavesBlurredAndMovingOnesAside) {
  auto frames = held_still();
  for (std::size_t i = 0; i < 10; ++i) frames[i].edge_px = 4;  // the whole first place is out of focus
  frames[10 + sharp_one(1)].motion_px = 20;                    // and the second one's sharpest frame moved
  const std::vector<int> taken = select_views(frames, board, {640, 480}, 30);
  ASSERT_EQ(taken.size(), 5U);
  EXPECT_GE(taken[0], 10);
  EXPECT_LT(taken[0], 20);
  EXPECT_NE(taken[0], static_cast<int>(10 + sharp_one(1)));
}

/// Far boards, whose squares are too small for edges to be measured, say nothing of how sharp the others are.
TEST_F(SelectViews, MeasuresSharpnessWhereItCan) {
  auto frames = held_still();
  for (std::size_t i = 0; i < 30; ++i) frames[i].edge_px = 0;
  frames[30].edge_px = 4;
  const std::vector<int> taken = select_views(frames, board, {640, 480}, 30);
  ASSERT_EQ(taken.size(), 6U);
  for (std::size_t place = 0; place < 6; ++place) EXPECT_EQ(taken[place] / 10, static_cast<int>(place));
  for (std::size_t place = 3; place < 6; ++place)
    EXPECT_EQ(taken[place], static_cast<int>(10 * place + sharp_one(place)));
}

TEST_F(SelectViews, OfNoneTakesNone) { EXPECT_TRUE(select_views({}, board, {640, 480}, 30).empty()); }

TEST_F(SelectViews, MeasuresMotion) {
  const calibrate::Corners before{{0, 1, 1}, {1, 5, 1}, {3, 9, 9}}, now{{1, 8, 5}, {2, 0, 0}, {3, 9, 10}};
  EXPECT_DOUBLE_EQ(calibrate::motion_between(before, now), 3);  // (5 + 1) / 2
  EXPECT_EQ(calibrate::motion_between({}, now), 0);
}

}  // namespace
}  // namespace vergence::test
