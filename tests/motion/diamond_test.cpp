// SPDX-License-Identifier: Apache-2.0
// The diamond search on a hill, and on seeded cases against a second implementation.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "motion/search_oracle.hpp"

namespace vergence {
namespace {

TEST(MotionDiamond, ClimbsAHill) {
  MotionOptions o{.search = MotionSearch::diamond, .range_x = {-20, 20}, .range_y = {-20, 20}};
  EXPECT_EQ(test::middle_vector(o, 7, -12), (MotionVector{28, -48}));
  EXPECT_EQ(test::middle_vector(o, -20, 3), (MotionVector{-80, 12}));
  EXPECT_EQ(test::middle_vector(o, 0, 1), (MotionVector{0, 4}));
}

TEST(MotionDiamond, StopsInAValleyOfItsOwn) {
  // A lone mark 10 px away costs the same from everywhere nearer: nothing leads there.
  Image<std::uint8_t> current(64, 16, 0);
  Image<std::uint8_t> reference(64, 16, 0);
  current(20, 4) = 200;
  reference(40, 4) = 200;
  MotionOptions o{.search = MotionSearch::diamond, .block = {8, 8}, .range_x = {-24, 24}, .range_y = {-8, 8}};
  MotionEstimator estimator(Device("reference"), {64, 16}, o);
  test::Found found(estimator.blocks());
  estimator.compute({current, reference}, found.output(false));
  EXPECT_EQ(found.vectors(2, 0), (MotionVector{0, 0}));
  EXPECT_EQ(found.cost(2, 0), 200u);
  // The field before leads there.
  const Image<MotionVector> previous(estimator.blocks(), MotionVector{80, 0});
  estimator.compute({current, reference, previous}, found.output(false));
  EXPECT_EQ(found.vectors(2, 0), (MotionVector{80, 0}));
  EXPECT_EQ(found.cost(2, 0), 0u);
}

class MotionDiamondSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionDiamondSeeds, EqualASecondImplementation) {
  const std::vector<std::array<int, 2>> large{{0, -2}, {-1, -1}, {1, -1}, {-2, 0}, {2, 0}, {-1, 1}, {1, 1}, {0, 2}};
  const std::vector<std::array<int, 2>> small{{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
  test::compare_case(test::case_of(GetParam(), MotionSearch::diamond),
                     [&](const auto& candidates) { return candidates.wander(large, small); });
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionDiamondSeeds, testing::Range(100, 124));

}  // namespace
}  // namespace vergence
