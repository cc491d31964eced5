// SPDX-License-Identifier: Apache-2.0
// Motion on the CPU gives the bytes of the reference: every search and map, every SIMD target of this machine, one to
// three threads, seeded cases and cases that a seed would rarely meet. Each failure prints the case; so are seeds.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/motion.hpp"
#include "verify/motion_run.hpp"
#include "verify/random.hpp"

namespace vergence {
namespace {

/// On every target, with one to three threads, with all maps and with those alone that let `full` leave candidates out.
void expect_equal(const MotionCase& one) {
  MotionRunOptions options{.padding = 3};
  const MotionRun expected = run_motion(Device("reference"), one, options);
  options.exchanged = true;  // nothing of an earlier search may be left
  int turn = static_cast<int>(one.seed % 3);
  for (const std::string& target : Device::simd_targets())
    for (const bool all_maps : {true, false}) {
      const int threads = turn++ % 3 + 1;
      options.all_maps = all_maps;
      const MotionRun got = run_motion(Device("cpu", {threads, target}), one, options);
      const std::string text = first_difference(expected, got);
      if (text.empty()) continue;
      ADD_FAILURE() << describe(one) << "; target " << target << ", threads " << threads << ", all maps " << all_maps
                    << ": " << text;
      return;
    }
}

/// What brute force (which the second best needs) or elimination finds.
struct Found {
  Image<MotionVector> vectors;
  Image<std::uint64_t> cost, second;
};
Found search(const Device& device, const Image<std::uint8_t>& current, const Image<std::uint8_t>& reference,
             const MotionOptions& options, ImageView<const MotionVector> previous, bool brute) {
  MotionEstimator estimator(device, current.size(), options);
  Found found{Image<MotionVector>(estimator.blocks()), Image<std::uint64_t>(estimator.blocks()),
              Image<std::uint64_t>(estimator.blocks())};
  MotionMaps maps{.vectors = found.vectors, .cost = found.cost, .previous = previous};
  if (brute) maps.second_j = found.second;
  estimator.compute(current, reference, maps);
  return found;
}

std::vector<Device> every_target(int threads = 1) {
  std::vector<Device> devices;
  for (const std::string& target : Device::simd_targets()) devices.emplace_back("cpu", DeviceOptions{threads, target});
  return devices;
}
std::string where(const char* what, int number, const Device& device) {
  return std::string(what) + " " + std::to_string(number) + ", " + device.description();
}

void expect_same(const Found& expected, const Found& got, const std::string& where) {
  for (int y = 0; y < expected.vectors.height(); ++y)
    for (int x = 0; x < expected.vectors.width(); ++x) {
      ASSERT_EQ(expected.vectors(x, y), got.vectors(x, y)) << where << ", block " << x << "," << y;
      ASSERT_EQ(expected.cost(x, y), got.cost(x, y)) << where << ", block " << x << "," << y;
    }
}

TEST(CpuMotion, SeededCases) {
  for (std::uint64_t seed = 1; seed <= 160 && !HasFailure(); ++seed) expect_equal(make_motion_case(seed));
}

/// Blocks and ranges larger than seeded cases have: whole vectors, and levels of elimination.
TEST(CpuMotion, LargeBlocks) {
  std::uint64_t seed = 1;
  for (const Size block : {Size{16, 16}, Size{32, 32}, Size{64, 64}, Size{24, 12}, Size{8, 32}, Size{60, 20}})
    for (const MotionBorder border : {MotionBorder::inside, MotionBorder::pad}) {
      MotionCase one = make_motion_case(seed++);
      one.size = {70, 66};
      one.options = {};
      one.options.block = block;
      one.options.border = border;
      one.options.range_x = {-20, 15};
      one.options.range_y = {-7, 10};
      one.options.lambda = seed % 2 == 0 ? 70000 : 0;
      expect_equal(one);
      if (HasFailure()) return;
    }
}

/// A pattern that repeats, a little brighter: many candidates cost the same, and all of it shows in their bounds. The
/// search starts from a far one, so that the shortest must be found among equals, in each direction.
TEST(CpuMotion, TiesUnderElimination) {
  for (int turn = 0; turn < 16; ++turn) {
    // Bounds that equal the cost: all differences of the larger blocks have one sign. One column of candidates alone
    // there, so that no other keeps its vector.
    const bool is_large = turn >= 8;
    const Size size = is_large ? Size{72, 70} : Size{40, 36};
    const int period_x = 5 + turn % 3, period_y = is_large ? period_x : turn < 4 ? 6 : 4;
    const int move_x = is_large ? 0 : turn % 2 * 2, move_y = 1 + turn / 2 % 2;
    const auto pixel = [&](int x, int y) {
      return (static_cast<unsigned>(x % period_x * 16 + y % period_y) * 2654435761u) >> 25;
    };
    Image<std::uint8_t> current(size), reference(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        reference(x, y) = static_cast<std::uint8_t>(pixel(x, y));
        const int more = !is_large ? 3 : x % 16 == 0 && y % 16 == 0 ? 0 : 1;
        current(x, y) = static_cast<std::uint8_t>(static_cast<int>(pixel(x + move_x, y + move_y)) + more);
      }
    MotionOptions options;
    options.block = is_large ? Size{32, 32} : Size{16, 16};
    options.range_y = {-16, 16};
    options.range_x = is_large ? MotionRange{0, 0} : options.range_y;
    const int far_x = is_large ? 0 : 4 * (move_x - (turn % 4 < 2 ? period_x : 0));
    const int far_y = 4 * (move_y + (turn % 4 < 2 ? period_y : -2 * period_y));
    const Image<MotionVector> far(3, 3, {static_cast<std::int16_t>(far_x), static_cast<std::int16_t>(far_y)});
    const Found expected = search(Device("reference"), current, reference, options, far, true);
    for (const Device& device : every_target())
      ASSERT_NO_FATAL_FAILURE(
          expect_same(expected, search(device, current, reference, options, far, false), where("turn", turn, device)));
  }
}

TEST(CpuMotion, TheUpperOfEquallyShortVectorsWins) {
  // Every (dx, dy) with dx + dy = 2 mod 4 costs nothing; the search starts from (-1, -1), and (0, -2) is as short. The
  // blocks at the left are white, so that they have nothing to hand on.
  Image<std::uint8_t> current(48, 48), reference(48, 48);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 48; ++x) {
      reference(x, y) = static_cast<std::uint8_t>((x + y) % 4 * 50);
      current(x, y) = static_cast<std::uint8_t>(x < 16 ? 255 : (x + y + 2) % 4 * 50);
    }
  MotionOptions options;
  options.range_x = options.range_y = {-8, 8};
  const Image<MotionVector> start(3, 3, {-4, -4});
  for (const Device& device : every_target())
    EXPECT_EQ(search(device, current, reference, options, start, false).vectors(1, 1), (MotionVector{0, -8}))
        << device.description();
}

/// Elimination against brute force, which the second best needs, in frames too large for the reference: rows of
/// candidates that are left by bounds, computed one by one, and given to brute force.
TEST(CpuMotion, EliminationFindsWhatBruteForceFinds) {
  const Size size{203, 131};
  constexpr Size blocks[] = {{8, 12}, {32, 32}, {16, 16}, {32, 32}, {16, 16}, {32, 32}, {64, 64}, {48, 36}, {64, 32}};
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    Random random(seed);
    Image<std::uint8_t> current(size), reference(size);
    const int grain = random.within(1, 12), noise = static_cast<int>(seed % 3) * 20;
    const auto pixel = [&](int x, int y) {  // squares of any grey, less to eliminate the smaller they are
      const unsigned cell = static_cast<unsigned>(y / grain * 1000 + x / grain) * 2654435761u;
      return static_cast<int>(cell >> 25) + random.within(0, noise);
    };
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        reference(x, y) = static_cast<std::uint8_t>(pixel(x, y));
        current(x, y) = static_cast<std::uint8_t>(pixel(x + (x < 90 ? 9 : 31), y + 11));
      }
    MotionOptions options;
    options.block = blocks[seed - 1];
    options.lambda = seed > 4 ? 1 << 17 : 0;
    for (const Device& device : every_target())
      ASSERT_NO_FATAL_FAILURE(expect_same(search(device, current, reference, options, {}, true),
                                          search(device, current, reference, options, {}, false),
                                          where("seed", static_cast<int>(seed), device)));
  }
}

