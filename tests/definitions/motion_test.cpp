// SPDX-License-Identifier: Apache-2.0
// The definitions of motion against tables worked out by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "definitions/motion/block.h"
#include "definitions/motion/order.h"
#include "definitions/motion/rate.h"
#include "definitions/motion/satd.h"
#include "definitions/motion/second_best.h"

namespace vergence::definitions {
namespace {

TEST(MotionOrder, CostThenLengthThenRowThenColumn) {
  EXPECT_TRUE(is_better_vector(4, 9, 9, 5, 0, 0));
  EXPECT_FALSE(is_better_vector(5, 0, 0, 4, 9, 9));
  EXPECT_TRUE(is_better_vector(5, 0, 0, 5, 0, 1));
  // Length 2, best first.
  const std::vector<std::pair<int, int>> order{{0, -2}, {-1, -1}, {1, -1}, {-2, 0}, {2, 0}, {-1, 1}, {1, 1}, {0, 2}};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = 0; k < order.size(); ++k)
      EXPECT_EQ(is_better_vector(7, order[i].first, order[i].second, 7, order[k].first, order[k].second), i < k)
          << i << " " << k;
}

TEST(MotionOrder, PlaceIsTheSameOrder) {
  const std::vector<int> values{-512, -511, -64, -2, -1, 0, 1, 2, 63, 511, 512};
  for (const int x1 : values)
    for (const int y1 : values)
      for (const int x2 : values)
        for (const int y2 : values)
          ASSERT_EQ(motion_place(x1, y1) < motion_place(x2, y2), is_better_vector(0, x1, y1, 0, x2, y2))
              << x1 << "," << y1 << " " << x2 << "," << y2;
  EXPECT_EQ(motion_place(0, 0), 2 * 512);
  EXPECT_LT(motion_place(512, 512), 1 << 22);
}

TEST(MotionRate, BitsOfAComponent) {
  const std::vector<std::pair<int, int>> table{
      {0, 1},  {1, 3}, {-1, 3}, {2, 5},   {-2, 5},  {3, 5},    {-3, 5},   {4, 7},     {-4, 7},    {7, 7},
      {-7, 7}, {8, 9}, {-8, 9}, {64, 15}, {63, 13}, {-63, 13}, {-64, 15}, {4096, 27}, {-4096, 27}};
  for (const auto& [v, bits] : table) EXPECT_EQ(component_bits(v), bits) << v;
  EXPECT_EQ(vector_bits(4, -8, 4, 0), 1 + 9);
}

TEST(MotionRate, LambdaIsQ16AndRoundsDown) {
  EXPECT_EQ(motion_rate(65536, 10), 10u);
  EXPECT_EQ(motion_rate(32768, 3), 1u);  // 1.5
  EXPECT_EQ(motion_rate(1, 54), 0u);
  EXPECT_EQ(motion_rate(0, 54), 0u);
  EXPECT_EQ(motion_rate(0x7FFFFFFF, 54), 1769471u);  // floor(54 (2^31 - 1) / 65536)
}

TEST(MotionRate, WholePixelsRoundHalvesUp) {
  EXPECT_EQ(whole_pixels(2), 1);
  EXPECT_EQ(whole_pixels(1), 0);
  EXPECT_EQ(whole_pixels(-2), 0);
  EXPECT_EQ(whole_pixels(-3), -1);
  EXPECT_EQ(whole_pixels(-6), -1);
  EXPECT_EQ(whole_pixels(-7), -2);
}

TEST(MotionBlock, PartialBlocks) {
  EXPECT_EQ(block_count(17, 8), 3);
  EXPECT_EQ(block_count(16, 8), 2);
  EXPECT_EQ(block_extent(0, 8, 17), 8);
  EXPECT_EQ(block_extent(2, 8, 17), 1);
  EXPECT_TRUE(is_inside(8, 8, 1, 17));
  EXPECT_FALSE(is_inside(8, 8, 2, 17));
  EXPECT_TRUE(is_inside(8, 8, -8, 17));
  EXPECT_FALSE(is_inside(8, 8, -9, 17));
  EXPECT_EQ(padded(-5, 17), 0);
  EXPECT_EQ(padded(17, 17), 16);
  EXPECT_EQ(padded(9, 17), 9);
}

TEST(MotionSecondBest, MoreThanOnePixelAway) {
  EXPECT_FALSE(may_be_second_best_vector(3, 4, 3, 4));
  EXPECT_FALSE(may_be_second_best_vector(4, 3, 3, 4));
  EXPECT_TRUE(may_be_second_best_vector(5, 4, 3, 4));
  EXPECT_TRUE(may_be_second_best_vector(3, 2, 3, 4));
}

TEST(MotionSatd, TilesOfABlock) {
  // A block of 13x10: one tile of 8x8, tiles of 4x4 beside it, single pixels beyond 12 columns and 8 rows.
  EXPECT_EQ(satd_tile(7, 7, 13, 10), 8);
  EXPECT_EQ(satd_tile(8, 0, 13, 10), 4);
  EXPECT_EQ(satd_tile(11, 7, 13, 10), 4);
  EXPECT_EQ(satd_tile(12, 0, 13, 10), 1);
  EXPECT_EQ(satd_tile(0, 8, 13, 10), 1);
  EXPECT_EQ(satd_tile(0, 0, 8, 4), 4);  // no 8x8 tile in 4 rows
  EXPECT_EQ(satd_tile(0, 8, 8, 12), 4);
  EXPECT_EQ(satd_tile(0, 0, 3, 8), 1);
}

TEST(MotionSatd, SignsAndRounding) {
  EXPECT_EQ(hadamard_sign(0, 0, 5, 6), 1);
  EXPECT_EQ(hadamard_sign(1, 0, 1, 6), -1);
  EXPECT_EQ(hadamard_sign(3, 0, 3, 0), 1);
  EXPECT_EQ(hadamard_sign(7, 0, 7, 0), -1);
  EXPECT_EQ(hadamard_sign(7, 7, 7, 7), 1);
  EXPECT_EQ(satd_of_tile(193, 8), 48u);  // (193 + 2) >> 2
  EXPECT_EQ(satd_of_tile(194, 8), 49u);
  EXPECT_EQ(satd_of_tile(48, 4), 24u);
  EXPECT_EQ(satd_of_tile(49, 4), 25u);
  EXPECT_EQ(satd_of_tile(49, 1), 49u);
}

}  // namespace
}  // namespace vergence::definitions
