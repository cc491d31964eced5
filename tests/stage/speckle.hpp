// SPDX-License-Identifier: Apache-2.0
// The speckle filter of a backend against the reference; SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "stage/filters.hpp"

namespace vergence::test {
namespace {

class SUITE : public FilterTest {};

template <class T>
void check_speckle(const FilterDevices& devices, const StereoPlan& plan, ImageView<const T> map, Maps& maps) {
  SCOPED_TRACE("speckle-size " + std::to_string(plan.options.speckle_size) + ", speckle-range " +
               std::to_string(plan.options.speckle_range));
  expect_equal<T>(
      plan, map, maps, devices,
      [&](ImageView<const T> in, ImageView<T> out) {
        copy_map(in, out);
        reference::speckle(plan, out);
      },
      [&](Filters& device, ImageView<const T> in, ImageView<T> out) { device.run_speckle(plan, in, out); });
}

template <class T>
StereoPlan draw_plan(Size size, std::uint32_t seed) {
  constexpr int sizes[] = {0, 1, 2, 3, 7, 20, 100, 2147483647};
  constexpr int ranges[] = {0, 8, 16, 23, 65535};
  constexpr int minima[] = {0, -1, 5, -60, 1};
  Maps maps(seed + 1'000'000);
  StereoOptions options;
  options.speckle_size = sizes[seed % 8];
  options.speckle_range = ranges[maps.below(5)];
  options.min_disparity = Filters::min_disparity(minima[maps.below(5)], sizeof(T));
  options.roi = any_roi(maps, size);
  return filter_plan(size, options);
}

template <class T>
void check_speckle_size(const FilterDevices& devices, Size size, Kind kind, std::uint32_t seed) {
  check_seed<T>(draw_plan<T>(size, seed), kind, seed, [&](const StereoPlan& plan, ImageView<const T> map, Maps& maps) {
    check_speckle<T>(devices, plan, map, maps);
  });
}

TEST_F(SUITE, EqualsTheReferenceForSmallSizes) {
  check_small_sizes([&](Size size, Kind kind, std::uint32_t seed) {
    check_speckle_size<std::int16_t>(devices, size, kind, seed);
    check_speckle_size<std::int32_t>(devices, size, kind, seed);
  });
}

TEST_F(SUITE, EqualsTheReferenceForAnyNumberOfThreads) {
  std::string reasons;
  const FilterDevices threads = filter_devices({1, 2, 3, 4}, reasons);
  check_large_sizes(large_sizes, [&](Size size, Kind kind, std::uint32_t seed) {
    check_speckle_size<std::int16_t>(threads, size, kind, seed);
    check_speckle_size<std::int32_t>(threads, size, kind, seed);
  });
}

/// A spiral one pixel wide: one region, whose rows touch only at their ends.
Image<std::int16_t> draw_spiral(Size size, int& pixels) {
  Image<std::int16_t> map(size, std::int16_t{-16});
  int left = 0, top = 0, right = size.width - 1, bottom = size.height - 1;
  const auto draw = [&](int x, int y) {
    if (map(x, y) != 160) ++pixels;
    map(x, y) = 160;
  };
  while (left <= right && top <= bottom) {
    for (int x = std::max(left - 2, 0); x <= right; ++x) draw(x, top);
    for (int y = top; y <= bottom; ++y) draw(right, y);
    for (int x = left; x <= right; ++x) draw(x, bottom);
    for (int y = top + 2; y <= bottom; ++y) draw(left, y);
    left += 2, top += 2, right -= 2, bottom -= 2;
  }
  return map;
}

TEST_F(SUITE, OneRegionThatWindsThroughAllBandsAndGroups) {
  std::string reasons;
  const FilterDevices threads = filter_devices({1, 4}, reasons);
  Maps maps(1);
  for (const Size size : {Size{131, 129}, Size{201, 129}}) {
    int pixels = 0;
    const Image<std::int16_t> map = draw_spiral(size, pixels);
    for (const int limit : {pixels - 1, pixels}) {
      StereoOptions options;
      options.speckle_size = limit;
      const StereoPlan plan = filter_plan(size, options);
      Image<std::int16_t> expected = map.clone();
      reference::speckle<std::int16_t>(plan, expected);
      EXPECT_EQ(expected(0, 0), limit == pixels ? -16 : 160);
      check_speckle<std::int16_t>(threads, plan, map, maps);
    }
  }
}

/// Trees that are joined from all sides: one region, random pixels near the density at which regions grow to any size,
/// and a path that winds through the map. Again and again, since work is done in another order each time.
TEST_F(SUITE, DoesNotDependOnTheOrderOfWork) {
  const Size size{640, 240};
  StereoOptions options;
  options.speckle_size = 30;
  const StereoPlan plan = filter_plan(size, options);
  std::string reasons;
  const FilterDevices threads = filter_devices({4}, reasons);
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    Maps maps(seed);
    Image<std::int16_t> map(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const bool on_path = y % 2 == 0 || x == (y % 4 == 1 ? size.width - 1 : 0);
        const bool valid = seed % 3 == 0 || (seed % 3 == 1 ? maps.below(100) < 59 : on_path);
        map(x, y) = static_cast<std::int16_t>(valid ? 160 : plan.invalid);
      }
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_speckle<std::int16_t>(threads, plan, map, maps);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace vergence::test
