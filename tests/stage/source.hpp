// SPDX-License-Identifier: Apache-2.0
// The stage `source` of a backend against the reference; SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "stage/filters.hpp"
#include "support/source_masks.hpp"

namespace vergence::test {
namespace {

class SUITE : public FilterTest {};

template <class T>
void check_source(const FilterDevices& devices, const StereoPlan& plan, SourceRule rule, ImageView<const T> map,
                  Maps& maps) {
  expect_equal<T>(
      plan, map, maps, devices,
      [&](ImageView<const T> in, ImageView<T> out) {
        copy_map(in, out);
        reference::source(plan, out, rule);
      },
      [&](Filters& device, ImageView<const T> in, ImageView<T> out) { device.run_source(plan, rule, in, out); });
}

/// A map as `match` gives it: all disparities lie in the range.
template <class T>
void check_size(const FilterDevices& devices, Size size, Kind kind, std::uint32_t seed) {
  constexpr int minima[] = {0, -1, 5, -60, 1};
  Maps maps(seed + 1'000'000);
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = 1 + maps.below(size.width);
  options.min_disparity = Filters::min_disparity(minima[maps.below(5)], sizeof(T));
  options.reference = maps.below(2) == 0 ? StereoView::left : StereoView::right;
  const Image<std::uint8_t> left = draw_source_mask(maps, size), right = draw_source_mask(maps, size);
  const StereoPlan plan = make_stereo_plan(size, options, {left, right});
  if (plan.masks == nullptr) return;
  const SourceRule rule = maps.below(3) == 0 ? SourceRule::pixel : SourceRule::pixel_and_match;
  check_seed<T>(plan, kind, seed, [&](const StereoPlan& drawn, ImageView<const T> any, Maps& more) {
    Image<T> map(size, static_cast<T>(plan.invalid));
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        if (any(x, y) != plan.invalid)
          map(x, y) =
              static_cast<T>(std::clamp<int>(any(x, y), 16 * options.min_disparity, 16 * plan.last_disparity()));
    check_source<T>(devices, drawn, rule, map, more);
  });
}

TEST_F(SUITE, EqualsTheReferenceForSmallSizes) {
  check_small_sizes([&](Size size, Kind kind, std::uint32_t seed) {
    check_size<std::int16_t>(devices, size, kind, seed);
    check_size<std::int32_t>(devices, size, kind, seed);
  });
}

TEST_F(SUITE, EqualsTheReferenceForAnyNumberOfThreads) {
  std::string reasons;
  const FilterDevices threads = filter_devices({1, 2, 3, 4}, reasons);
  check_large_sizes(large_sizes, [&](Size size, Kind kind, std::uint32_t seed) {
    check_size<std::int16_t>(threads, size, kind, seed);
    check_size<std::int32_t>(threads, size, kind, seed);
  });
}

}  // namespace
}  // namespace vergence::test
