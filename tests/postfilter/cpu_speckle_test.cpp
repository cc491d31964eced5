// SPDX-License-Identifier: Apache-2.0
// The speckle filter on the device cpu: every SIMD target gives the bytes of the reference.
#include "stage/cpu_filters.hpp"
#define SUITE CpuSpeckle
#include "stage/speckle.hpp"

namespace vergence::test {
namespace {

TEST(CpuSpeckleMemory, FollowsFromTheSizeAlone) {
  const Size size{1920, 1080};
  CpuFilters worker(2, cpu::simd_targets().front());
  StereoOptions options;
  options.speckle_size = 100;
  const StereoPlan plan = filter_plan(size, options);
  Image<std::int16_t> map(size, std::int16_t{0});
  cpu::speckle<std::int16_t>(plan, worker.context, worker.speckle, map);
  const std::size_t bytes = worker.speckle.bytes();
  EXPECT_LT(bytes, 9'000'000u);
  Maps(3).draw<std::int16_t>(Kind::noise, -16, map);
  cpu::speckle<std::int16_t>(plan, worker.context, worker.speckle, map);
  EXPECT_EQ(worker.speckle.bytes(), bytes);
}

}  // namespace
}  // namespace vergence::test
