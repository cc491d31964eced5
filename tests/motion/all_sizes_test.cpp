// SPDX-License-Identifier: Apache-2.0
// All block sizes from one pass: each size is what the exhaustive search finds for it alone.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

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
  options.all_sizes = true;
  options.block = {8, 8};
  MotionEstimator estimator(Device("reference"), motion_case.size, options);
  std::vector<Found> found;
  std::vector<Image<MotionVector>> previous;
  MotionEstimator::SizeMaps maps;
  for (int i = 0; i < 4; ++i) {
    found.emplace_back(estimator.blocks_of_size(i));
    previous.push_back(make_previous_field(motion_case, estimator.blocks_of_size(i)));
  }
  for (std::size_t i = 0; i < 4; ++i) maps[i] = found[i].maps(previous[i]);
  estimator.compute_sizes(frames.current, frames.reference, maps);
  for (std::size_t i = 0; i < 4; ++i) {
    const int side = MotionEstimator::all_sizes[i];
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
  MotionOptions o;
  o.block = {8, 8};
  o.range_x = o.range_y = {-4, 4};
  o.all_sizes = true;
  MotionEstimator estimator(Device("reference"), frame.size(), o);
  EXPECT_EQ(estimator.blocks_of_size(0), (Size{3, 2}));
  EXPECT_EQ(estimator.blocks_of_size(1), (Size{2, 1}));
  EXPECT_EQ(estimator.blocks_of_size(2), (Size{1, 1}));
  EXPECT_EQ(estimator.blocks_of_size(3), (Size{1, 1}));
}

}  // namespace
}  // namespace vergence
