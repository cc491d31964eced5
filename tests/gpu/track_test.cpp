// SPDX-License-Identifier: Apache-2.0
// Tracks on every GPU device: the points and corners of the reference, seeded cases, several ways of cutting the work,
// whole videos.
#include "gpu/track/track.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "reference/track/stages.hpp"
#include "track/track_pictures.hpp"
#include "verify/random.hpp"
#include "verify/track_cases.hpp"

namespace vergence {
namespace {

std::vector<backend::Corner> in_order(std::vector<backend::Corner> corners) {
  std::sort(corners.begin(), corners.end(), backend::is_better);
  return corners;
}

void expect_equal(const std::vector<backend::Corner>& expected, const std::vector<backend::Corner>& got,
                  const std::string& where) {
  ASSERT_EQ(expected.size(), got.size()) << where;
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(expected[i].score == got[i].score && expected[i].x == got[i].x && expected[i].y == got[i].y)
        << "corner " << i << ": " << got[i].x << "," << got[i].y << " " << got[i].score << ", expected "
        << expected[i].x << "," << expected[i].y << " " << expected[i].score << "\n"
        << where;
}
void expect_equal(const std::vector<TrackedPoint>& expected, const std::vector<TrackedPoint>& got,
                  const std::string& where) {
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], expected[i]) << "point " << i << ": " << got[i].position.x << "," << got[i].position.y << " "
                                   << to_text(got[i].status) << " " << got[i].converged << " " << got[i].residual
                                   << ", expected " << expected[i].position.x << "," << expected[i].position.y << " "
                                   << to_text(expected[i].status) << " " << expected[i].converged << " "
                                   << expected[i].residual << "\n"
                                   << where;
}

ImageView<const std::uint8_t> bytes_of(const Image<std::uint8_t>& frame) { return frame; }
ImageView<const std::uint8_t> bytes_of(const Image<std::uint16_t>&) { return {}; }
ImageView<const std::uint16_t> words_of(const Image<std::uint16_t>& frame) { return frame; }
ImageView<const std::uint16_t> words_of(const Image<std::uint8_t>&) { return {}; }

std::vector<backend::TrackQuery> queries_of(const TrackCase& one) {
  const TrackPoints points = make_track_points(one);
  std::vector<backend::TrackQuery> queries;
  for (std::size_t i = 0; i < points.points.size(); ++i)
    for (const TrackPosition guess : {points.points[i], points.guesses[i]})
      queries.push_back({points.points[i],
                         {std::clamp(guess.x, 0, (one.size.width - 1) * 1024),
                          std::clamp(guess.y, 0, (one.size.height - 1) * 1024)}});
  return queries;
}

template <class P>
void run_case(const TrackCase& one, const TrackFrames<P>& frames, const gpu::TrackTuning& tuning,
              const test::GpuDevice& gpu) {
  const TrackPlan plan = make_track_plan(one.size, one.options);
  const std::string where = gpu.name + ", " + std::to_string(tuning.lanes) + " lanes, " + describe(one);
  const std::vector<backend::TrackQuery> queries = queries_of(one);
  const Image<std::uint8_t> mask = make_track_mask(one);
  TrackFrame<P> previous(plan), current(plan);
  reference::pyramid<P>(plan, frames.previous, previous);
  reference::gradients(plan, previous);
  reference::pyramid<P>(plan, frames.current, current);
  reference::gradients(plan, current);
  std::vector<TrackedPoint> expected(queries.size()), got(queries.size());
  std::vector<backend::Corner> expected_corners, corners;

  const std::unique_ptr<backend::Track> track = gpu::make_track(plan, gpu.device, tuning);
  // Twice: the second time runs what a queue has kept.
  for (int time = 0; time < 2; ++time) {
    track->push(bytes_of(frames.previous), words_of(frames.previous));
    track->corners({}, corners);
    reference::corners<P>(plan, previous, {}, expected_corners);
    ASSERT_NO_FATAL_FAILURE(expect_equal(in_order(expected_corners), in_order(corners), where));
    track->push(bytes_of(frames.current), words_of(frames.current));
    track->lk(queries, got);
    reference::lk<P>(plan, previous, current, queries, expected);
    ASSERT_NO_FATAL_FAILURE(expect_equal(expected, got, where));
    track->corners(mask, corners);
    reference::corners<P>(plan, current, mask, expected_corners);
    ASSERT_NO_FATAL_FAILURE(expect_equal(in_order(expected_corners), in_order(corners), where));
  }
}

