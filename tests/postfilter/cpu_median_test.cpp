// SPDX-License-Identifier: Apache-2.0
// The median filter of the device cpu, against the reference, for every SIMD target.
#include <gtest/gtest.h>

#include "postfilter/cpu_filter.hpp"

namespace vergence::test {
namespace {

template <class T>
void compare(Size size, int window, Kind kind, std::uint32_t seed,
             const std::vector<std::unique_ptr<Worker>>& workers) {
  Maps maps(seed);
  constexpr int minima[] = {0, -1, 5, -2047, 2047};
  StereoOptions options;
  options.median = window;
  options.min_disparity = minima[maps.below(5)];
  options.roi = any_roi(maps, size);
  const StereoPlan plan = filter_plan(size, options);
  SCOPED_TRACE("window " + std::to_string(window));
  expect_equal<T>(
      plan, kind, seed + 1, workers, [&](ImageView<const T> in, ImageView<T> out) { reference::median(plan, in, out); },
      [&](Worker& worker, ImageView<const T> in, ImageView<T> out) { cpu::median(plan, worker.context, in, out); });
}

TEST(CpuMedian, EqualsTheReferenceForAllSmallSizes) {
  const auto workers = make_workers({1});
  std::uint32_t seed = 1;
  for (int height = 1; height <= 40; ++height)
    for (int width = 1; width <= 40; ++width) {
      const Kind kind = all_kinds[++seed % 7];
      compare<std::int16_t>({width, height}, seed % 2 == 0 ? 3 : 5, kind, seed, workers);
      compare<std::int32_t>({width, height}, seed % 2 == 0 ? 5 : 3, kind, seed, workers);
      if (HasFatalFailure()) return;
    }
}

TEST(CpuMedian, EqualsTheReferenceForAnyNumberOfThreads) {
  const auto workers = make_workers({1, 2, 3, 4});
  std::uint32_t seed = 5000;
  for (const Size size : large_sizes)
    for (const Kind kind : all_kinds)
      for (const int window : {3, 5}) {
        if (++seed % 2 == 0)
          compare<std::int16_t>(size, window, kind, seed, workers);
        else
          compare<std::int32_t>(size, window, kind, seed, workers);
        if (HasFatalFailure()) return;
      }
}

/// Networks are proven by all inputs of zeros and ones: every window of 3x3 with every choice of invalid pixels.
TEST(CpuMedian, Every3x3WindowOfTwoValuesAndHoles) {
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
  Image<std::int16_t> expected(size);
  reference::median<std::int16_t>(plan, map, expected);
  for (const auto& worker : make_workers({1})) {
    SCOPED_TRACE(worker->name);
    Image<std::int16_t> actual(size);
    cpu::median<std::int16_t>(plan, worker->context, map, actual);
    EXPECT_EQ(first_difference<std::int16_t>(expected, actual), "");
  }
}

}  // namespace
}  // namespace vergence::test
