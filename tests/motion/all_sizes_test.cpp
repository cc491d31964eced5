// SPDX-License-Identifier: Apache-2.0
// All block sizes from one pass: each size is what the exhaustive search finds for it alone.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "motion/motion_oracle.hpp"
#include "vergence/motion.hpp"
#include "verify/motion_cases.hpp"

namespace vergence {
namespace {

using test::Found;

template <class P>
void expect_single_searches(const MotionCase& motion_case) {
  const MotionFrames<P> frames = make_motion_frames<P>(motion_case);
  MotionOptions options = motion_case.options;
  options.search = MotionSearch::full;
  options.subpel = MotionSubpel::none;
  MotionSizesEstimator estimator(Device("reference"), motion_case.size, sizes_options(options));
  std::vector<Found> found;
  std::vector<Image<MotionVector>> previous;
  MotionSizesInput input{frames.current, frames.reference, {}};
  MotionSizesOutput output;
  for (int i = 0; i < 4; ++i) {
    found.emplace_back(estimator.blocks(i));
    previous.push_back(make_previous_field(motion_case, estimator.blocks(i)));
  }
  for (std::size_t i = 0; i < 4; ++i) input.previous[i] = previous[i], output[i] = found[i].output();
  estimator.compute(input, output);
  for (std::size_t i = 0; i < 4; ++i) {
    const int side = MotionSizesEstimator::sides[i];
    SCOPED_TRACE(side);
    test::expect_best(found[i], frames.current, frames.reference, options, {side, side}, previous[i]);
  }
}

class MotionAllSizes : public testing::TestWithParam<int> {};

TEST_P(MotionAllSizes, EqualSearchesOfEachSize) {
  MotionCase motion_case = make_motion_case(static_cast<std::uint64_t>(GetParam()));
  // Large enough for a whole block of 64 and a partial one; candidates of large and small blocks then differ.
  motion_case.size = {72 + GetParam() % 3, 66 + GetParam() % 5};
  motion_case.options.range_x = {-3, 2};
  motion_case.options.range_y = {-2, 3};
  SCOPED_TRACE(describe(motion_case));
  if (motion_case.options.depth == Depth::u8)
    expect_single_searches<std::uint8_t>(motion_case);
  else
    expect_single_searches<std::uint16_t>(motion_case);
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionAllSizes, testing::Range(0, 9));

TEST(MotionAllSizes, SmallFramesHaveOneBlockOfTheLargeSizes) {
  const Image<std::uint8_t> frame = test::noise<std::uint8_t>({20, 12}, 1, 255);
  MotionSizesEstimator estimator(Device("reference"), frame.size(), {.range_x = {-4, 4}, .range_y = {-4, 4}});
  EXPECT_EQ(estimator.blocks(0), (Size{3, 2}));
  EXPECT_EQ(estimator.blocks(1), (Size{2, 1}));
  EXPECT_EQ(estimator.blocks(2), (Size{1, 1}));
  EXPECT_EQ(estimator.blocks(3), (Size{1, 1}));
  EXPECT_ERROR(static_cast<void>(estimator.blocks(4)), ErrorCode::invalid_argument, "index is 4");
}

}  // namespace
}  // namespace vergence
