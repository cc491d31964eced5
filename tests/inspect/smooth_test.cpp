// SPDX-License-Identifier: Apache-2.0
// Strong blur of one picture, and pairs that are one picture but for rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::Picture;

/// A wall of fine texture, 8 px away.
Picture fine_wall(bool right) {
  Picture picture(inspect_test::scene_size);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const int at = x + (right ? 8 : 0);
      picture(x, y) = static_cast<std::uint8_t>((inspect_test::hash(at, y) + inspect_test::hash(at + 1, y)) / 2 + 40);
    }
  return picture;
}

/// Three times the mean of 2 * radius + 1 pixels along rows, which is nearly a Gauss.
Picture box_blurred(const Picture& picture, int radius) {
  Picture from = picture.clone();
  for (int turn = 0; turn < 3; ++turn) {
    Picture to(from.size());
    for (int y = 0; y < from.height(); ++y)
      for (int x = 0; x < from.width(); ++x) {
        int sum = 0;
        for (int dx = -radius; dx <= radius; ++dx) sum += from(std::clamp(x + dx, 0, from.width() - 1), y);
        to(x, y) = static_cast<std::uint8_t>((sum + radius) / (2 * radius + 1));
      }
    from = std::move(to);
  }
  return from;
}

PairFindings look_at_walls(const Picture& left, const Picture& right) {
  StereoOptions options;
  options.disparities = 32;
  return inspect_pair(left.view(), right.view(), options);
}

TEST(InspectSmooth, StrongBlurIsTold) {
  const Picture left = fine_wall(false), right = fine_wall(true);
  ASSERT_TRUE(look_at_walls(left, right).problem == PairProblem::none);
  for (const int radius : {3, 4}) {
    const PairFindings in_right = look_at_walls(left, box_blurred(right, radius)),
                       in_left = look_at_walls(box_blurred(left, radius), right);
    EXPECT_TRUE(in_right.problem == PairProblem::sharpness && in_right.by_rows) << radius;
    EXPECT_TRUE(in_left.problem == PairProblem::sharpness && in_left.by_rows) << radius;
    EXPECT_LT(in_right.sharpness_percent, 77) << radius;
    EXPECT_GT(in_left.sharpness_percent, 130) << radius;
    EXPECT_TRUE(look_at_walls(box_blurred(left, radius), box_blurred(right, radius)).problem != PairProblem::sharpness)
        << "both alike";
  }
}

TEST(InspectSmooth, OnePictureButForRoundingIsTold) {
  const Picture left = fine_wall(false);
  const auto with_ones = [&](int every) {
    Picture other = left.clone();
    for (int y = 0; y < other.height(); ++y)
      for (int x = 0; x < other.width(); ++x)
        other(x, y) = static_cast<std::uint8_t>(other(x, y) + ((x + y) % every == 0 ? 1 : 0));
    return other;
  };
  EXPECT_TRUE(look_at_walls(left, with_ones(2)).problem == PairProblem::same_picture);
  Picture other = with_ones(2);
  other(100, 100) = static_cast<std::uint8_t>(other(100, 100) + 2);
  EXPECT_FALSE(look_at_walls(left, other).problem == PairProblem::same_picture) << "two grey levels";
  // A slope of one grey level a pixel: the next pixel is no further away.
  Picture slope(left.size()), moved(left.size());
  for (int y = 0; y < slope.height(); ++y)
    for (int x = 0; x < slope.width(); ++x) {
      slope(x, y) = static_cast<std::uint8_t>(x);
      moved(x, y) = static_cast<std::uint8_t>(x + 1);
    }
  EXPECT_FALSE(look_at_walls(slope, moved).problem == PairProblem::same_picture);
}

}  // namespace
}  // namespace vergence
