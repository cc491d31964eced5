// SPDX-License-Identifier: Apache-2.0
// The median filter of a backend against the reference; SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "stage/filters.hpp"

namespace vergence::test {
namespace {

class SUITE : public FilterTest {};

template <class T>
void check_median(const FilterDevices& devices, const StereoPlan& plan, ImageView<const T> map, Maps& maps) {
  SCOPED_TRACE("window " + std::to_string(plan.options.median));
  expect_equal<T>(
      plan, map, maps, devices, [&](ImageView<const T> in, ImageView<T> out) { reference::median(plan, in, out); },
      [&](Filters& device, ImageView<const T> in, ImageView<T> out) { device.run_median(plan, in, out); });
}

template <class T>
void check_size(const FilterDevices& devices, Size size, int window, Kind kind, std::uint32_t seed) {
  constexpr int minima[] = {0, -1, 5, -2047, 2047};
  Maps maps(seed + 1'000'000);
  StereoOptions options;
  options.median = window;
  options.min_disparity = Filters::min_disparity(minima[maps.below(5)], sizeof(T));
  options.roi = any_roi(maps, size);
  check_seed<T>(
      filter_plan(size, options), kind, seed,
      [&](const StereoPlan& plan, ImageView<const T> map, Maps& more) { check_median<T>(devices, plan, map, more); });
}

TEST_F(SUITE, EqualsTheReferenceForSmallSizes) {
  check_small_sizes([&](Size size, Kind kind, std::uint32_t seed) {
    const auto& windows = Filters::median_windows;
    check_size<std::int16_t>(devices, size, windows[seed % windows.size()], kind, seed);
    check_size<std::int32_t>(devices, size, windows[(seed + 1) % windows.size()], kind, seed);
  });
}

TEST_F(SUITE, EqualsTheReferenceForAnyNumberOfThreads) {
  std::string reasons;
  const FilterDevices threads = filter_devices({1, 2, 3, 4}, reasons);
  check_large_sizes(large_sizes, [&](Size size, Kind kind, std::uint32_t seed) {
    for (const int window : {3, 5}) {
      if ((seed + static_cast<std::uint32_t>(window) / 4) % 2 == 0)
        check_size<std::int16_t>(threads, size, window, kind, seed);
      else
        check_size<std::int32_t>(threads, size, window, kind, seed);
    }
  });
}

/// Networks are proven by all inputs of zeros and ones: every window of 3x3 with every choice of invalid pixels.
TEST_F(SUITE, Every3x3WindowOfTwoValuesAndHoles) {
  constexpr int patterns = 19683;  // 3^9
  const Size size{3 * 81, 3 * 243};
  StereoOptions options;
  options.median = 3;
  const StereoPlan plan = filter_plan(size, options);
  Image<std::int16_t> map(size);
  for (int pattern = 0; pattern < patterns; ++pattern) {
    constexpr std::int16_t values[] = {-16, 0, 16};
    int rest = pattern;
    for (int i = 0; i < 9; ++i, rest /= 3) map(pattern % 81 * 3 + i % 3, pattern / 81 * 3 + i / 3) = values[rest % 3];
  }
  Maps maps(1);
  check_median<std::int16_t>(devices, plan, map, maps);
}

}  // namespace
}  // namespace vergence::test
