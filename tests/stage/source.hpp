// SPDX-License-Identifier: Apache-2.0
// The stage `source` of a backend against the reference; SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "stage/filters.hpp"
#include "support/source_masks.hpp"

namespace vergence::test {
namespace {

class SUITE : public FilterTest {};

template <class T>
void check_source(const FilterDevices& devices, const StereoPlan& plan, ImageView<const T> map, Maps& maps) {
  expect_equal<T>(
      plan, map, maps, devices,
      [&](ImageView<const T> in, ImageView<T> out) {
        copy_map(in, out);
        reference::source(plan, out);
      },
      [&](Filters& device, ImageView<const T> in, ImageView<T> out) { device.run_source(plan, in, out); });
}

template <class T>
void check_source_size(const FilterDevices& devices, Size size, Kind kind, std::uint32_t seed) {
  Maps maps(seed + 1'000'000);
  StereoOptions options;
  options.window = {1, 1};
  options.disparities = 1 + maps.below(size.width);
  options.min_disparity = Filters::min_disparity(-maps.below(60), sizeof(T));
  options.reference = maps.below(2) == 0 ? StereoView::left : StereoView::right;
  const Image<std::uint8_t> left = draw_source_mask(maps, size), right = draw_source_mask(maps, size);
  const StereoPlan plan = make_stereo_plan(size, options, {left, right});
  if (plan.masks == nullptr) return;
  check_seed<T>(plan, kind, seed, [&](const StereoPlan& drawn, ImageView<const T> map, Maps& more) {
    check_source<T>(devices, drawn, map, more);
  });
}

TEST_F(SUITE, EqualsTheReferenceForSmallSizes) {
  check_small_sizes([&](Size size, Kind kind, std::uint32_t seed) {
    check_source_size<std::int16_t>(devices, size, kind, seed);
    check_source_size<std::int32_t>(devices, size, kind, seed);
  });
}

TEST_F(SUITE, EqualsTheReferenceForAnyNumberOfThreads) {
  std::string reasons;
  const FilterDevices threads = filter_devices({1, 2, 3, 4}, reasons);
  check_large_sizes(large_sizes, [&](Size size, Kind kind, std::uint32_t seed) {
    check_source_size<std::int16_t>(threads, size, kind, seed);
    check_source_size<std::int32_t>(threads, size, kind, seed);
  });
}

}  // namespace
}  // namespace vergence::test
