// SPDX-License-Identifier: Apache-2.0
// The reference median on maps worked out by hand.
#include <gtest/gtest.h>

#include "reference/postfilter/stages.hpp"
#include "support/maps.hpp"

namespace vergence::test {
namespace {

constexpr int median_no = -16;

template <class T = std::int16_t>
Values filtered(int side, int width, const std::vector<int>& values) {
  const Image<T> in = map_of<T>(width, values);
  Image<T> out(in.size());
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = 1;
  options.median = side;
  reference::median<T>(make_stereo_plan(in.size(), options), in, out);
  return values_of(out);
}

TEST(Median, MiddleOfNine) {
  const Values out = filtered(3, 3, {9, 1, 8, 2, 7, 3, 6, 4, 5});
  EXPECT_EQ(out[4], 5);
  // Corner 9 1 2 7: the lower middle; edge 9 1 8 2 7 3: sorted 1 2 3 7 8 9.
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(out[1], 3);
}

TEST(Median, InvalidNeighboursAreLeftOut) {
  EXPECT_EQ(filtered(3, 3, {median_no, median_no, median_no, 5, 9, median_no, median_no, median_no, 7})[4], 7);
  EXPECT_EQ(filtered(3, 3, {median_no, median_no, median_no, median_no, 9, median_no, median_no, median_no, 7})[4], 7);
  EXPECT_EQ(
      filtered(3, 3, {median_no, median_no, median_no, median_no, 9, median_no, median_no, median_no, median_no})[4],
      9);
}

TEST(Median, InvalidCentresStayInvalid) {
  EXPECT_EQ(filtered(3, 3, {5, 5, 5, 5, median_no, 5, 5, 5, 5}), (Values{5, 5, 5, 5, median_no, 5, 5, 5, 5}));
}

TEST(Median, ReadsTheUnfilteredMap) {
  // Were the result written in place, the second 8 would be gone before its neighbour looked.
  EXPECT_EQ(filtered(3, 5, {8, 0, 8, 0, 8}), (Values{0, 8, 0, 8, 0}));
}

TEST(Median, FiveByFive) {
  std::vector<int> values(25);
  for (int i = 0; i < 25; ++i) values[static_cast<std::size_t>(i)] = (i * 7) % 25;  // each of 0..24 once
  EXPECT_EQ(filtered(5, 5, values)[12], 12);
  EXPECT_EQ(filtered(5, 1, {4, 1, 3, 2, 5}), (Values{3, 2, 3, 2, 3}));
}

TEST(Median, OnePixelAndNegativeValues) {
  EXPECT_EQ(filtered(5, 1, {33}), (Values{33}));
  EXPECT_EQ(filtered(3, 3, {-5, -7, 3}), (Values{-7, -5, -7}));
}

TEST(Median, OffCopies) { EXPECT_EQ(filtered(0, 3, {1, 9, median_no}), (Values{1, 9, median_no})); }

TEST(Median, WideMaps) { EXPECT_EQ(filtered<std::int32_t>(3, 3, {100000, 300000, 200000})[1], 200000); }

}  // namespace
}  // namespace vergence::test