/// Coarse levels larger than seeded cases have: more columns of candidates than a vector, cells of all sizes, flat
/// ground, where many candidates cost the same.
TEST(CpuMotion, TestZonesOnLargeLevels) {
  const Size size{203, 131};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    Image<std::uint8_t> current(size), reference(size);
    const int grain = 1 + static_cast<int>(seed) * 3, noise = static_cast<int>(seed % 2) * 4;
    const auto pixel = [&](int x, int y) {
      const unsigned cell = static_cast<unsigned>(y / grain * 1000 + x / grain) * 2654435761u;
      return (x + y < 150 ? static_cast<int>(cell >> 25) : 99) + random.within(0, noise);
    };
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        reference(x, y) = static_cast<std::uint8_t>(pixel(x, y));
        current(x, y) = static_cast<std::uint8_t>(pixel(x + (x < 90 ? 9 : 37), y + 11));
      }
    MotionOptions options;
    options.search = MotionSearch::tz;
    options.levels = seed == 1 ? 1 : 2;
    options.block = seed == 2 ? Size{32, 32} : Size{16, 16};
    options.range_x = {-70, 70};
    options.border = seed % 2 == 0 ? MotionBorder::inside : MotionBorder::pad;
    const Found expected = search(Device("reference"), current, reference, options, {}, false);
    for (const Device& device : every_target(2))
      ASSERT_NO_FATAL_FAILURE(expect_same(expected, search(device, current, reference, options, {}, false),
                                          where("seed", static_cast<int>(seed), device)));
  }
}

TEST(CpuMotion, MemoryIsCounted) {
  MotionOptions options;
  options.range_x = options.range_y = {-8, 8};
  const MotionEstimator estimator(Device("cpu"), {64, 48}, options);
  EXPECT_GE(estimator.memory(), std::size_t{64 * 48});
}

}  // namespace
}  // namespace vergence
