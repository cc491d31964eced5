// SPDX-License-Identifier: Apache-2.0
// The filters on every GPU device give the bytes of the reference: seeded maps of odd sizes, both types, regions of
// interest, and maps made to be hard.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gpu_devices.hpp"
#include "gpu/postfilter/stages.hpp"
#include "reference/stereo/stages.hpp"
#include "support/filter_maps.hpp"

namespace vergence::test {
namespace {

constexpr std::size_t guard = 64;  ///< Bytes after each map that nobody may touch.
constexpr std::uint8_t guard_value = 0xA5;

/// Around the widths of words and groups, and around the heights of groups and strips.
constexpr Size sizes[] = {{1, 1},  {1, 37},   {2, 5},  {37, 1},  {65, 2},   {31, 9},  {32, 33},
                          {33, 4}, {63, 131}, {64, 8}, {65, 65}, {129, 17}, {257, 5}, {300, 40}};

/// A device with its programs and a queue.
struct Bench {
  std::string name;
  std::shared_ptr<gpu::Device> device;
  gpu::Programs programs{device};
  std::unique_ptr<gpu::Queue> queue = device->make_queue();
};

/// Every device; empty, with the reasons, where there is none.
class GpuFilter : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    for (const GpuDevice& gpu : gpu_devices(reasons)) benches.push_back(Bench{gpu.name, gpu.device});
    if (benches.empty()) GTEST_SKIP() << reasons;
  }
  std::vector<Bench> benches;
};

/// A map in device memory with guard bytes behind it.
template <class T>
class DeviceMap {
 public:
  DeviceMap(Bench& bench, Size size)
      : queue_(*bench.queue),
        size_(size),
        row_(static_cast<std::size_t>(size.width) * sizeof(T)),
        bytes_(row_ * static_cast<std::size_t>(size.height)),
        buffer_(bench.device->allocate(bytes_ + guard)) {
    queue_.fill(*buffer_, guard_value);
  }
  gpu::Buffer& buffer() { return *buffer_; }
  void write(ImageView<const T> map) {
    queue_.upload(*buffer_, {0, row_, map.stride(), row_, static_cast<std::size_t>(size_.height)}, map.data());
  }
  void expect(ImageView<const T> map, const char* which) {
    std::vector<std::uint8_t> memory(bytes_ + guard);
    queue_.download(*buffer_, {0, memory.size(), static_cast<std::ptrdiff_t>(memory.size()), memory.size(), 1},
                    memory.data());
    Image<T> actual(size_);
    for (int y = 0; y < size_.height; ++y)
      std::memcpy(actual.row(y), memory.data() + static_cast<std::size_t>(y) * row_, row_);
    ASSERT_EQ(first_difference<T>(map, actual), "") << which;
    for (std::size_t i = 0; i < guard; ++i)
      ASSERT_EQ(int{memory[bytes_ + i]}, int{guard_value}) << which << ", guard byte " << i;
  }

 private:
  gpu::Queue& queue_;
  Size size_;
  std::size_t row_, bytes_;
  std::unique_ptr<gpu::Buffer> buffer_;
};

template <class T>
void check_speckle(Bench& bench, const StereoPlan& plan, ImageView<const T> in) {
  Image<T> expected(plan.size);
  copy_map<T>(in, expected);
  reference::speckle<T>(plan, expected);
  DeviceMap<T> map(bench, plan.size);
  map.write(in);
  gpu::Speckle(plan, bench.programs, sizeof(T) == 4).run(*bench.queue, map.buffer());
  map.expect(expected, "speckle");
}

template <class T>
void check_median(Bench& bench, const StereoPlan& plan, ImageView<const T> in) {
  Image<T> expected(plan.size);
  reference::median<T>(plan, in, expected);
  DeviceMap<T> from(bench, plan.size), to(bench, plan.size);
  from.write(in);
  gpu::Median(plan, bench.programs, sizeof(T) == 4).run(*bench.queue, from.buffer(), to.buffer());
  to.expect(expected, "median");
  from.expect(in, "the input of median");
}

