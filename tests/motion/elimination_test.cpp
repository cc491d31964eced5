// SPDX-License-Identifier: Apache-2.0
// Successive elimination: bounds by hand and never above the cost, and the same vectors, ties included, as trying
// every candidate.
#include <gtest/gtest.h>

#include <cstdint>

#include "core/pictures.hpp"
#include "definitions/motion/elimination.h"
#include "motion/motion_oracle.hpp"
#include "reference/motion/stages.hpp"
#include "verify/motion_cases.hpp"

namespace vergence {
namespace {

using test::Found;

TEST(MotionElimination, BoundsByHand) {
  using namespace definitions;
  EXPECT_EQ(sad_bound(-7), 7u);
  EXPECT_EQ(ssd_bound(-8, 16), 4u);
  EXPECT_EQ(ssd_bound(9, 16), 6u);  // 81 / 16 = 5.06
  EXPECT_EQ(ssd_bound(0, 16), 0u);
  EXPECT_EQ(ssd_bound(std::int64_t{4096} * 65535, 4096), std::uint64_t{4096} * 65535 * 65535);
  EXPECT_EQ(satd_bound(-192, 8), 48u);
  EXPECT_EQ(satd_bound(48, 4), 24u);
  EXPECT_TRUE(is_eliminated(10, 2, 0, 9, 0, 0));
  EXPECT_FALSE(is_eliminated(8, 2, 0, 9, 0, 0));
  EXPECT_TRUE(is_eliminated(9, 2, 0, 9, 0, 0));   // at best equal, and longer
  EXPECT_FALSE(is_eliminated(9, 0, 1, 9, 2, 0));  // perhaps equal, and shorter
  EXPECT_TRUE(is_eliminated(9, 1, 0, 9, -1, 0));  // perhaps equal, and right of it
  EXPECT_FALSE(is_eliminated(9, -1, 0, 9, 1, 0));
}

template <class P>
void expect_the_same(const MotionCase& motion_case) {
  const MotionFrames<P> frames = make_motion_frames<P>(motion_case);
  const MotionPlan plan = make_motion_plan(motion_case.size, motion_case.options);
  const Size blocks = plan.grids.front();
  const Image<MotionVector> previous = make_previous_field(motion_case, blocks);
  const MotionPictures<P> pictures{frames.current, frames.reference};
  Found all(blocks);
  Found few(blocks);
  reference::full(plan, pictures, all.maps(previous));
  reference::elimination(plan, pictures, few.maps(previous));
  for (int y = 0; y < blocks.height; ++y)
    for (int x = 0; x < blocks.width; ++x) {
      ASSERT_EQ(few.vectors(x, y), all.vectors(x, y)) << x << "," << y;
      ASSERT_EQ(few.cost(x, y), all.cost(x, y)) << x << "," << y;
      ASSERT_EQ(few.j(x, y), all.j(x, y)) << x << "," << y;
    }
}

class MotionEliminationSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionEliminationSeeds, EqualTheExhaustiveSearch) {
  MotionCase motion_case = make_motion_case(static_cast<std::uint64_t>(GetParam()));
  motion_case.options.search = MotionSearch::full;
  motion_case.all_sizes = false;
  SCOPED_TRACE(describe(motion_case));
  if (motion_case.options.depth == Depth::u8)
    expect_the_same<std::uint8_t>(motion_case);
  else
    expect_the_same<std::uint16_t>(motion_case);
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionEliminationSeeds, testing::Range(700, 760));

TEST(MotionElimination, LeavesMostCandidatesOut) {
  // A smooth picture that moved: nearly every candidate is excluded by its sums.
  Image<std::uint8_t> reference(64, 64);
  Image<std::uint8_t> current(64, 64);
  const auto at = [](int x, int y) { return static_cast<std::uint8_t>((x * x + 3 * y * y + 40 * x) / 64 % 256); };
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      reference(x, y) = at(x, y);
      current(x, y) = at(x + 3, y - 2);
    }
  MotionOptions o{.range_x = {-16, 16}, .range_y = {-16, 16}, .border = MotionBorder::pad};
  const MotionPlan plan = make_motion_plan({64, 64}, o);
  Found found(plan.grids.front());
  const std::int64_t tried =
      reference::elimination(plan, MotionPictures<std::uint8_t>{current, reference}, found.maps({}, false));
  EXPECT_LT(tried, 16 * 33 * 33 / 10);
  EXPECT_GT(tried, 0);
}

}  // namespace
}  // namespace vergence
