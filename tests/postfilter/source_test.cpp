// SPDX-License-Identifier: Apache-2.0
// The reference stage `source` on rows worked out by hand.
#include <gtest/gtest.h>

#include "reference/postfilter/stages.hpp"
#include "support/maps.hpp"
#include "vergence/error.hpp"

namespace vergence::test {
namespace {

constexpr int none = -16;

template <class T>
Values cut(StereoView reference, const std::vector<int>& values) {
  const int width = static_cast<int>(values.size());
  Image<T> map = map_of<T>(width, values);
  const auto left = map_of<std::uint8_t>(width, {0, 7, 1, 0}), right = map_of<std::uint8_t>(width, {1, 0, 1, 1});
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = width;
  options.reference = reference;
  reference::source<T>(make_stereo_plan(map.size(), options, {left, right}), map);
  return values_of(map);
}

TEST(Source, APixelThatShowsNothingIsInvalid) {
  EXPECT_EQ(cut<std::int16_t>(StereoView::left, {0, 16, none, 0}), (Values{none, 16, none, none}));
  EXPECT_EQ(cut<std::int32_t>(StereoView::right, {0, 16, 0, 8}), (Values{0, none, 0, 8}));
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