void run_case(const TrackCase& one, const gpu::TrackTuning& tuning, const test::GpuDevice& gpu) {
  if (one.options.depth == Depth::u8)
    run_case(one, make_track_frames<std::uint8_t>(one), tuning, gpu);
  else
    run_case(one, make_track_frames<std::uint16_t>(one), tuning, gpu);
}

/// Odd seeds as the device likes it, even ones with several work-items to a point everywhere.
void run_seed(int seed, const test::GpuDevice& gpu) {
  gpu::TrackTuning tuning = gpu::default_track_tuning(gpu.device->properties());
  constexpr int lanes[] = {32, 64, 1, 128};
  if (seed % 2 == 0) tuning.lanes = lanes[seed / 2 % 4];
  if (seed % 3 == 0)
    tuning.pass = 1 + seed / 3 % 3, tuning.tile_width = 32, tuning.tile_height = 16, tuning.threads = 48;
  run_case(make_track_case(static_cast<std::uint64_t>(seed)), tuning, gpu);
}

/// The largest sums that there are: stripes of black and white.
void run_extremes(int seed, const test::GpuDevice& gpu) {
  constexpr int windows[] = {21, 63, 15, 8, 48};
  constexpr int largest[] = {255, 1023, 4095, 511, 65535, 2047};
  TrackCase one;
  one.seed = static_cast<std::uint64_t>(seed);
  one.size = {90, 80};
  TrackOptions& o = one.options;
  o.window = windows[seed % 5];
  o.levels = 1;
  o.max_value = largest[seed % 6];
  o.depth = o.max_value == 255 ? Depth::u8 : Depth::u16;
  o.block = 7;
  o.gain_offset = seed % 2 == 0;
  const auto value = [&](int x, int y, int odd) { return (x / 2 + y / 30) % 2 == odd ? 0 : o.max_value; };
  const auto run = [&](auto frames) {
    for (int y = 0; y < 80; ++y)
      for (int x = 0; x < 90; ++x) {
        using P = std::decay_t<decltype(frames.previous(x, y))>;
        frames.previous(x, y) = static_cast<P>(value(x, y, 0));
        frames.current(x, y) = static_cast<P>(value(x, y, 1));
      }
    run_case(one, frames, gpu::default_track_tuning(gpu.device->properties()), gpu);
  };
  if (o.depth == Depth::u8)
    run(TrackFrames<std::uint8_t>{Image<std::uint8_t>(one.size), Image<std::uint8_t>(one.size)});
  else
    run(TrackFrames<std::uint16_t>{Image<std::uint16_t>(one.size), Image<std::uint16_t>(one.size)});
}

/// A test for each seed, because compilers for processors take a second or two for each case.
class GpuTrackSeeds : public testing::TestWithParam<int> {};
TEST_P(GpuTrackSeeds, EqualReference) { test::run_everywhere(GetParam(), GetParam(), run_seed); }
INSTANTIATE_TEST_SUITE_P(Seed, GpuTrackSeeds, testing::Range(1, 6), testing::PrintToStringParamName());

TEST(GpuTrack, LargestSumsEqualReference) { test::run_everywhere(0, 1, run_extremes); }

/// On machines with a GPU: as many as VERGENCE_GPU_CASES says.
TEST(GpuTrack, ManySeedsEqualReference) {
  const char* const cases = std::getenv("VERGENCE_GPU_CASES");
  if (cases == nullptr) GTEST_SKIP() << "VERGENCE_GPU_CASES is not set: GpuTrackSeeds runs a few";
  test::run_everywhere(1, std::atoi(cases), run_seed);
  test::run_everywhere(0, std::min(std::atoi(cases), 30), run_extremes);
}

