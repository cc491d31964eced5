// SPDX-License-Identifier: Apache-2.0
// Hole filling of a backend against the reference; SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "stage/filters.hpp"
#include "stage/suite.hpp"

namespace vergence::test {
namespace {

class SUITE : public FilterTest, public ::testing::WithParamInterface<StereoFill> {};

template <class T>
void check_fill(const FilterDevices& devices, const StereoPlan& plan, ImageView<const T> map, Maps& maps) {
  SCOPED_TRACE("fill " + std::to_string(static_cast<int>(plan.options.fill)) + ", window " +
               std::to_string(plan.options.fill_window));
  expect_equal<T>(
      plan, map, maps, devices, [&](ImageView<const T> in, ImageView<T> out) { reference::fill(plan, in, out); },
      [&](Filters& device, ImageView<const T> in, ImageView<T> out) { device.run_fill(plan, in, out); });
}

template <class T>
void check_size(const FilterDevices& devices, Size size, StereoFill way, Kind kind, std::uint32_t seed) {
  constexpr int minima[] = {0, -1, -100, 5, 1};
  constexpr int windows[] = {3, 5, 11, 25, 41};
  Maps maps(seed + 1'000'000);
  StereoOptions options;
  options.fill = way;
  options.fill_window = maps.below(30) == 0 ? 255 : windows[maps.below(5)];
  options.min_disparity = Filters::min_disparity(minima[maps.below(way == StereoFill::mean_all ? 3 : 5)], sizeof(T));
  options.roi = any_roi(maps, size);
  check_seed<T>(
      filter_plan(size, options), kind, seed,
      [&](const StereoPlan& plan, ImageView<const T> map, Maps& more) { check_fill<T>(devices, plan, map, more); });
}

TEST_P(SUITE, EqualsTheReferenceForSmallSizes) {
  check_small_sizes([&](Size size, Kind kind, std::uint32_t seed) {
    check_size<std::int16_t>(devices, size, GetParam(), kind, seed);
    check_size<std::int32_t>(devices, size, GetParam(), kind, seed);
  });
}

TEST_P(SUITE, EqualsTheReferenceForAnyNumberOfThreads) {
  std::string reasons;
  const FilterDevices threads = filter_devices({1, 2, 3, 4}, reasons);
  // The reference looks at the whole map for every hole.
  constexpr Size sizes[] = {{63, 100}, {65, 70}, {1, 700}, {530, 3}, {2, 300}, {100, 64}};
  check_large_sizes(sizes, [&](Size size, Kind kind, std::uint32_t seed) {
    if (seed % 2 == 0)
      check_size<std::int16_t>(threads, size, GetParam(), kind, seed);
    else
      check_size<std::int32_t>(threads, size, GetParam(), kind, seed);
  });
}

std::string way_name(const ::testing::TestParamInfo<StereoFill>& parameter) {
  constexpr const char* names[] = {"none", "background", "nearest", "mean", "mean_all"};
  return names[static_cast<std::size_t>(parameter.param)];
}
VERGENCE_INSTANTIATE_SUITE(All, SUITE,
                           ::testing::Values(StereoFill::none, StereoFill::background, StereoFill::nearest,
                                             StereoFill::mean, StereoFill::mean_all),
                           way_name);

class SUITE_OF_MAPS : public FilterTest {};

/// A few valid pixels on a lattice: most holes have several sources at the same distance, also in directions in which
/// the parabolas of three columns meet in one point.
TEST_F(SUITE_OF_MAPS, NearestGoesByRasterOrderAmongAllThatAreEquallyNear) {
  const Size size{61, 53};
  StereoOptions options;
  options.fill = StereoFill::nearest;
  const StereoPlan plan = filter_plan(size, options);
  std::string reasons;
  const FilterDevices threads = filter_devices({1, 3}, reasons);
  Maps maps(1);
  for (const int step : {2, 3, 4, 5, 6, 10, 13})
    for (int skew = 0; skew < step; ++skew) {
      Image<std::int16_t> map(size, static_cast<std::int16_t>(plan.invalid));
      std::int16_t number = 0;
      for (int y = 0; y < size.height; y += step)
        for (int x = (y / step * skew) % step; x < size.width; x += step) map(x, y) = number++;
      SCOPED_TRACE("step " + std::to_string(step) + ", skew " + std::to_string(skew));
      check_fill<std::int16_t>(threads, plan, map, maps);
      if (HasFatalFailure()) return;
    }
}

/// The largest sums: the widest window, full of the greatest and the least values.
TEST_F(SUITE_OF_MAPS, MeanHoldsTheLargestSums) {
  const Size size{257, 255};
  Maps maps(1);
  for (const StereoFill way : {StereoFill::mean, StereoFill::mean_all})
    for (const int sign : {1, -1}) {
      StereoOptions options;
      options.fill = way;
      options.fill_window = 255;
      const StereoPlan plan = filter_plan(size, options);
      Image<std::int16_t> narrow(size, static_cast<std::int16_t>(sign * 32767));
      Image<std::int32_t> wide(size, sign * 33554432);
      narrow(128, 127) = static_cast<std::int16_t>(plan.invalid);
      wide(128, 127) = plan.invalid;
      check_fill<std::int16_t>(devices, plan, narrow, maps);
      check_fill<std::int32_t>(devices, plan, wide, maps);
      if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace vergence::test
