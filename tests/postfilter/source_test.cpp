// SPDX-License-Identifier: Apache-2.0
// The reference stage `source` on rows worked out by hand.
#include <gtest/gtest.h>

#include "reference/postfilter/stages.hpp"
#include "support/maps.hpp"
#include "vergence/error.hpp"

namespace vergence::test {
namespace {

constexpr int none = -16;

struct SourceRow {
  std::vector<int> left, right;  ///< Masks.
  StereoView reference = StereoView::left;
};

template <class T = std::int16_t>
Values cut(const SourceRow& row, const std::vector<int>& values, SourceRule rule = SourceRule::pixel_and_match) {
  const int width = static_cast<int>(values.size());
  Image<T> map = map_of<T>(width, values);
  const auto left = map_of<std::uint8_t>(width, row.left), right = map_of<std::uint8_t>(width, row.right);
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = width;
  options.reference = row.reference;
  reference::source<T>(make_stereo_plan(map.size(), options, {left, right}), map, rule);
  return values_of(map);
}

TEST(Source, APixelThatShowsNothingIsInvalid) {
  EXPECT_EQ(cut({{0, 1, 1, 0}, {1, 1, 1, 1}}, {0, 0, none, 0}), (Values{none, 0, none, none}));
  EXPECT_EQ(cut<std::int32_t>({{0, 7, 1, 0}, {1, 1, 1, 1}}, {0, 0, 0, 0}), (Values{none, 0, 0, none}));
}

TEST(Source, AMatchThatShowsNothingIsInvalid) {
  // Left pixel 3 with disparity 1 lies on right pixel 2, with 17/16 between 1 and 2, with 2 on 1.
  const SourceRow row{{1, 1, 1, 1}, {1, 1, 0, 1}};
  EXPECT_EQ(cut(row, {0, 0, 0, 16}), (Values{0, 0, none, none}));
  EXPECT_EQ(cut(row, {0, 0, none, 17}), (Values{0, 0, none, none}));
  EXPECT_EQ(cut(row, {0, 0, none, 31}), (Values{0, 0, none, none}));
  EXPECT_EQ(cut(row, {0, 0, none, 32}), (Values{0, 0, none, 32}));
  EXPECT_EQ(cut(row, {0, 0, none, 15}), (Values{0, 0, none, none}));  // between 2 and 3
}

TEST(Source, OfTheRightPictureMatchesLieToTheRight) {
  const SourceRow row{{1, 1, 0, 1}, {1, 1, 1, 0}, StereoView::right};
  EXPECT_EQ(cut(row, {32, 16, 16, 0}), (Values{none, none, 16, none}));
  EXPECT_EQ(cut(row, {48, 17, 0, none}), (Values{48, none, none, none}));
}

TEST(Source, WhatLiesOutsideThePictureHasNoMask) {
  const SourceRow row{{1, 1, 1}, {0, 1, 1}};
  EXPECT_EQ(cut(row, {16, 32, none}), (Values{16, 32, none}));       // at -1, twice
  EXPECT_EQ(cut(row, {8, none, none}), (Values{none, none, none}));  // between -1 and 0
}

TEST(Source, AfterFillingThePixelAloneCounts) {
  const SourceRow row{{1, 0, 1}, {0, 1, 1}};
  EXPECT_EQ(cut(row, {0, 0, 32}, SourceRule::pixel), (Values{0, none, 32}));
}

TEST(Source, MasksAreCheckedAndCopied) {
  const Image<std::uint8_t> ones({3, 2}, 1), small({2, 2}, 1);
  EXPECT_EQ(make_stereo_plan({3, 2}, {.window = {1, 1}, .disparities = 1}, {ones, ones}).masks, nullptr);
  try {
    make_stereo_plan({3, 2}, {.window = {1, 1}, .disparities = 1}, {ones, small});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the right source mask"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace vergence::test
