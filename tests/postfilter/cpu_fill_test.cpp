// SPDX-License-Identifier: Apache-2.0
// Hole filling of the device cpu, against the reference, for every SIMD target.
#include <gtest/gtest.h>

#include "postfilter/cpu_filter.hpp"

namespace vergence::test {
namespace {

constexpr StereoFill all_ways[] = {StereoFill::background, StereoFill::nearest, StereoFill::mean, StereoFill::mean_all};

template <class T>
void compare(Size size, StereoFill way, Kind kind, std::uint32_t seed,
             const std::vector<std::unique_ptr<Worker>>& workers) {
  Maps maps(seed);
  constexpr int minima[] = {0, -1, -100, 5, 1};
  constexpr int windows[] = {3, 5, 11, 25, 41};
  StereoOptions options;
  options.fill = way;
  options.fill_window = maps.below(30) == 0 ? 255 : windows[maps.below(5)];
  options.min_disparity = minima[maps.below(way == StereoFill::mean_all ? 3 : 5)];
  options.roi = any_roi(maps, size);
  const StereoPlan plan = filter_plan(size, options);
  SCOPED_TRACE("fill " + std::to_string(static_cast<int>(way)) + ", window " +
               std::to_string(plan.options.fill_window));
  expect_equal<T>(
      plan, kind, seed + 1, workers, [&](ImageView<const T> in, ImageView<T> out) { reference::fill(plan, in, out); },
      [&](Worker& worker, ImageView<const T> in, ImageView<T> out) {
        cpu::fill(plan, worker.context, worker.fill, in, out);
      });
}

class CpuFill : public ::testing::TestWithParam<StereoFill> {};

TEST_P(CpuFill, EqualsTheReferenceForAllSmallSizes) {
  const auto workers = make_workers({1});
  std::uint32_t seed = 1;
  for (int height = 1; height <= 40; ++height)
    for (int width = 1; width <= 40; ++width) {
      const Kind kind = all_kinds[++seed % 7];
      if (seed % 2 == 0)
        compare<std::int16_t>({width, height}, GetParam(), kind, seed, workers);
      else
        compare<std::int32_t>({width, height}, GetParam(), kind, seed, workers);
      if (HasFatalFailure()) return;
    }
}

TEST_P(CpuFill, EqualsTheReferenceForAnyNumberOfThreads) {
  const auto workers = make_workers({1, 2, 3, 4});
  std::uint32_t seed = 5000;
  // The reference looks at the whole map for every hole.
  constexpr Size sizes[] = {{63, 100}, {65, 70}, {1, 700}, {530, 3}, {2, 300}, {100, 64}};
  for (const Size size : sizes)
    for (const Kind kind : all_kinds) {
      if (++seed % 2 == 0)
        compare<std::int16_t>(size, GetParam(), kind, seed, workers);
      else
        compare<std::int32_t>(size, GetParam(), kind, seed, workers);
      if (HasFatalFailure()) return;
    }
}

std::string way_name(const ::testing::TestParamInfo<StereoFill>& parameter) {
  switch (parameter.param) {
    case StereoFill::background:
      return "background";
    case StereoFill::nearest:
      return "nearest";
    case StereoFill::mean:
      return "mean";
    default:
      return "mean_all";
  }
}
INSTANTIATE_TEST_SUITE_P(All, CpuFill, ::testing::ValuesIn(all_ways), way_name);

/// A few valid pixels on a lattice: most holes have several sources at the same distance, also in directions in which
/// the parabolas of three columns meet in one point.
TEST(CpuFillNearest, RasterOrderDecidesAmongAllThatAreEquallyNear) {
  for (const int step : {2, 3, 4, 5, 6, 10, 13}) {
    const Size size{61, 53};
    StereoOptions options;
    options.fill = StereoFill::nearest;
    const StereoPlan plan = filter_plan(size, options);
    for (int skew = 0; skew < step; ++skew) {
      Image<std::int16_t> map(size, static_cast<std::int16_t>(plan.invalid));
      std::int16_t number = 0;
      for (int y = 0; y < size.height; y += step)
        for (int x = (y / step * skew) % step; x < size.width; x += step) map(x, y) = number++;
      Image<std::int16_t> expected(size);
      reference::fill<std::int16_t>(plan, map, expected);
      for (const auto& worker : make_workers({1, 3})) {
        SCOPED_TRACE(worker->name + ", step " + std::to_string(step) + ", skew " + std::to_string(skew));
        Image<std::int16_t> actual(size);
        cpu::fill<std::int16_t>(plan, worker->context, worker->fill, map, actual);
        ASSERT_EQ(first_difference<std::int16_t>(expected, actual), "");
      }
    }
  }
}

}  // namespace
}  // namespace vergence::test
