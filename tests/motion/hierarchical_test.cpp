// SPDX-License-Identifier: Apache-2.0
// The hierarchical search: its definitions by hand, known shifts, and seeded cases against a second implementation.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "core/pictures.hpp"
#include "definitions/motion/pyramid.h"
#include "motion/pyramid_oracle.hpp"

namespace vergence {
namespace {

using test::Point;

TEST(MotionPyramid, ByHand) {
  using namespace definitions;
  EXPECT_EQ(half_side(1), 1);
  EXPECT_EQ(half_side(7), 4);
  EXPECT_EQ(half_pixel(1, 2, 3, 4), 3);  // 2.5 up
  EXPECT_EQ(half_pixel(1, 1, 1, 2), 1);  // 1.25
  EXPECT_EQ(half_pixel(65535, 65535, 65535, 65535), 65535);
  // A block of 16 from 32 on level 2 covers 8 .. 11; two more on either side.
  EXPECT_EQ(coarse_start(32, 16, 2, 100), 6);
  EXPECT_EQ(coarse_extent(32, 16, 2, 100), 8);
  // A partial block of 5 from 96 on level 1 covers 48 .. 50: 8 from 46, but the level ends at 51.
  EXPECT_EQ(coarse_extent(96, 5, 1, 51), 8);
  EXPECT_EQ(coarse_start(96, 5, 1, 51), 43);
  EXPECT_EQ(coarse_start(0, 8, 3, 20), 0);
  // A level of 3 pixels is covered whole; 64 px on level 2 need no more than they cover.
  EXPECT_EQ(coarse_extent(8, 8, 3, 3), 3);
  EXPECT_EQ(coarse_start(8, 8, 3, 3), 0);
  EXPECT_EQ(coarse_extent(64, 64, 2, 100), 16);
  EXPECT_EQ(coarse_start(64, 64, 2, 100), 16);
  EXPECT_EQ(coarse_range(-7, 2), -1);
  EXPECT_EQ(coarse_range(7, 2), 1);
  EXPECT_EQ(coarse_range(-3, 2), 0);
}

TEST(MotionHierarchical, FindsALongShift) {
  // Coarse noise, so that coarse levels still see it.
  const Image<std::uint8_t> seed = test::noise<std::uint8_t>({40, 40}, 11, 255);
  Image<std::uint8_t> current(160, 128);
  Image<std::uint8_t> reference(160, 128);
  const auto at = [&](int x, int y) { return seed((x / 16) % 40, (y / 16) % 40); };
  for (int y = 0; y < 128; ++y)
    for (int x = 0; x < 160; ++x) {
      reference(x, y) = at(x + 80, y + 80);
      current(x, y) = at(x + 80 + 41, y + 80 - 29);
    }
  MotionOptions o{.search = MotionSearch::hierarchical, .block = {32, 32}, .range_x = {-48, 48}, .range_y = {-48, 48}};
  MotionEstimator estimator(Device("reference"), {160, 128}, o);
  test::Found found(estimator.blocks());
  estimator.compute({current, reference}, found.output(false));
  for (const int column : {0, 1, 2})
    for (const int row : {1, 2, 3}) EXPECT_EQ(found.vectors(column, row), (MotionVector{164, -116}));
}

class MotionHierarchicalSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionHierarchicalSeeds, EqualASecondImplementation) {
  const MotionCase motion_case = test::case_of(GetParam(), MotionSearch::hierarchical);
  const int count = motion_case.options.levels;
  test::compare_case(motion_case, [&](const auto& candidates) {
    const auto levels = test::levels_of(candidates, count);
    Point found = test::best_of_all(test::on_level(candidates, levels, count));
    for (int level = count - 1; level >= 0; --level) {
      const auto here = level > 0 ? test::on_level(candidates, levels, level) : candidates;
      const Point best = level > 0 ? *here.at(0, 0) : here.start();
      found = here.smallest(best, test::square(2), Point{0, 0, 2 * found.dy, 2 * found.dx});
    }
    return found;
  });
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionHierarchicalSeeds, testing::Range(300, 324));

}  // namespace
}  // namespace vergence
