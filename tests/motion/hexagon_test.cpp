// SPDX-License-Identifier: Apache-2.0
// The hexagon search on a hill, and on seeded cases against a second implementation.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "motion/search_oracle.hpp"

namespace vergence {
namespace {

TEST(MotionHexagon, ClimbsAHill) {
  MotionOptions o{.search = MotionSearch::hexagon, .range_x = {-20, 20}, .range_y = {-20, 20}};
  EXPECT_EQ(test::middle_vector(o, 7, -12), (MotionVector{28, -48}));
  EXPECT_EQ(test::middle_vector(o, -19, 3), (MotionVector{-76, 12}));
  EXPECT_EQ(test::middle_vector(o, 1, 1), (MotionVector{4, 4}));
}

class MotionHexagonSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionHexagonSeeds, EqualASecondImplementation) {
  const std::vector<std::array<int, 2>> large{{-2, 0}, {-1, 2}, {1, 2}, {2, 0}, {1, -2}, {-1, -2}};
  const std::vector<std::array<int, 2>> small{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
  test::compare_case(test::case_of(GetParam(), MotionSearch::hexagon),
                     [&](const auto& candidates) { return candidates.wander(large, small); });
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionHexagonSeeds, testing::Range(200, 224));

}  // namespace
}  // namespace vergence