template <class T>
void check_fill(Bench& bench, const StereoPlan& plan, ImageView<const T> in) {
  Image<T> expected(plan.size);
  reference::fill<T>(plan, in, expected);
  DeviceMap<T> from(bench, plan.size), to(bench, plan.size);
  from.write(in);
  gpu::FillStage fill(plan, bench.programs, sizeof(T) == 4);
  fill.run(*bench.queue, from.buffer(), to.buffer());
  fill.run(*bench.queue, from.buffer(), to.buffer());  // nothing is left over from the first time
  to.expect(expected, "fill");
  from.expect(in, "the input of fill");
}

/// Maps of all sizes and kinds for one choice of options; the regions differ.
template <class T>
void check_all(std::vector<Bench>& benches, const StereoOptions& options, std::uint32_t seed,
               void (*check)(Bench&, const StereoPlan&, ImageView<const T>)) {
  for (Bench& bench : benches)
    for (const Size size : sizes) {
      const Kind kind = all_kinds[++seed % 7];
      Maps maps(seed);
      StereoOptions here = options;
      if (sizeof(T) == 4) here.min_disparity = -100;  // another value of `invalid`, and kernels of their own anyhow
      here.roi = any_roi(maps, size);
      const StereoPlan plan = filter_plan(size, here);
      SCOPED_TRACE(bench.name + ", " + std::to_string(size.width) + "x" + std::to_string(size.height) + ", kind " +
                   std::to_string(static_cast<int>(kind)) + ", seed " + std::to_string(seed) + ", " +
                   std::to_string(8 * sizeof(T)) + " bits");
      Image<T> map(size);
      maps.draw<T>(kind, plan.invalid, map);
      const Rect& roi = plan.roi;
      // The matcher leaves all invalid outside the region; the stages do not rely on it.
      const bool masks = maps.below(2) == 0;
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          if (masks && (x < roi.x || x >= roi.x + roi.width || y < roi.y || y >= roi.y + roi.height))
            map(x, y) = static_cast<T>(plan.invalid);
      check(bench, plan, map);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST_F(GpuFilter, SpeckleEqualsTheReference) {
  struct Choice {
    int size, range;
  };
  constexpr Choice choices[] = {{0, 16}, {1, 0}, {7, 16}, {100, 23}, {20, 65535}, {2147483647, 8}};
  std::uint32_t seed = 1;
  for (const Choice& choice : choices) {
    StereoOptions options;
    options.speckle_size = choice.size;
    options.speckle_range = choice.range;
    SCOPED_TRACE("speckle-size " + std::to_string(choice.size) + ", speckle-range " + std::to_string(choice.range));
    check_all<std::int16_t>(benches, options, seed += 100, check_speckle);
    check_all<std::int32_t>(benches, options, seed += 100, check_speckle);
    if (HasFatalFailure()) return;
  }
}

/// A spiral one pixel wide: one region, whose rows touch only at their ends.
TEST_F(GpuFilter, SpeckleFollowsOneRegionThroughAllGroups) {
  const Size size{201, 129};
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
  for (Bench& bench : benches)
    for (const int limit : {pixels - 1, pixels}) {
      StereoOptions options;
      options.speckle_size = limit;
      SCOPED_TRACE(bench.name + ", speckle-size " + std::to_string(limit));
      check_speckle<std::int16_t>(bench, filter_plan(size, options), map);
    }
}

/// Trees that are joined from all sides: one region, random pixels near the density at which regions grow to any size,
/// and a path that winds through the map. Again and again, since work is done in another order each time.
TEST_F(GpuFilter, SpeckleDoesNotDependOnTheOrderOfWork) {
  const Size size{640, 240};
  StereoOptions options;
  options.speckle_size = 30;
  const StereoPlan plan = filter_plan(size, options);
  for (Bench& bench : benches)
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
      Maps maps(seed);
      Image<std::int16_t> map(size);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          const bool on_path = y % 2 == 0 || x == (y % 4 == 1 ? size.width - 1 : 0);
          const bool valid = seed % 3 == 0 || (seed % 3 == 1 ? maps.below(100) < 59 : on_path);
          map(x, y) = static_cast<std::int16_t>(valid ? 160 : plan.invalid);
        }
      SCOPED_TRACE(bench.name + ", seed " + std::to_string(seed));
      check_speckle<std::int16_t>(bench, plan, map);
      if (HasFatalFailure()) return;
    }
}

