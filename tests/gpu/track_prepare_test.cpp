// SPDX-License-Identifier: Apache-2.0
// Levels and gradients on every GPU device: those of the reference, for every launch configuration, pictures that
// end anywhere in a tile, and any number of levels.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "gpu/gpu_devices.hpp"
#include "gpu/track/track.hpp"
#include "plan/track/frame.hpp"
#include "reference/track/stages.hpp"

namespace vergence {
namespace {

constexpr std::uint64_t seed = 20;

template <class P>
Image<P> noise(Size size, int max_value) {
  Random random(seed);
  Image<P> frame(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) frame(x, y) = static_cast<P>(random.within(0, max_value));
  return frame;
}

template <class T>
void expect_same(const std::vector<Image<T>>& expected, const std::vector<Image<T>>& got, const std::string& what) {
  ASSERT_EQ(expected.size(), got.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(expected[i].size(), got[i].size()) << what << ", level " << i;
    for (int y = 0; y < got[i].height(); ++y)
      for (int x = 0; x < got[i].width(); ++x)
        ASSERT_EQ(got[i](x, y), expected[i](x, y)) << what << ", level " << i << " at " << x << "," << y;
  }
}

template <class P>
void expect_reference(const test::GpuDevice& gpu, const gpu::TrackTuning& tuning, Size size, int levels,
                      int max_value) {
  TrackOptions options;
  options.window = 3;
  options.levels = levels;
  options.depth = sizeof(P) == 1 ? Depth::u8 : Depth::u16;
  options.max_value = max_value;
  const TrackPlan plan = make_track_plan(size, options);
  ASSERT_EQ(plan.levels.size(), static_cast<std::size_t>(levels) + 1)
      << std::to_string(size.width) + "x" + std::to_string(size.height);
  const Image<P> frame = noise<P>(size, max_value);
  TrackFrame<P> expected(plan);
  reference::pyramid<P>(plan, frame, expected);
  reference::gradients(plan, expected);
  const std::unique_ptr<backend::Track> track = gpu::make_track(plan, gpu.device, tuning);
  PreparedPlanes got(plan);
  if constexpr (sizeof(P) == 1)
    track->push(frame, {});
  else
    track->push({}, frame);
  track->read(got);
  std::string what = gpu.name + " on " + std::to_string(size.width) + "x" + std::to_string(size.height) + " up to " +
                     std::to_string(max_value) + ", seed " + std::to_string(seed);
  for (const auto& [name, number] : gpu::track_entries().front().numbers(tuning))
    what += ", " + name + " " + std::to_string(number);
  const TrackFrame<P>& found = got.of<P>();
  ASSERT_NO_FATAL_FAILURE(expect_same(expected.pictures, found.pictures, what + ": pictures"));
  ASSERT_NO_FATAL_FAILURE(expect_same(expected.dx, found.dx, what + ": gradients across"));
  ASSERT_NO_FATAL_FAILURE(expect_same(expected.dy, found.dy, what + ": gradients down"));
}

/// Pictures that end with each of the first and the last columns and rows of a tile, of a half of it, and far below
/// one; four levels in one pass everywhere, whatever a device likes.
TEST(GpuTrackPrepare, OfAnySizeIsTheReferences) {
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons)) {
    gpu::TrackTuning usual = gpu::default_track_tuning(gpu.device->properties());
    usual.pass = 4, usual.tile_width = usual.tile_height = 64;
    for (const int width : {33, 61, 62, 63, 64, 65, 66, 67, 68, 127, 129, 161, 193})
      for (const int height : {width < 100 ? 37 : 300 - width, 64, 129 - width / 2})
        ASSERT_NO_FATAL_FAILURE(expect_reference<std::uint8_t>(gpu, usual, {width, height}, 3, 255));
    for (const int side : {4, 5, 6, 7, 8, 9})
      ASSERT_NO_FATAL_FAILURE(expect_reference<std::uint8_t>(gpu, usual, {13 - side, side}, 0, 255));
    for (const int side : {25, 26, 27, 28, 29, 31, 65})
      ASSERT_NO_FATAL_FAILURE(expect_reference<std::uint8_t>(gpu, usual, {90 - side, side}, 3, 255));
  }
}

TEST(GpuTrackPrepare, AnyNumberOfLevelsIsTheReferences) {
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons)) {
    const gpu::TrackTuning usual = gpu::default_track_tuning(gpu.device->properties());
    for (const int levels : {1, 2, 4, 5})
      ASSERT_NO_FATAL_FAILURE(expect_reference<std::uint8_t>(gpu, usual, {230 + levels, 201}, levels, 255));
    for (const int largest : {1023, 65535})
      ASSERT_NO_FATAL_FAILURE(
          expect_reference<std::uint16_t>(gpu, usual, {199, 131}, largest == 1023 ? 3 : 4, largest));
    ASSERT_NO_FATAL_FAILURE(expect_reference<std::uint8_t>(gpu, usual, {1033, 1030}, 8, 255));
  }
}

TEST(GpuTrackPrepare, EveryLaunchConfigurationIsTheReferences) {
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons))
    for (const gpu::TrackTuning& tuning : gpu::track_entries().front().candidates(gpu.device->properties()))
      ASSERT_NO_FATAL_FAILURE(expect_reference<std::uint8_t>(gpu, tuning, {283, 195}, 4, 255));
}

}  // namespace
}  // namespace vergence
