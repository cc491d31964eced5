// SPDX-License-Identifier: Apache-2.0
// The reference left-right check on winner maps of a few pixels.
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/stereo/stages.hpp"
#include "support/maps.hpp"

namespace vergence::test {
namespace {

constexpr int absent = no_winner;

StereoOptions options_for(int threshold, StereoView reference = StereoView::left) {
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = 4;
  options.left_right = threshold;
  options.reference = reference;
  return options;
}

/// What `check` makes of `disparity`.
template <class T = std::int16_t>
Values after_check(StereoOptions options, int width, const std::vector<int>& winner, const std::vector<int>& other,
                   const std::vector<int>& disparity) {
  const Image<std::int32_t> winners = map_of<std::int32_t>(width, winner);
  const Image<std::int32_t> others = map_of<std::int32_t>(width, other);
  Image<T> map = map_of<T>(width, disparity);
  options.disparities = std::min(options.disparities, width);
  reference::check<T>(make_stereo_plan(map.size(), options), winners, others, map);
  return values_of(map);
}

/// One row whose disparities are 16 times the winner plus 1, which shows what was kept.
template <class T = std::int16_t>
Values checked(const StereoOptions& options, const std::vector<int>& winner, const std::vector<int>& other) {
  std::vector<int> disparity;
  for (const int d : winner) disparity.push_back(d == absent ? (options.min_disparity - 1) * 16 : 16 * d + 1);
  return after_check<T>(options, static_cast<int>(winner.size()), winner, other, disparity);
}

TEST(Check, LooksAtThePartnersColumn) {
  // Pixels 0..4 of the left view meet 0, 0, 0, 1, 4.
  EXPECT_EQ(checked(options_for(0), {0, 1, 2, 2, 0}, {1, 2, 9, 9, 0}), (Values{-16, 17, -16, 33, 1}));
  EXPECT_EQ(checked(options_for(1), {0, 1, 2, 2, 0}, {1, 2, 9, 9, 0}), (Values{1, 17, 33, 33, 1}));
}

TEST(Check, TheRightViewMeetsTheOtherSide) {
  // Pixels 0..3 of the right view meet 2, 2, 3, 3.
  EXPECT_EQ(checked(options_for(0, StereoView::right), {2, 1, 1, 0}, {7, 7, 2, 1}), (Values{33, -16, 17, -16}));
}

TEST(Check, PartnersOutsideOrAbsentReject) {
  // Pixel 0 meets column -1, pixel 3 column 2, which has no winner, however large the threshold.
  EXPECT_EQ(checked(options_for(60000), {1, 0, 0, 1}, {0, 0, absent, 0}), (Values{-16, 1, -16, -16}));
  EXPECT_EQ(checked(options_for(60000, StereoView::right), {0, 0, 0, 1}, {0, 0, 0, 0}), (Values{1, 1, 1, -16}));
}

TEST(Check, PixelsWithoutWinnerStayInvalid) {
  EXPECT_EQ(checked(options_for(0), {absent, 0}, {0, 0}), (Values{-16, 1}));
}

TEST(Check, RejectedPixelsStayRejected) {
  EXPECT_EQ(after_check(options_for(0), 2, {0, 0}, {0, 0}, {-16, 0}), (Values{-16, 0}));
}

TEST(Check, NegativeDisparities) {
  StereoOptions options = options_for(0);
  options.min_disparity = -2;
  // Pixels 0, 1, 2 meet 2, 2, 2; pixel 3 meets 3.
  EXPECT_EQ(checked<std::int32_t>(options, {-2, -1, 0, 0}, {5, 5, -1, 0}), (Values{-48, -15, -48, 1}));
}

TEST(Check, GreyUnitsScaleWithTheNumberOfDisparities) {
  // One of four levels is 63.75 grey values.
  StereoOptions options = options_for(63);
  options.left_right_unit = StereoCheckUnit::grey;
  EXPECT_EQ(checked(options, {0, 0, 0, 0}, {1, 0, 2, 0}), (Values{-16, 1, -16, 1}));
  options.left_right = 64;
  EXPECT_EQ(checked(options, {0, 0, 0, 0}, {1, 0, 2, 0}), (Values{1, 1, -16, 1}));
  options.left_right = 128;
  EXPECT_EQ(checked(options, {0, 0, 0, 0}, {1, 0, 2, 0}), (Values{1, 1, 1, 1}));
}

TEST(Check, RowsDoNotMix) {
  EXPECT_EQ(after_check(options_for(0), 2, {0, 1, 0, 1}, {0, 7, 1, 7}, {0, 16, 0, 16}), (Values{0, -16, -16, 16}));
}

}  // namespace
}  // namespace vergence::test