TEST_F(GpuFilter, MedianEqualsTheReference) {
  std::uint32_t seed = 10000;
  for (const int window : {0, 3, 5}) {
    StereoOptions options;
    options.median = window;
    SCOPED_TRACE("median " + std::to_string(window));
    check_all<std::int16_t>(benches, options, seed += 100, check_median);
    check_all<std::int32_t>(benches, options, seed += 100, check_median);
    if (HasFatalFailure()) return;
  }
}

/// Exchanges of values are proven by all inputs of zeros and ones: every window of 3x3 with every choice of invalid
/// pixels.
TEST_F(GpuFilter, MedianOfEvery3x3WindowOfTwoValuesAndHoles) {
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
  for (Bench& bench : benches) {
    SCOPED_TRACE(bench.name);
    check_median<std::int16_t>(bench, plan, map);
  }
}

class GpuFill : public GpuFilter, public ::testing::WithParamInterface<StereoFill> {};

TEST_P(GpuFill, EqualsTheReference) {
  const bool means = GetParam() == StereoFill::mean || GetParam() == StereoFill::mean_all;
  std::uint32_t seed = 20000;
  for (const int window : means ? std::vector<int>{3, 11, 255} : std::vector<int>{11}) {
    StereoOptions options;
    options.fill = GetParam();
    options.fill_window = window;
    SCOPED_TRACE("fill " + std::to_string(static_cast<int>(GetParam())) + ", window " + std::to_string(window));
    check_all<std::int16_t>(benches, options, seed += 100, check_fill);
    check_all<std::int32_t>(benches, options, seed += 100, check_fill);
    if (HasFatalFailure()) return;
  }
}

std::string way_name(const ::testing::TestParamInfo<StereoFill>& parameter) {
  constexpr const char* names[] = {"none", "background", "nearest", "mean", "mean_all"};
  return names[static_cast<std::size_t>(parameter.param)];
}
INSTANTIATE_TEST_SUITE_P(All, GpuFill,
                         ::testing::Values(StereoFill::none, StereoFill::background, StereoFill::nearest,
                                           StereoFill::mean, StereoFill::mean_all),
                         way_name);

/// A few valid pixels on a lattice: most holes have several sources at the same distance.
TEST_F(GpuFilter, FillNearestGoesByRasterOrderAmongAllThatAreEquallyNear) {
  const Size size{61, 53};
  StereoOptions options;
  options.fill = StereoFill::nearest;
  const StereoPlan plan = filter_plan(size, options);
  for (Bench& bench : benches)
    for (const int step : {2, 5, 10, 13})
      for (int skew = 0; skew < step; ++skew) {
        Image<std::int16_t> map(size, static_cast<std::int16_t>(plan.invalid));
        std::int16_t number = 0;
        for (int y = 0; y < size.height; y += step)
          for (int x = (y / step * skew) % step; x < size.width; x += step) map(x, y) = number++;
        SCOPED_TRACE(bench.name + ", step " + std::to_string(step) + ", skew " + std::to_string(skew));
        check_fill<std::int16_t>(bench, plan, map);
        if (HasFatalFailure()) return;
      }
}

/// The largest sums: the widest window, full of the greatest and the least values.
TEST_F(GpuFilter, FillMeanHoldsTheLargestSums) {
  const Size size{257, 255};
  for (Bench& bench : benches)
    for (const StereoFill way : {StereoFill::mean, StereoFill::mean_all})
      for (const int sign : {1, -1}) {
        StereoOptions options;
        options.fill = way;
        options.fill_window = 255;
        const StereoPlan plan = filter_plan(size, options);
        SCOPED_TRACE(bench.name + ", fill " + std::to_string(static_cast<int>(way)));
        Image<std::int16_t> narrow(size, static_cast<std::int16_t>(sign * 32767));
        Image<std::int32_t> wide(size, sign * 33554432);
        narrow(128, 127) = static_cast<std::int16_t>(plan.invalid);
        wide(128, 127) = plan.invalid;
        check_fill<std::int16_t>(bench, plan, narrow);
        check_fill<std::int32_t>(bench, plan, wide);
        if (HasFatalFailure()) return;
      }
}

}  // namespace
}  // namespace vergence::test
