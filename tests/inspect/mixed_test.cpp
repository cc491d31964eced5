// SPDX-License-Identifier: Apache-2.0
// Pictures that hold a part of each other, and pictures of different colours.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect_test::look;
using inspect_test::Picture;
using inspect_test::texture;
using inspect_test::view;

/// (1 - share) * a + share * b.
Picture mixed(const Picture& a, const Picture& b, double share) {
  Picture result(a.size());
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      result(x, y) = static_cast<std::uint8_t>(std::lround((1 - share) * a(x, y) + share * b(x, y)));
  return result;
}

Picture noisy(const Picture& picture, double deviation, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, deviation);
  Picture result(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      result(x, y) =
          static_cast<std::uint8_t>(std::clamp(static_cast<int>(std::lround(picture(x, y) + noise(random))), 0, 255));
  return result;
}

TEST(InspectMixed, ViewsThatHoldAPartOfEachOtherAreTold) {
  const Picture left = view(false), right = view(true);
  for (const StereoView reference : {StereoView::left, StereoView::right})
    for (const double share : {0.2, 0.3, 0.4}) {
      const PairFindings found = look(mixed(left, right, share), mixed(right, left, share), reference);
      ASSERT_TRUE(found.problem == PairProblem::mixed) << share;
      EXPECT_GE(found.mixed_points, 16);
      EXPECT_NEAR(found.mixed_percent, 100 * share, 6);
      EXPECT_GT(found.mixed_correlation, 40);
    }
}

TEST(InspectMixed, OneViewThatHoldsAPartOfTheOtherIsTold) {
  const Picture left = view(false), right = view(true);
  EXPECT_TRUE(look(mixed(left, right, 0.4), right).problem == PairProblem::mixed);
  EXPECT_TRUE(look(left, mixed(right, left, 0.4)).problem == PairProblem::mixed);
}

TEST(InspectMixed, NoiseDoesNotHideIt) {
  const Picture left = view(false), right = view(true);
  EXPECT_TRUE(look(noisy(mixed(left, right, 0.3), 4, 1), noisy(mixed(right, left, 0.3), 4, 2)).problem ==
              PairProblem::mixed);
}

TEST(InspectMixed, GoodPairsAndFarScenesAreNot) {
  const Picture left = view(false), right = view(true);
  for (const double deviation : {0.0, 2.0, 5.0, 10.0}) {
    EXPECT_TRUE(look(noisy(left, deviation, 3), noisy(right, deviation, 4)).problem == PairProblem::none) << deviation;
    // All at 0 px: whatever else fits does so by chance.
    const PairFindings far = look(noisy(left, deviation + 0.5, 5), noisy(left, deviation + 0.5, 6));
    EXPECT_TRUE(far.problem == PairProblem::none) << deviation;
  }
}

/// A wall of cells, at 6 px. As the other picture sees it, `other` of 128 of them are darker where this one's are
/// brighter, and the rest is of one of two brightnesses.
Picture wall(bool right, int other) {
  Picture picture(inspect_test::scene_size);
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const int at = x + (right ? inspect_test::wall : 0);
      const int value = texture(at, y), cell = inspect_test::hash(at / 40, y / 30 + 100);
      const int seen = cell < other ? 255 - value : cell % 2 == 0 ? value : value * 7 / 10 + 60;
      picture(x, y) = static_cast<std::uint8_t>(right ? seen : value);
    }
  return picture;
}

TEST(InspectColours, PicturesOfDifferentColoursAreTold) {
  for (const int other : {20, 60}) {
    const PairFindings found = look(wall(false, 0), wall(true, other), StereoView::left, 128);
    ASSERT_TRUE(found.problem == PairProblem::colours) << other << ' ' << found.found << ' ' << found.close_points;
    EXPECT_GE(found.level_spread, 7 * 16);
  }
  Picture darker = wall(false, 0);
  for (int y = 0; y < darker.height(); ++y)
    for (int x = 0; x < darker.width(); ++x) darker(x, y) = static_cast<std::uint8_t>(darker(x, y) / 2);
  EXPECT_FALSE(look(darker, view(true), StereoView::left, 128).problem == PairProblem::colours) << "alike everywhere";
}

}  // namespace
}  // namespace vergence
