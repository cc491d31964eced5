// SPDX-License-Identifier: Apache-2.0
// Motion on the device cpu gives the bytes of the reference.
#include "stage/cpu_motion.hpp"
#define SUITE CpuMotion
#define SUITE_OF_SEEDS CpuMotionSeeds
#include "stage/motion.hpp"

namespace vergence {
namespace {

TEST_F(CpuMotion, MemoryIsCounted) {
  MotionOptions options;
  options.range_x = options.range_y = {-8, 8};
  const MotionEstimator estimator(Device("cpu"), {64, 48}, options);
  EXPECT_GE(estimator.memory(), std::size_t{64 * 48});
}

}  // namespace
}  // namespace vergence
