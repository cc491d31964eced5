// SPDX-License-Identifier: Apache-2.0
// The reference prefilter on pictures worked out by hand.
#include <gtest/gtest.h>

#include "reference/stereo/stages.hpp"
#include "support/maps.hpp"

namespace vergence::test {
namespace {

template <class P = std::uint8_t>
Values filtered(StereoPrefilter prefilter, int cap, int width, const std::vector<int>& picture) {
  const Image<P> in = map_of<P>(width, picture);
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = 1;
  options.prefilter = prefilter;
  options.prefilter_cap = cap;
  options.depth = sizeof(P) == 1 ? Depth::u8 : Depth::u16;
  Image<std::uint16_t> out(in.size());
  reference::prefilter<P>(make_stereo_plan(in.size(), options), in, out);
  return values_of(out);
}

TEST(Prefilter, NoneKeepsThePixels) {
  EXPECT_EQ(filtered(StereoPrefilter::none, 31, 2, {0, 255, 7, 9}), (Values{0, 255, 7, 9}));
  EXPECT_EQ(filtered<std::uint16_t>(StereoPrefilter::none, 31, 2, {0, 65535}), (Values{0, 65535}));
}

TEST(Prefilter, WeighsTheRowsOneTwoOne) {
  // Middle column, right - left: 1, 3, 7 in the rows. Row 0 mirrors row 1: 3 + 2 + 3; row 1: 1 + 6 + 7; row 2: 3 + 14
  // + 3.
  const std::vector<int> picture{0, 0, 1, 5, 9, 8, 1, 0, 8};
  EXPECT_EQ(filtered(StereoPrefilter::xsobel, 31, 3, picture), (Values{31, 39, 31, 31, 45, 31, 31, 51, 31}));
  EXPECT_EQ(filtered(StereoPrefilter::xsobel, 10, 3, picture), (Values{10, 18, 10, 10, 20, 10, 10, 20, 10}));
}

TEST(Prefilter, ClipsBothWaysAndFitsAByte) {
  EXPECT_EQ(filtered(StereoPrefilter::xsobel, 127, 4, {255, 0, 0, 255}), (Values{127, 0, 254, 127}));
  EXPECT_EQ(filtered<std::uint16_t>(StereoPrefilter::xsobel, 127, 4, {65535, 0, 0, 65535}), (Values{127, 0, 254, 127}));
  EXPECT_EQ(filtered(StereoPrefilter::xsobel, 1, 3, {0, 0, 1}), (Values{1, 2, 1}));
}

TEST(Prefilter, OneRowIsItsOwnNeighbour) {
  // 4 times the step.
  EXPECT_EQ(filtered(StereoPrefilter::xsobel, 31, 5, {0, 1, 2, 4, 0}), (Values{31, 39, 43, 23, 31}));
}

TEST(Prefilter, TwoRowsMirrorEachOther) {
  // Steps 1 and 4: 4 + 2 + 4 and 1 + 8 + 1.
  EXPECT_EQ(filtered(StereoPrefilter::xsobel, 31, 3, {0, 0, 1, 0, 0, 4}), (Values{31, 41, 31, 31, 41, 31}));
}

TEST(Prefilter, NarrowPicturesAreAllBorder) {
  EXPECT_EQ(filtered(StereoPrefilter::xsobel, 31, 1, {3, 200}), (Values{31, 31}));
  EXPECT_EQ(filtered(StereoPrefilter::xsobel, 31, 2, {3, 200}), (Values{31, 31}));
}

TEST(Prefilter, OpencvBlanksTheLastRowOfOddHeights) {
  const std::vector<int> three{0, 0, 1, 0, 0, 3, 0, 0, 7};
  EXPECT_EQ(filtered(StereoPrefilter::xsobel_opencv, 31, 3, three), (Values{31, 39, 31, 31, 45, 31, 31, 31, 31}));
  EXPECT_EQ(filtered(StereoPrefilter::xsobel_opencv, 31, 3, {0, 0, 1, 0, 0, 4}), (Values{31, 41, 31, 31, 41, 31}));
  EXPECT_EQ(filtered(StereoPrefilter::xsobel_opencv, 31, 3, {0, 0, 1}), (Values{31, 31, 31}));
}

}  // namespace
}  // namespace vergence::test
