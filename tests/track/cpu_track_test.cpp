// SPDX-License-Identifier: Apache-2.0
// Tracks on the CPU: what the reference finds, on every SIMD target of this machine, for seeded cases; and whole
// videos.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/track/stages.hpp"
#include "reference/track/stages.hpp"
#include "track/track_pictures.hpp"
#include "verify/track_cases.hpp"

namespace vergence {
namespace {

/// Everything that is found in one pair of frames.
struct Found {
  std::vector<TrackPosition> corners, first_corners;
  std::vector<TrackedPoint> points, guessed;
  friend bool operator==(const Found&, const Found&) = default;
};

template <class P>
Found find(const Device& device, const TrackCase& one, const TrackFrames<P>& frames) {
  PointFlow flow(device, one.size, one.options);
  const TrackPoints points = make_track_points(one);
  const Image<std::uint8_t> mask = make_track_mask(one);
  Found found;
  flow.push(frames.previous);
  found.first_corners = flow.corners(1000);
  flow.push(frames.current);
  found.corners = flow.corners(30, points.points, mask);
  found.points.resize(points.points.size());
  found.guessed.resize(points.points.size());
  flow.track(points.points, found.points);
  flow.track(points.points, found.guessed, points.guesses);
  return found;
}

template <class P>
void expect_equal(const TrackCase& one) {
  const TrackFrames<P> frames = make_track_frames<P>(one);
  const Found expected = find(Device("reference"), one, frames);
  for (const std::int64_t target : cpu::simd_targets()) {
    const int threads = static_cast<int>(one.seed % 3) + 1;
    const Found got = find(Device("cpu", {threads, cpu::simd_name(target)}), one, frames);
    ASSERT_EQ(got.first_corners, expected.first_corners) << describe(one) << "; " << cpu::simd_name(target);
    ASSERT_EQ(got.corners, expected.corners) << describe(one) << "; " << cpu::simd_name(target);
    for (std::size_t i = 0; i < got.points.size(); ++i)
      ASSERT_EQ(got.points[i], expected.points[i])
          << i << ": " << got.points[i].position.x << "," << got.points[i].position.y << " "
          << to_text(got.points[i].status) << " " << got.points[i].residual << " and " << expected.points[i].position.x
          << "," << expected.points[i].position.y << " " << to_text(expected.points[i].status) << " "
          << expected.points[i].residual << "; " << describe(one) << "; " << cpu::simd_name(target);
    ASSERT_TRUE(got == expected) << describe(one) << "; " << cpu::simd_name(target);
  }
}

TEST(CpuTrack, SeededCases) {
  for (std::uint64_t seed = 1; seed <= 250 && !HasFatalFailure(); ++seed) {
    const TrackCase one = make_track_case(seed);
    if (one.options.depth == Depth::u8)
      expect_equal<std::uint8_t>(one);
    else
      expect_equal<std::uint16_t>(one);
  }
}

TEST(CpuTrack, CasesAreOfAllKinds) {
  int counts[7] = {}, corners = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const TrackCase one = make_track_case(seed);
    if (one.options.depth != Depth::u8) continue;
    const Found found = find(Device("cpu"), one, make_track_frames<std::uint8_t>(one));
    for (const TrackedPoint& point : found.points) ++counts[static_cast<int>(point.status)];
    corners += static_cast<int>(found.corners.size());
  }
  for (const TrackStatus status : {TrackStatus::tracked, TrackStatus::outside, TrackStatus::small_determinant,
                                   TrackStatus::not_converged, TrackStatus::residual, TrackStatus::forward_backward})
    EXPECT_GT(counts[static_cast<int>(status)], 20) << to_text(status);
  EXPECT_GT(corners, 500);
}

/// The largest sums that there are: stripes of black and white.
template <class P>
void expect_equal_extremes(int largest, int window) {
  TrackCase one;
  one.size = {90, 80};
  one.options.window = window;
  one.options.levels = 1;
  one.options.depth = sizeof(P) == 1 ? Depth::u8 : Depth::u16;
  one.options.max_value = largest;
  one.options.block = 7;
  TrackFrames<P> frames{Image<P>(one.size), Image<P>(one.size)};
  for (const bool gain_offset : {false, true}) {
    one.options.gain_offset = gain_offset;
    for (int y = 0; y < 80; ++y)
      for (int x = 0; x < 90; ++x) {
        frames.previous(x, y) = static_cast<P>((x / 2 + y / 30) % 2 == 0 ? 0 : largest);
        frames.current(x, y) = static_cast<P>((x / 2 + y / 30) % 2 == 1 ? 0 : largest);
      }
    const Found expected = find(Device("reference"), one, frames);
    for (const std::int64_t target : cpu::simd_targets())
      ASSERT_TRUE(find(Device("cpu", {1, cpu::simd_name(target)}), one, frames) == expected)
          << largest << ", window " << window << ", gain-offset " << gain_offset << ", " << cpu::simd_name(target);
  }
}

TEST(CpuTrack, LargestSums) {
  for (const int window : {8, 15, 63}) {
    expect_equal_extremes<std::uint8_t>(255, window);
    for (const int largest : {511, 1023, 2047, 4095, 65535}) expect_equal_extremes<std::uint16_t>(largest, window);
  }
}

TEST(CpuTrack, WholeVideos) {
  constexpr Size size{150, 110};
  TrackOptions options;
  options.points = 60;
  options.min_distance = 6;
  options.window = 13;
  options.history = 3;
  options.min_separation = 2;
  options.forward_backward = 1;
  options.refill = 95;
  std::vector<PointTracker> trackers;
  trackers.emplace_back(Device("reference"), size, options);
  for (const std::int64_t target : cpu::simd_targets())
    trackers.emplace_back(Device("cpu", {2, cpu::simd_name(target)}), size, options);
  for (int index = 0; index < 8; ++index) {
    const Image<std::uint8_t> frame = test::textured<std::uint8_t>(size, -2.3 * index, 1.1 * index);
    const auto expected = trackers[0].next(frame);
    ASSERT_GT(expected.size(), 20u);
    for (std::size_t k = 1; k < trackers.size(); ++k) {
      const auto got = trackers[k].next(frame);
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

TEST(CpuTrack, MemoryIsCounted) {
  const PointFlow flow(Device("cpu"), {320, 240});
  EXPECT_GE(flow.memory(), std::size_t{2 * 5 * 320 * 240});
}

TEST(CpuTrack, LargeGradientsAreStreamed) {
  for (const Size size : {Size{1024, 560}, Size{1031, 560}}) {
    Image<std::uint8_t> first(size), second(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        first(x, y) = static_cast<std::uint8_t>((x * x / 7 + y * 13 + x * y / 5) % 256);
        second(x, y) = static_cast<std::uint8_t>(((x + 1) * (x + 1) / 7 + y * 13 + (x + 1) * y / 5) % 256);
      }
    TrackOptions options;
    options.levels = 1;
    const auto answers = [&](const Device& device) {
      PointFlow flow(device, size, options);
      flow.push(first);
      flow.push(first);  // both frames' memory has been written before
      const std::vector<TrackPosition> corners = flow.corners(60);
      flow.push(second);
      std::vector<TrackedPoint> found(corners.size());
      flow.track(corners, found);
      return std::pair(corners, found);
    };
    const auto expected = answers(Device("reference"));
    EXPECT_FALSE(expected.first.empty());
    for (const std::int64_t target : cpu::simd_targets())
      EXPECT_EQ(answers(Device("cpu", {2, cpu::simd_name(target)})), expected) << cpu::simd_name(target);
  }
}

}  // namespace
}  // namespace vergence
