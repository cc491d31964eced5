// SPDX-License-Identifier: Apache-2.0
// What the tests of the filters of disparity maps share: one comparison of a backend with the reference. The file that
// includes it has included stage/cpu_filters.hpp or stage/gpu_filters.hpp, which say what `Filters` is.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reference/postfilter/stages.hpp"
#include "support/filter_maps.hpp"
#include "vergence/image.hpp"

namespace vergence::test {
namespace {

/// The devices of the backend; skips, with the reasons, where there are none.
class FilterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    devices = filter_devices({1}, reasons);
    if (devices.empty()) GTEST_SKIP() << reasons;
  }
  FilterDevices devices;
};

/// Expects run(device, in, out) to give what expected(in, out) gives by every device, changing nothing but `out`.
template <class T, class Expected, class Run>
void expect_equal(const StereoPlan& plan, ImageView<const T> map, Maps& maps, const FilterDevices& devices,
                  const Expected& expected_of, const Run& run) {
  FilteredMap<T> in(plan.size, maps.below(5)), expected(plan.size);
  copy_map(map, in.view());
  expected_of(map, expected.view());
  for (const auto& device : devices) {
    SCOPED_TRACE(device->name);
    FilteredMap<T> out(plan.size, maps.below(5));
    run(*device, in.readable(), out.view());
    ASSERT_EQ(first_difference(expected.readable(), out.readable()), "");
    ASSERT_TRUE(out.guards_hold());
    ASSERT_EQ(first_difference(map, in.readable()), "") << "the input was changed";
    ASSERT_TRUE(in.guards_hold());
  }
}

/// The same for a map drawn from a seed. The matcher leaves all invalid outside the region of interest; every second
/// map is not so, since the stages do not rely on it.
template <class T, class Check>
void check_seed(const StereoPlan& plan, Kind kind, std::uint32_t seed, const Check& check) {
  SCOPED_TRACE(std::to_string(plan.size.width) + "x" + std::to_string(plan.size.height) + ", kind " +
               std::to_string(static_cast<int>(kind)) + ", seed " + std::to_string(seed) + ", " +
               std::to_string(8 * sizeof(T)) + " bits");
  Maps maps(seed);
  Image<T> map(plan.size);
  maps.draw<T>(kind, plan.invalid, map);
  const Rect& roi = plan.roi;
  if (maps.below(2) == 0)
    for (int y = 0; y < plan.size.height; ++y)
      for (int x = 0; x < plan.size.width; ++x)
        if (x < roi.x || x >= roi.x + roi.width || y < roi.y || y >= roi.y + roi.height)
          map(x, y) = static_cast<T>(plan.invalid);
  check(plan, map, maps);
}

/// What a test draws for each map: check(size, kind, seed), in both types.
template <class Check>
void check_small_sizes(const Check& check) {
  std::uint32_t seed = 1;
  for (int round = 0; round < Filters::rounds; ++round)
    for (const Size size : Filters::small_sizes()) {
      ++seed;
      check(size, all_kinds[seed % 7], seed);
      if (::testing::Test::HasFatalFailure()) return;
    }
}
template <class Sizes, class Check>
void check_large_sizes(const Sizes& sizes, const Check& check) {
  std::uint32_t seed = 5000;
  for (const Size size : sizes)
    for (const Kind kind : all_kinds) {
      check(size, kind, ++seed);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

/// Sizes that end in and beyond the tiles, bands, words and groups of the filters.
constexpr Size large_sizes[] = {{63, 100},  {64, 64},   {65, 130}, {1, 700},  {530, 67},
                                {1031, 33}, {1099, 97}, {2, 300},  {300, 200}};

}  // namespace
}  // namespace vergence::test
