// SPDX-License-Identifier: Apache-2.0
// All block sizes from one pass on every GPU device: the bytes of the reference, in frames whose edges shorten blocks
// of every size, in frames below 64 px, with ties, rates and second bests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/random.hpp"
#include "gpu/gpu_devices.hpp"
#include "gpu/motion/all_sizes.hpp"
#include "gpu/motion_backends.hpp"

namespace vergence {
namespace {

using test::run_case;

MotionCase make_case(int seed) {
  Random random(static_cast<std::uint64_t>(seed) + 5000);
  MotionCase one;
  one.seed = static_cast<std::uint64_t>(seed);
  one.size = random.once_in(3) ? Size{random.within(8, 70), random.within(8, 70)}
                               : Size{random.within(64, 150), random.within(64, 140)};
  MotionOptions& o = one.options;
  o.block = {8, 8};
  one.all_sizes = true;
  o.cost = random.once_in(3) ? MotionCost::ssd : MotionCost::sad;
  const auto range = [&](int most, int side) {
    return MotionRange{-random.within(0, std::min(most, side)), random.within(1, std::min(most, side))};
  };
  o.range_x = range(random.once_in(4) ? 40 : 9, one.size.width);
  o.range_y = range(random.once_in(4) ? 30 : 9, one.size.height);
  o.border = random.once_in(2) ? MotionBorder::inside : MotionBorder::pad;
  o.lambda = random.once_in(2) ? 0 : random.once_in(4) ? 0x7FFFFFFF : random.within(1, 1 << 20);
  return one;
}

gpu::MotionTuning make_tuning(int seed, const test::GpuDevice& gpu) {
  Random random(static_cast<std::uint64_t>(seed) + 6000);
  gpu::MotionTuning tuning = gpu::default_motion_tuning(gpu.device->properties());
  tuning.sizes = true;
  if (random.once_in(2)) tuning.sizes_columns = 4 * random.within(1, 8);
  if (random.once_in(2)) tuning.sizes_tall = random.within(1, 16);
  if (random.once_in(2)) tuning.sizes_slabs = random.within(1, 3);
  if (random.once_in(2)) tuning.sizes_group = 64;
  return tuning;
}

void run_size_seed(int seed, const test::GpuDevice& gpu) { run_case(make_case(seed), make_tuning(seed, gpu), gpu); }
/// One that is served: of many seeds, some have too few candidates or a launch configuration that does not fit.
void run_served_seed(int seed, const test::GpuDevice& gpu) {
  const MotionPlan plan = plan_of(make_case(seed));
  EXPECT_TRUE(gpu::AllSizes::serves(plan, gpu.device->properties(), make_tuning(seed, gpu)));
  run_size_seed(seed, gpu);
}

/// A test for each seed, because compilers for processors take some seconds for each case. These have no confidence,
/// which has kernels of its own; they have both costs and borders, rates, second bests, and a frame below 64 px.
class GpuMotionSizes : public testing::TestWithParam<int> {};
TEST_P(GpuMotionSizes, EqualReference) { test::run_everywhere(GetParam(), GetParam(), run_served_seed); }
INSTANTIATE_TEST_SUITE_P(Seed, GpuMotionSizes, testing::Values(3, 6, 9, 12, 15), testing::PrintToStringParamName());

/// On machines with a GPU: as many as VERGENCE_GPU_CASES says.
TEST(GpuMotionSizes, ManySeedsEqualReference) {
  const char* const cases = std::getenv("VERGENCE_GPU_CASES");
  if (cases == nullptr) GTEST_SKIP() << "VERGENCE_GPU_CASES is not set: GpuMotionSizes runs a few";
  test::run_everywhere(1, std::atoi(cases), run_size_seed);
}

/// What one pass serves, and what is left to a search for each size.
TEST(GpuMotionSizes, OnePassServesSadAndSsdOfBytes) {
  gpu::Properties properties;
  properties.local_memory = 48 << 10;
  properties.largest_group = 1024;
  properties.is_nvidia = true;
  gpu::MotionTuning tuning = gpu::default_motion_tuning(properties);
  EXPECT_FALSE(gpu::AllSizes::serves(make_motion_plan({640, 512}, {.block = {8, 8}}), properties, tuning));  // one size
  MotionSizesOptions options;
  const auto serves = [&] {
    return gpu::AllSizes::serves(make_motion_sizes_plan({640, 512}, options), properties, tuning);
  };
  EXPECT_TRUE(serves());
  options.lambda = 1 << 20;
  EXPECT_TRUE(serves());
  options.lambda = 0x7FFFFFFF;  // the largest, with which J still takes less than 32 bits
  EXPECT_TRUE(serves());
  options.lambda = 0;
  options.cost = MotionCost::ssd;
  EXPECT_TRUE(serves());
  options.cost = MotionCost::satd;
  EXPECT_FALSE(serves());
  options.cost = MotionCost::sad;
  options.depth = Depth::u16;
  EXPECT_FALSE(serves());
  options.depth = Depth::u8;
  tuning.sizes = false;
  EXPECT_FALSE(serves());
  tuning.sizes = true;
  options.range_x = options.range_y = {-512, 512};
  EXPECT_TRUE(serves());
}

}  // namespace
}  // namespace vergence
