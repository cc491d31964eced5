// SPDX-License-Identifier: Apache-2.0
// The kernels of motion that only GPUs have give the bytes of the reference on every device: all maps and planes,
// seeded cases made for each kernel, in several launch configurations.
#include "gpu/motion/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "gpu/gpu_devices.hpp"
#include "gpu/motion_backends.hpp"
#include "gpu/motion_tuning.hpp"
#include "verify/motion_cases.hpp"

namespace vergence {
namespace {

using test::run_case;

gpu::MotionTuning default_tuning(const test::GpuDevice& gpu) {
  return gpu::default_motion_tuning(gpu.device->properties());
}

/// Any settings, with work-groups of several sizes.
void run_seed(int seed, const test::GpuDevice& gpu) {
  const auto number = static_cast<std::uint64_t>(seed);
  run_case(make_motion_case(number), test::tuning_of_seed(number, gpu), gpu);
}

MotionRange random_range(Random& random, int most) { return {-random.within(0, most), random.within(1, most)}; }

/// What any search may be asked for, drawn last.
void add_rules(MotionOptions& options, Random& random) {
  options.border = random.once_in(2) ? MotionBorder::inside : MotionBorder::pad;
  options.lambda = random.once_in(2) ? 0 : random.within(1, 1 << 20);
}

/// Search full of frames of at least 64x64.
MotionCase full_case(int seed, Random& random, Size largest) {
  MotionCase one;
  one.seed = static_cast<std::uint64_t>(seed);
  one.size = {random.within(64, largest.width), random.within(64, largest.height)};
  one.options.search = MotionSearch::full;
  return one;
}

/// Settings that full_sad.cl takes: ranges of several tiles, blocks of several panels, frames that leave partial
/// blocks.
void run_tile_seed(int seed, const test::GpuDevice& gpu) {
  Random random(static_cast<std::uint64_t>(seed) + 1000);
  MotionCase one = full_case(seed, random, {150, 110});
  MotionOptions& o = one.options;
  o.block = {4 * random.within(1, 16), 4 * random.within(1, 16)};
  o.range_x = random_range(random, random.once_in(3) ? 40 : 12);
  o.range_y = random_range(random, random.once_in(3) ? 30 : 12);
  add_rules(o, random);
  gpu::MotionTuning tuning = default_tuning(gpu);
  tuning.tiles = true;
  tuning.tile_group = random.once_in(2) ? 256 : 64;
  if (random.once_in(3)) tuning.tile_columns = 4 * random.within(1, 8);
  if (random.once_in(3)) tuning.tile_tall = random.within(1, 16);
  if (random.once_in(3)) tuning.tile_chunk = 4 * random.within(1, 8);
  if (random.once_in(3)) tuning.tile_slabs = random.within(1, 2);
  run_case(one, tuning, gpu);
}

/// The search tz with coarse levels: cells with neighbours on all sides, the coarsest level by full_sad.cl and without.
void run_zones_seed(int seed, const test::GpuDevice& gpu) {
  MotionCase one = make_motion_case(static_cast<std::uint64_t>(seed));
  one.size = {131 + 8 * seed, 90};
  MotionOptions& o = one.options;
  o = {};
  o.search = MotionSearch::tz;
  o.levels = seed % 3 + 1;
  o.block = {16, 16};
  o.border = seed % 2 == 0 ? MotionBorder::pad : MotionBorder::inside;
  o.range_x = {-17, 23};
  o.range_y = {-20, 12};
  gpu::MotionTuning tuning = default_tuning(gpu);
  tuning.tiles = seed == 1;
  tuning.walk = seed != 2;
  run_case(one, tuning, gpu);
}

/// Settings that walk.cl and step_grid.cl take: every search that they do, blocks of one row of work-items and of
/// several.
void run_walk_seed(int seed, const test::GpuDevice& gpu) {
  Random random(static_cast<std::uint64_t>(seed) + 4000);
  MotionCase one = make_motion_case(static_cast<std::uint64_t>(seed));
  one.size = {random.within(64, 180), random.within(64, 120)};
  MotionOptions& o = one.options;
  o = {};
  constexpr MotionSearch searches[] = {MotionSearch::step, MotionSearch::hierarchical, MotionSearch::diamond,
                                       MotionSearch::step, MotionSearch::tz,           MotionSearch::hexagon};
  o.search = searches[seed % 6];
  o.step_grid = static_cast<MotionStepGrid>(seed % 6 == 0 ? seed / 6 % 4 : 0);
  if (seed % 6 == 3) o.step_grid = MotionStepGrid::g13x13;
  o.levels = random.within(1, 3);
  o.block = random.once_in(2) ? Size{4 * random.within(1, 16), 4 * random.within(1, 16)}
                              : Size{8 << random.within(0, 3), 8 << random.within(0, 3)};
  o.range_x = random_range(random, random.once_in(3) ? 60 : 20);
  o.range_y = random_range(random, random.once_in(3) ? 60 : 20);
  add_rules(o, random);
  gpu::MotionTuning tuning = default_tuning(gpu);
  tuning.walk = true;
  tuning.walk_rows = 1 << random.within(1, 4);
  tuning.grid_chunk = 4 << random.within(0, 2);
  run_case(one, tuning, gpu);
}

/// Settings that elimination.cl takes, on NVIDIA's devices: few and many candidates left, blocks that it gives up.
void run_elimination_seed(int seed, const test::GpuDevice& gpu) {
  if (!gpu.device->properties().is_nvidia) return;
  Random random(static_cast<std::uint64_t>(seed) + 2000);
  MotionCase one = full_case(seed, random, {200, 150});
  MotionOptions& o = one.options;
  o.block = {16 << random.within(0, 2), 16 << random.within(0, 2)};
  o.range_x = random_range(random, 30);
  o.range_y = random_range(random, 20);
  add_rules(o, random);
  gpu::MotionTuning tuning = default_tuning(gpu);
  tuning.eliminate_pixels = 0;
  tuning.eliminate_group = 32 << random.within(0, 3);
  tuning.eliminate_left = random.once_in(2) ? 1024 : random.within(1, 60);
  run_case(one, tuning, gpu);
}

/// Settings that full_ssd.cl takes, on devices that have its instruction: several tiles, blocks that the frame
/// shortens.
void run_matrix_seed(int seed, const test::GpuDevice& gpu) {
  if (!gpu.device->properties().is_nvidia) return;
  Random random(static_cast<std::uint64_t>(seed) + 3000);
  MotionCase one = full_case(seed, random, {200, 200});
  MotionOptions& o = one.options;
  o.cost = MotionCost::ssd;
  o.block = {16 * random.within(1, 4), 8 * random.within(1, 8)};
  o.range_x = random_range(random, random.once_in(2) ? 64 : 20);
  o.range_y = random_range(random, random.once_in(2) ? 64 : 20);
  add_rules(o, random);
  run_case(one, default_tuning(gpu), gpu);
}

/// A test for each seed, because compilers for processors take a second or two for each case.
class GpuMotionTiles : public testing::TestWithParam<int> {};
TEST_P(GpuMotionTiles, EqualReference) { test::run_everywhere(GetParam(), GetParam(), run_tile_seed); }
INSTANTIATE_TEST_SUITE_P(Seed, GpuMotionTiles, testing::Range(1, 5), testing::PrintToStringParamName());

class GpuMotionZones : public testing::TestWithParam<int> {};
TEST_P(GpuMotionZones, EqualReference) { test::run_everywhere(GetParam(), GetParam(), run_zones_seed); }
INSTANTIATE_TEST_SUITE_P(Seed, GpuMotionZones, testing::Range(1, 3), testing::PrintToStringParamName());

class GpuMotionWalks : public testing::TestWithParam<int> {};
TEST_P(GpuMotionWalks, EqualReference) { test::run_everywhere(GetParam(), GetParam(), run_walk_seed); }
INSTANTIATE_TEST_SUITE_P(Seed, GpuMotionWalks, testing::Range(1, 7), testing::PrintToStringParamName());

/// On machines with a GPU: as many as VERGENCE_GPU_CASES says.
TEST(GpuMotionKernels, ManySeedsEqualReference) {
  const char* const cases = std::getenv("VERGENCE_GPU_CASES");
  if (cases == nullptr)
    GTEST_SKIP() << "VERGENCE_GPU_CASES is not set: GpuMotionTiles, GpuMotionZones and GpuMotionWalks run a few";
  test::run_everywhere(1, std::atoi(cases), run_seed);
  test::run_everywhere(1, std::atoi(cases), run_tile_seed);
  test::run_everywhere(1, std::atoi(cases), run_elimination_seed);
  test::run_everywhere(1, std::atoi(cases), run_matrix_seed);
  test::run_everywhere(1, 6 * std::atoi(cases), run_walk_seed);
}

}  // namespace
}  // namespace vergence
