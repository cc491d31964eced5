// SPDX-License-Identifier: Apache-2.0
// What the tests of the CPU filters share: the comparison with the reference for every SIMD target and several numbers
// of threads.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/stereo/stages.hpp"
#include "reference/stereo/stages.hpp"
#include "support/filter_maps.hpp"
#include "vergence/image.hpp"

namespace vergence::test {

/// Every SIMD target of this machine with each number of threads, and the scratch memory of each: tests use them for
/// maps of many sizes in turn, as no matcher would.
struct Worker {
  Worker(int threads, std::int64_t target)
      : context(threads, target), name(cpu::simd_name(target) + ", threads " + std::to_string(threads)) {}
  cpu::Context context;
  cpu::SpeckleScratch speckle;
  cpu::FillScratch fill;
  std::string name;
};
inline std::vector<std::unique_ptr<Worker>> make_workers(const std::vector<int>& threads) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (const std::int64_t target : cpu::simd_targets())
    for (const int count : threads) workers.push_back(std::make_unique<Worker>(count, target));
  return workers;
}

/// Sizes that end in and beyond the tiles, bands and words of the filters.
constexpr Size large_sizes[] = {{63, 100},  {64, 64},   {65, 130}, {1, 700},  {530, 67},
                                {1031, 33}, {1099, 97}, {2, 300},  {300, 200}};

/// Draws a map for `plan`, and expects run(worker, in, out) to give what expected(in, out) gives, in place or not, by
/// every worker, reading nothing and writing nothing beside the maps.
template <class T, class Expected, class Run>
void expect_equal(const StereoPlan& plan, Kind kind, std::uint32_t seed,
                  const std::vector<std::unique_ptr<Worker>>& workers, Expected&& expected_of, Run&& run) {
  SCOPED_TRACE(std::to_string(plan.size.width) + "x" + std::to_string(plan.size.height) + ", kind " +
               std::to_string(static_cast<int>(kind)) + ", seed " + std::to_string(seed) + ", " +
               std::to_string(sizeof(T) * 8) + " bits");
  Maps maps(seed);
  GuardedMap<T> in(plan.size, maps.below(5)), expected(plan.size);
  maps.draw(kind, plan.invalid, in.view());
  const Rect& roi = plan.roi;
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x)
      if (x < roi.x || x >= roi.x + roi.width || y < roi.y || y >= roi.y + roi.height)
        in.view()(x, y) = static_cast<T>(plan.invalid);
  expected_of(in.readable(), expected.view());
  for (const auto& worker : workers) {
    SCOPED_TRACE(worker->name);
    GuardedMap<T> out(plan.size, maps.below(5));
    run(*worker, in.readable(), out.view());
    ASSERT_EQ(first_difference(expected.readable(), out.readable()), "");
    ASSERT_TRUE(out.guards_hold());
  }
}

}  // namespace vergence::test