/// As users meet it, with frames of any stride, points that get lost and others that take their place.
TEST(GpuTrack, WholeVideosEqualReference) {
  constexpr Size size{150, 110};
  TrackOptions options;
  options.points = 60;
  options.min_distance = 6;
  options.window = 13;
  options.history = 3;
  options.min_separation = 2;
  options.refill = 95;
  options.grid = {3, 2};
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons)) {
    PointTracker reference(Device("reference"), size, options),
        tracker(Device(gpu::make_device(gpu.name, "opencl", gpu.device)), size, options);
    for (int index = 0; index < 6; ++index) {
      if (index == 4) {
        reference.restart();
        tracker.restart();
      }
      const Image<std::uint8_t> frame =
          test::textured<std::uint8_t>({size.width + 5, size.height + 3}, -2.3 * index, 1.1 * index);
      const ImageView<const std::uint8_t> view = frame.view().crop({3, 2, size.width, size.height});
      const auto expected = reference.next(view);
      const auto got = tracker.next(view);
      ASSERT_GT(expected.size(), 20u);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(got[i].id, expected[i].id);
        ASSERT_EQ(got[i].position, expected[i].position);
        ASSERT_EQ(got[i].status, expected[i].status);
        ASSERT_EQ(got[i].age, expected[i].age);
        ASSERT_EQ(got[i].residual, expected[i].residual);
      }
    }
  }
}

/// Frames that another device has prepared, and frames for others: the planes of the reference.
TEST(GpuTrack, PreparedFramesAreTheReferences) {
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons))
    for (const Depth depth : {Depth::u8, Depth::u16}) {
      TrackOptions options;
      options.window = 9;
      options.depth = depth;
      constexpr Size size{61, 47};
      PointFlow reference(Device("reference"), size, options),
          flow(Device(gpu::make_device(gpu.name, "opencl", gpu.device)), size, options),
          other(Device("cpu"), size, options);
      std::vector<TrackPosition> points;
      for (int i = 0; i < 40; ++i) points.push_back({i * 1500, i * 1100});
      std::vector<TrackedPoint> expected(points.size()), got(points.size()), others(points.size());
      for (int index = 0; index < 3; ++index) {
        PreparedFrame from_reference, from_gpu;
        const auto push = [&](const auto& frame) {
          reference.push(frame);
          reference.read(from_reference);
          if (index == 1)
            flow.push(frame);
          else
            flow.push(from_reference);
          flow.read(from_gpu);
          other.push(from_gpu);
        };
        if (depth == Depth::u8)
          push(test::textured<std::uint8_t>(size, -1.3 * index, 0.7 * index));
        else
          push(test::textured<std::uint16_t>(size, -1.3 * index, 0.7 * index, 65535));
        if (index == 0) continue;
        reference.track(points, expected);
        flow.track(points, got);
        other.track(points, others);
        expect_equal(expected, got, gpu.name);
        expect_equal(expected, others, gpu.name + ", for cpu");
      }
    }
}

/// Every pixel of a pattern may be as good as its neighbours: more corners than there is room for at first.
TEST(GpuTrack, CornersOfAPatternAreAllFound) {
  constexpr Size size{200, 200};
  TrackOptions options;
  options.block = 7;
  options.quality = 0;
  Image<std::uint8_t> frame(size), flat(size, 9);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) frame(x, y) = static_cast<std::uint8_t>((x / 2 + y / 2) % 2 * 200);
  const TrackPlan plan = make_track_plan(size, options);
  TrackFrame<std::uint8_t> expected_frame(plan);
  reference::pyramid<std::uint8_t>(plan, frame, expected_frame);
  reference::gradients(plan, expected_frame);
  std::vector<backend::Corner> expected, corners;
  reference::corners<std::uint8_t>(plan, expected_frame, {}, expected);
  EXPECT_GT(expected.size(), std::size_t{200 * 200 / 16 + 1024});
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons)) {
    const auto track = gpu::make_track(plan, gpu.device, gpu::default_track_tuning(gpu.device->properties()));
    track->push(frame, {});
    track->corners({}, corners);
    expect_equal(in_order(expected), in_order(corners), gpu.name);
    track->push(flat, {});
    track->corners({}, corners);
    EXPECT_TRUE(corners.empty());
    track->lk({}, {});
  }
}

}  // namespace
}  // namespace vergence
