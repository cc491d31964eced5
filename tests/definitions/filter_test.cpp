// SPDX-License-Identifier: Apache-2.0
// The filters' definitions against tables worked out by hand.
#include <gtest/gtest.h>

#include "definitions/postfilter/fill.h"
#include "definitions/postfilter/median.h"
#include "definitions/postfilter/speckle.h"

namespace vergence::definitions {
namespace {

TEST(Speckle, NeighboursJoinWithinTheRange) {
  EXPECT_TRUE(is_same_region(32, 48, 16, -16));
  EXPECT_TRUE(is_same_region(48, 32, 16, -16));
  EXPECT_FALSE(is_same_region(32, 49, 16, -16));
  EXPECT_FALSE(is_same_region(0, -16, 65535, -16));  // invalid joins nothing
  EXPECT_FALSE(is_same_region(-16, -16, 65535, -16));
  EXPECT_TRUE(is_same_region(-33, 32, 65, -640));
}

TEST(Speckle, RegionsUpToTheSizeGo) {
  EXPECT_TRUE(is_speckle(100, 100));
  EXPECT_FALSE(is_speckle(101, 100));
  EXPECT_FALSE(is_speckle(1, 0));
}

TEST(Median, LowerOfTwoMiddles) {
  EXPECT_EQ(median_rank(1), 0);
  EXPECT_EQ(median_rank(2), 0);
  EXPECT_EQ(median_rank(3), 1);
  EXPECT_EQ(median_rank(4), 1);
  EXPECT_EQ(median_rank(9), 4);
  EXPECT_EQ(median_rank(25), 12);
}

TEST(Fill, BackgroundTakesTheSmallerSide) {
  EXPECT_EQ(fill_background(80, 64, -16), 64);
  EXPECT_EQ(fill_background(64, 80, -16), 64);
  EXPECT_EQ(fill_background(-16, 80, -16), 80);
  EXPECT_EQ(fill_background(80, -16, -16), 80);
  EXPECT_EQ(fill_background(-16, -16, -16), -16);
}

TEST(Fill, MeanRoundsHalvesUp) {
  EXPECT_EQ(fill_mean(7, 2), 4);    // 3.5
  EXPECT_EQ(fill_mean(-7, 2), -3);  // -3.5
  EXPECT_EQ(fill_mean(10, 3), 3);
  EXPECT_EQ(fill_mean(11, 3), 4);
  EXPECT_EQ(fill_mean(-10, 3), -3);
  EXPECT_EQ(fill_mean(-11, 3), -4);
}

TEST(Fill, MeanOfAllRoundsDown) {
  EXPECT_EQ(fill_mean_all(100, 3), 12);  // / 8
  EXPECT_EQ(fill_mean_all(-100, 3), -13);
  EXPECT_EQ(fill_mean_all(0, 11), 0);
  EXPECT_EQ(fill_mean_all(119, 11), 0);  // / 120
  EXPECT_EQ(fill_mean_all(120, 11), 1);
}

TEST(Fill, NearestByDistanceThenRaster) {
  EXPECT_TRUE(is_nearer(1, 1, 2, 0));  // 2 < 4
  EXPECT_FALSE(is_nearer(2, 0, 1, 1));
  EXPECT_TRUE(is_nearer(0, -1, -1, 0));  // equal: the upper row
  EXPECT_TRUE(is_nearer(-1, 0, 1, 0));   // equal: the left column
  EXPECT_FALSE(is_nearer(1, 0, -1, 0));
  EXPECT_FALSE(is_nearer(0, 1, 0, 1));
  EXPECT_TRUE(is_nearer(3, -4, -4, -3));  // both 25: row -4 before row -3
  EXPECT_TRUE(is_nearer_row(-2, 2));
  EXPECT_FALSE(is_nearer_row(2, -2));
  EXPECT_TRUE(is_nearer_row(1, -2));
}

}  // namespace
}  // namespace vergence::definitions
