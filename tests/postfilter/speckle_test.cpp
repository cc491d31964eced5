// SPDX-License-Identifier: Apache-2.0
// The reference speckle filter on maps whose regions can be counted by eye.
#include <gtest/gtest.h>

#include "reference/postfilter/stages.hpp"
#include "support/maps.hpp"

namespace vergence::test {
namespace {

constexpr int no = -16;

template <class T = std::int16_t>
Values despeckled(int size, int range, int width, const std::vector<int>& values, int min_disparity = 0) {
  Image<T> map = map_of<T>(width, values);
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = 1;
  options.min_disparity = min_disparity;
  options.speckle_size = size;
  options.speckle_range = range;
  reference::speckle<T>(make_stereo_plan(map.size(), options), map);
  return values_of(map);
}

TEST(Speckle, RegionsUpToTheSizeAreRemoved) {
  // Regions of 3, 2 and 1 pixels in a row.
  const std::vector<int> map{0, 0, 0, 160, 160, 320};
  EXPECT_EQ(despeckled(0, 16, 6, map), (Values{0, 0, 0, 160, 160, 320}));
  EXPECT_EQ(despeckled(1, 16, 6, map), (Values{0, 0, 0, 160, 160, no}));
  EXPECT_EQ(despeckled(2, 16, 6, map), (Values{0, 0, 0, no, no, no}));
  EXPECT_EQ(despeckled(3, 16, 6, map), (Values{no, no, no, no, no, no}));
}

TEST(Speckle, NeighboursJoinUpToTheRange) {
  EXPECT_EQ(despeckled(1, 16, 2, {32, 48}), (Values{32, 48}));
  EXPECT_EQ(despeckled(1, 15, 2, {32, 48}), (Values{no, no}));
  EXPECT_EQ(despeckled(1, 0, 2, {32, 32}), (Values{32, 32}));
}

TEST(Speckle, RegionsMayDrift) {
  // Each step joins, though the ends lie far apart.
  EXPECT_EQ(despeckled(4, 16, 5, {0, 16, 32, 48, 64}), (Values{0, 16, 32, 48, 64}));
}

TEST(Speckle, DiagonalsDoNotJoin) {
  EXPECT_EQ(despeckled(1, 16, 2, {32, no, no, 32}), (Values{no, no, no, no}));
  EXPECT_EQ(despeckled(1, 16, 2, {32, no, 32, 32}), (Values{32, no, 32, 32}));
}

TEST(Speckle, InvalidPixelsSeparate) {
  EXPECT_EQ(despeckled(2, 65535, 5, {0, 0, no, 0, 0}), (Values{no, no, no, no, no}));
}

TEST(Speckle, BranchesMeetAgain) {
  // A U, an n and a spiral are one region each; the rows that reach them first end apart.
  const std::vector<int> u{9, no, 9, 9, no, 9, 9, 9, 9};
  EXPECT_EQ(despeckled(6, 0, 3, u), values_of(map_of<int>(3, u)));
  EXPECT_EQ(despeckled(7, 0, 3, u), (Values(9, no)));
  const std::vector<int> spiral{9, 9, 9, 9, 9, no, no, no, no, 9, 9, 9, 9, no, 9, 9, no, no, no, 9, 9, 9, 9, 9, 9};
  EXPECT_EQ(despeckled(16, 0, 5, spiral), values_of(map_of<int>(5, spiral)));
  EXPECT_EQ(despeckled(17, 0, 5, spiral), (Values(25, no)));
}

TEST(Speckle, RemovalDoesNotChangeOtherRegions) {
  // Sizes are counted before anything is removed: the zeros left and right of the 160 stay two regions.
  EXPECT_EQ(despeckled(1, 16, 5, {0, 0, 160, 0, 0}), (Values{0, 0, no, 0, 0}));
  EXPECT_EQ(despeckled(2, 16, 5, {0, 0, 160, 0, 0}), (Values{no, no, no, no, no}));
}

TEST(Speckle, ZeroIsAnOrdinaryDisparity) {
  // min_disparity 1: invalid is 0; min_disparity -5: invalid is -96 and 0 is valid.
  EXPECT_EQ(despeckled(1, 16, 3, {0, 16, 16}, 1), (Values{0, 16, 16}));
  EXPECT_EQ(despeckled(1, 16, 3, {0, -96, -96}, -5), (Values{-96, -96, -96}));
}

TEST(Speckle, WideMaps) {
  EXPECT_EQ(despeckled<std::int32_t>(1, 16, 3, {100000, 100016, 200000}), (Values{100000, 100016, no}));
}

}  // namespace
}  // namespace vergence::test
