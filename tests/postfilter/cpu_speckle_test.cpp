// SPDX-License-Identifier: Apache-2.0
// The speckle filter of the device cpu, against the reference, for every SIMD target.
#include <gtest/gtest.h>

#include "postfilter/cpu_filter.hpp"

namespace vergence::test {
namespace {

StereoPlan draw_plan(Maps& maps, Size size) {
  constexpr int sizes[] = {1, 2, 3, 7, 20, 100, 2147483647};
  constexpr int ranges[] = {0, 8, 16, 23, 65535};
  constexpr int minima[] = {0, -1, 5, -60, 1};
  StereoOptions options;
  options.speckle_size = sizes[maps.below(7)];
  options.speckle_range = ranges[maps.below(5)];
  options.min_disparity = minima[maps.below(5)];
  options.roi = any_roi(maps, size);
  return filter_plan(size, options);
}

template <class T>
void compare(Size size, Kind kind, std::uint32_t seed, const std::vector<std::unique_ptr<Worker>>& workers) {
  Maps maps(seed);
  const StereoPlan plan = draw_plan(maps, size);
  SCOPED_TRACE("speckle-size " + std::to_string(plan.options.speckle_size) + ", speckle-range " +
               std::to_string(plan.options.speckle_range));
  expect_equal<T>(
      plan, kind, seed + 1, workers,
      [&](ImageView<const T> in, ImageView<T> out) {
        copy_map(in, out);
        reference::speckle(plan, out);
      },
      [&](Worker& worker, ImageView<const T> in, ImageView<T> out) {
        copy_map(in, out);
        cpu::speckle(plan, worker.context, worker.speckle, out);
      });
}

TEST(CpuSpeckle, EqualsTheReferenceForAllSmallSizes) {
  const auto workers = make_workers({1});
  std::uint32_t seed = 1;
  for (int height = 1; height <= 40; ++height)
    for (int width = 1; width <= 40; ++width) {
      const Kind kind = all_kinds[++seed % 7];
      compare<std::int16_t>({width, height}, kind, seed, workers);
      compare<std::int32_t>({width, height}, kind, seed, workers);
      if (HasFatalFailure()) return;
    }
}

TEST(CpuSpeckle, EqualsTheReferenceForAnyNumberOfThreads) {
  const auto workers = make_workers({1, 2, 3, 4});
  std::uint32_t seed = 5000;
  for (const Size size : large_sizes)
    for (const Kind kind : all_kinds) {
      compare<std::int16_t>(size, kind, ++seed, workers);
      compare<std::int32_t>(size, kind, ++seed, workers);
      if (HasFatalFailure()) return;
    }
}

/// A spiral one pixel wide: one region, whose rows touch only at their ends.
TEST(CpuSpeckle, OneRegionThatWindsThroughAllBands) {
  const Size size{131, 129};
  Image<std::int16_t> map(size, std::int16_t{-16});
  int left = 0, top = 0, right = size.width - 1, bottom = size.height - 1, pixels = 0;
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
  for (const int limit : {pixels - 1, pixels}) {
    StereoOptions options;
    options.speckle_size = limit;
    const StereoPlan plan = filter_plan(size, options);
    Image<std::int16_t> expected = map.clone();
    reference::speckle<std::int16_t>(plan, expected);
    EXPECT_EQ(expected(0, 0), limit == pixels ? -16 : 160);
    for (const auto& worker : make_workers({1, 4})) {
      SCOPED_TRACE(worker->name);
      Image<std::int16_t> actual = map.clone();
      cpu::speckle<std::int16_t>(plan, worker->context, worker->speckle, actual);
      EXPECT_EQ(first_difference<std::int16_t>(expected, actual), "");
    }
  }
}

TEST(CpuSpeckle, MemoryFollowsFromTheSizeAlone) {
  const Size size{1920, 1080};
  Worker worker(2, cpu::simd_targets().front());
  StereoOptions options;
  options.speckle_size = 100;
  const StereoPlan plan = filter_plan(size, options);
  Image<std::int16_t> map(size, std::int16_t{0});
  cpu::speckle<std::int16_t>(plan, worker.context, worker.speckle, map);
  const std::size_t bytes = worker.speckle.bytes();
  EXPECT_LT(bytes, 9'000'000u);
  Maps(3).draw<std::int16_t>(Kind::noise, -16, map);
  cpu::speckle<std::int16_t>(plan, worker.context, worker.speckle, map);
  EXPECT_EQ(worker.speckle.bytes(), bytes);
}

}  // namespace
}  // namespace vergence::test
