// SPDX-License-Identifier: Apache-2.0
// StereoMatcher on every device: strides, guarded memory, the order of the stages, both map widths, masks, threads,
// targets.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/pictures.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/stereo.hpp"
#include "verify/stereo_cases.hpp"
#include "verify/stereo_run.hpp"

namespace vergence {
namespace {

std::vector<Device> devices() {
  std::vector<Device> all;
  for (const DeviceInfo& info : Device::list())
    if (info.available) all.emplace_back(info.name);
  return all;
}

/// Compilers for GPUs take seconds for each new setting: there one seed does, the same for all tests, which find what
/// another has compiled; tests/gpu has more, and VERGENCE_ALL_CANDIDATES one more.
std::vector<std::uint64_t> seeds(const Device& device, std::uint64_t first, std::uint64_t many) {
  if (device.kind() == "opencl" || device.kind() == "cuda")
    return std::getenv("VERGENCE_ALL_CANDIDATES") == nullptr ? std::vector<std::uint64_t>{100}
                                                             : std::vector<std::uint64_t>{100, 101};
  std::vector<std::uint64_t> all(many);
  std::iota(all.begin(), all.end(), first);
  return all;
}

TEST(Matcher, FindsAKnownShift) {
  const Size size{61, 33};
  const Image<std::uint8_t> left = test::noise<std::uint8_t>(size, 5, 255);
  const Image<std::uint8_t> right = test::shifted(left, 7);
  for (const Device& device : devices()) {
    StereoMatcher matcher(
        device, size, {.window = {5, 5}, .disparities = 16, .subpixel = false, .left_right = -1, .speckle_size = 0});
    Image<std::int16_t> map(size, 0);
    Image<std::uint32_t> cost(size, 1u);
    Image<std::uint8_t> mask(size, 0);
    matcher.compute({left, right}, {.disparity = map, .mask = mask, .cost = cost});
    for (int y = 0; y < size.height; ++y)
      for (int x = 9; x < size.width; ++x) {
        EXPECT_EQ(map(x, y), 7 * 16) << device.name() << " " << x << " " << y;
        EXPECT_EQ(cost(x, y), 0u);
        EXPECT_EQ(mask(x, y), 1);
      }
  }
}

TEST(Matcher, TellsWhatItIs) {
  const StereoOptions options{.disparities = 16, .min_disparity = -5};
  StereoMatcher matcher(Device("reference"), {40, 30}, options);
  EXPECT_EQ(matcher.size(), (Size{40, 30}));
  StereoOptions resolved = options;
  resolved.window = {9, 9};  // {0, 0} stands for it
  EXPECT_EQ(matcher.options(), resolved);
  EXPECT_EQ(matcher.invalid(), -96);
  EXPECT_FALSE(matcher.needs_wide_output());
  StereoMatcher moved = std::move(matcher);
  EXPECT_EQ(moved.invalid(), -96);
}

/// Paddings of every kind give the bytes of the dense run and touch nothing around the maps.
TEST(Matcher, StridesChangeNothing) {
  for (const Device& device : devices())
    for (const std::uint64_t seed : seeds(device, 900, 30)) {
      const StereoCase stereo_case = make_stereo_case(seed, {40, 24});
      StereoRunOptions run = usual_run(stereo_case);
      const StereoRun dense = run_stereo(device, stereo_case, run);
      EXPECT_TRUE(dense.intact) << describe(stereo_case);
      for (const int padding : {1, 3, 64}) {
        run.padding = padding;
        const StereoRun padded = run_stereo(device, stereo_case, run);
        EXPECT_EQ(first_difference(dense, padded), "") << device.name() << " " << describe(stereo_case);
      }
    }
}

/// Both widths of the map hold the same values, and mixing them in one matcher is allowed.
TEST(Matcher, WideMapsHoldTheSameValues) {
  for (const Device& device : devices())
    for (const std::uint64_t seed : seeds(device, 700, 20)) {
      const StereoCase stereo_case = make_stereo_case(seed, {40, 24});
      if (make_stereo_plan(stereo_case.size, stereo_case.options).wide) continue;
      StereoRunOptions run = usual_run(stereo_case);
      run.wide_maps = false;
      const StereoRun narrow = run_stereo(device, stereo_case, run);
      run.wide_maps = true;
      const StereoRun wide = run_stereo(device, stereo_case, run);
      for (int y = 0; y < stereo_case.size.height; ++y)
        for (int x = 0; x < stereo_case.size.width; ++x) {
          ASSERT_EQ(narrow.disparity16.view()(x, y), wide.disparity32.view()(x, y))
              << device.name() << " " << describe(stereo_case);
          ASSERT_EQ(narrow.other16.view()(x, y), wide.other32.view()(x, y))
              << device.name() << " " << describe(stereo_case);
        }
    }
}

/// The other view's map is what the matcher with the other reference gives, but for sums over paths, which both views
/// share.
TEST(Matcher, OtherViewIsTheSwappedMatcher) {
  for (const Device& device : devices())
    for (const std::uint64_t seed : seeds(device, 500, 20)) {
      StereoCase stereo_case = make_stereo_case(seed, {40, 24});
      stereo_case.options.aggregate = StereoAggregate::window;
      if (stereo_case.options.window == Size{0, 0}) stereo_case.options.window = {1, 1};
      const StereoRunOptions run = usual_run(stereo_case);
      const StereoRun first = run_stereo(device, stereo_case, run);
      StereoView& reference = stereo_case.options.reference;
      reference = reference == StereoView::left ? StereoView::right : StereoView::left;
      const StereoRun second = run_stereo(device, stereo_case, run);
      for (int y = 0; y < stereo_case.size.height; ++y)
        for (int x = 0; x < stereo_case.size.width; ++x) {
          if (run.wide_maps)
            ASSERT_EQ(first.other32.view()(x, y), second.disparity32.view()(x, y)) << describe(stereo_case);
          else
            ASSERT_EQ(first.other16.view()(x, y), second.disparity16.view()(x, y)) << describe(stereo_case);
        }
    }
}

/// Asking for fewer maps changes none of the others; a used matcher gives what a fresh one gives.
TEST(Matcher, ExtrasAndReuseChangeNothing) {
  for (const Device& device : devices())
    for (const std::uint64_t seed : seeds(device, 300, 20)) {
      const StereoCase c = make_stereo_case(seed, {40, 24});
      if (c.options.depth != Depth::u8 || make_stereo_plan(c.size, c.options).wide) continue;
      const StereoRun full = run_stereo(device, c, {false, 0, true});
      StereoMatcher matcher(device, c.size, c.options, c.masks());
      Image<std::int16_t> map(c.size, 1);
      Image<std::uint8_t> mask(c.size, 77);
      Image<std::int32_t> other_type(c.size, 1);
      matcher.compute({c.right8, c.left8}, {.disparity = map});
      matcher.compute({c.left8, c.right8}, {.disparity = other_type});
      matcher.compute({c.left8, c.right8}, {.disparity = map, .mask = mask});
      for (int y = 0; y < c.size.height; ++y)
        for (int x = 0; x < c.size.width; ++x) {
          ASSERT_EQ(map(x, y), full.disparity16.view()(x, y)) << describe(c);
          ASSERT_EQ(other_type(x, y), map(x, y)) << describe(c);
          ASSERT_EQ(mask(x, y), full.mask.view()(x, y)) << describe(c);
        }
    }
}

/// Mask and confidence against the map itself: measured or filled exactly where there is a value, no confidence
/// elsewhere.
TEST(Matcher, MaskAndConfidenceAgreeWithTheMap) {
  int filled = 0;
  for (const Device& device : devices())
    for (const std::uint64_t seed : seeds(device, 100, 60)) {
      const StereoCase c = make_stereo_case(seed, {40, 24});
      const StereoPlan plan = make_stereo_plan(c.size, c.options);
      StereoRunOptions run = usual_run(c);
      run.wide_maps = true;
      const StereoRun result = run_stereo(device, c, run);
      for (int y = 0; y < c.size.height; ++y)
        for (int x = 0; x < c.size.width; ++x) {
          const auto mask = static_cast<StereoValidity>(result.mask.view()(x, y));
          ASSERT_LE(static_cast<int>(mask), 2);
          ASSERT_EQ(mask == StereoValidity::invalid, result.disparity32.view()(x, y) == plan.invalid) << describe(c);
          if (mask != StereoValidity::measured) {
            ASSERT_EQ(result.confidence.view()(x, y), 0) << describe(c);
          }
          if (c.options.fill == StereoFill::none) {
            ASSERT_NE(mask, StereoValidity::filled) << describe(c);
          }
          filled += mask == StereoValidity::filled ? 1 : 0;
        }
    }
  EXPECT_GT(filled, 0) << "the cases fill nothing: the test shows nothing";
}

TEST(Matcher, ThreadsAndTargetsChangeNothing) {
  for (std::uint64_t seed = 40; seed < 60; ++seed) {
    const StereoCase c = make_stereo_case(seed, {70, 90});
    const StereoRunOptions run = usual_run(c);
    const StereoRun expected = run_stereo(Device("reference"), c, run);
    for (const std::string& target : Device::simd_targets())
      for (int threads = 1; threads <= 4; ++threads) {
        const StereoRun got = run_stereo(Device("cpu", {.threads = threads, .simd = target}), c, run);
        ASSERT_EQ(first_difference(expected, got), "") << target << ", " << threads << " threads; " << describe(c);
      }
  }
}

}  // namespace
}  // namespace vergence
