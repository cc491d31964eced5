// SPDX-License-Identifier: Apache-2.0
// Points and corners of a backend against the reference: seeded cases, the largest sums, whole videos, frames that
// another device has prepared. SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "reference/track/stages.hpp"
#include "stage/suite.hpp"
#include "track/track_pictures.hpp"
#include "verify/track_cases.hpp"

namespace vergence {
namespace {

/// Skips, with the reasons, where the backend has no device.
class SUITE : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    if (test::devices_under_test(0, reasons).empty()) GTEST_SKIP() << reasons;
  }
};

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
  ASSERT_EQ(expected.size(), got.size()) << where;
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

/// The entry points of the backend, frame by frame.
template <class P>
void check_entry_points(const TrackCase& one, const TrackFrames<P>& frames) {
  const TrackPlan plan = make_track_plan(one.size, one.options);
  const std::vector<backend::TrackQuery> queries = queries_of(one);
  const Image<std::uint8_t> mask = make_track_mask(one);
  TrackFrame<P> previous(plan), current(plan);
  reference::pyramid<P>(plan, frames.previous, previous);
  reference::gradients(plan, previous);
  reference::pyramid<P>(plan, frames.current, current);
  reference::gradients(plan, current);
  std::vector<TrackedPoint> points(queries.size()), got(queries.size());
  std::vector<backend::Corner> first_corners, masked_corners, corners;
  reference::corners<P>(plan, previous, {}, first_corners);
  reference::corners<P>(plan, current, mask, masked_corners);
  reference::lk<P>(plan, previous, current, queries, points);

  for (const test::TrackBackend& backend : test::track_backends(plan, one.seed)) {
    const std::string where = backend.name + ", " + describe(one);
    // Twice: the second time runs what a queue has captured, in memory that was written before.
    for (int time = 0; time < 2; ++time) {
      backend.track->push(bytes_of(frames.previous), words_of(frames.previous));
      backend.track->corners({}, corners);
      ASSERT_NO_FATAL_FAILURE(expect_equal(in_order(first_corners), in_order(corners), where));
      backend.track->push(bytes_of(frames.current), words_of(frames.current));
      backend.track->lk(queries, got);
      ASSERT_NO_FATAL_FAILURE(expect_equal(points, got, where));
      backend.track->corners(mask, corners);
      ASSERT_NO_FATAL_FAILURE(expect_equal(in_order(masked_corners), in_order(corners), where));
    }
  }
}

/// Everything that the public class finds in one pair of frames.
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
void check_flow(const TrackCase& one, const TrackFrames<P>& frames) {
  const Found expected = find(Device("reference"), one, frames);
  std::string reasons;
  for (const Device& device : test::devices_under_test(one.seed, reasons)) {
    const std::string where = device.description() + "; " + describe(one);
    const Found got = find(device, one, frames);
    ASSERT_EQ(got.first_corners, expected.first_corners) << where;
    ASSERT_EQ(got.corners, expected.corners) << where;
    ASSERT_NO_FATAL_FAILURE(expect_equal(expected.points, got.points, where));
    ASSERT_NO_FATAL_FAILURE(expect_equal(expected.guessed, got.guessed, where + "; guessed"));
  }
}

template <class P>
void check_case(const TrackCase& one, const TrackFrames<P>& frames) {
  ASSERT_NO_FATAL_FAILURE(check_entry_points(one, frames));
  if (test::runs_flow(one.seed)) check_flow(one, frames);
}

void check_seed(int seed) {
  const TrackCase one = make_track_case(static_cast<std::uint64_t>(seed));
  if (one.options.depth == Depth::u8)
    check_case(one, make_track_frames<std::uint8_t>(one));
  else
    check_case(one, make_track_frames<std::uint16_t>(one));
}

/// The parameter is a range of seeds: see track_seeds().
class SUITE_OF_SEEDS : public testing::TestWithParam<std::pair<int, int>> {};
TEST_P(SUITE_OF_SEEDS, EqualReference) {
  std::string reasons;
  if (test::devices_under_test(0, reasons).empty()) GTEST_SKIP() << reasons;
  const auto [first, last] = GetParam();
  for (int seed = first; seed <= last && !HasFailure(); ++seed) check_seed(seed);
}
VERGENCE_INSTANTIATE_SUITE(Seed, SUITE_OF_SEEDS, testing::ValuesIn(test::track_seeds()),
                           [](const auto& range) { return std::to_string(range.param.first); });

/// The largest sums that there are: stripes of black and white.
template <class P>
void check_stripes(const TrackCase& one) {
  TrackFrames<P> frames{Image<P>(one.size), Image<P>(one.size)};
  for (int y = 0; y < one.size.height; ++y)
    for (int x = 0; x < one.size.width; ++x) {
      const bool odd = (x / 2 + y / 30) % 2 != 0;
      frames.previous(x, y) = static_cast<P>(odd ? one.options.max_value : 0);
      frames.current(x, y) = static_cast<P>(odd ? 0 : one.options.max_value);
    }
  check_entry_points(one, frames);
  check_flow(one, frames);
}

TEST_F(SUITE, LargestSums) {
  constexpr int windows[] = {21, 63, 15, 8, 48};
  constexpr int largest[] = {255, 1023, 4095, 511, 65535, 2047};
  // The 30 pairs, each without and with gain/offset compensation.
  for (int i = 0; i < test::cases_to_run(2, 60); ++i) {
    TrackCase one;
    one.seed = static_cast<std::uint64_t>(6 * i + 1);  // GPUs: the default launch configuration
    one.size = {90, 80};
    one.options.window = windows[i % 5];
    one.options.levels = 1;
    one.options.max_value = largest[i % 6];
    one.options.depth = one.options.max_value == 255 ? Depth::u8 : Depth::u16;
    one.options.block = 7;
    one.options.gain_offset = (i + i / 30) % 2 == 0;
    if (one.options.depth == Depth::u8)
      check_stripes<std::uint8_t>(one);
    else
      check_stripes<std::uint16_t>(one);
    if (HasFailure()) return;
  }
}

/// A tracker on every device: frames of any stride, points that get lost and others that take their place.
void check_video(const TrackOptions& options) {
  constexpr Size size{150, 110};
  PointTracker reference(Device("reference"), size, options);
  std::vector<PointTracker> trackers;
  std::string reasons;
  for (const Device& device : test::devices_under_test(1, reasons)) trackers.emplace_back(device, size, options);
  for (int index = 0; index < 8; ++index) {
    if (index == 4 && options.forward_backward == 0) {
      reference.restart();
      for (PointTracker& tracker : trackers) tracker.restart();
    }
    const Image<std::uint8_t> frame =
        test::textured<std::uint8_t>({size.width + 5, size.height + 3}, -2.3 * index, 1.1 * index);
    const ImageView<const std::uint8_t> view = frame.view().crop({3, 2, size.width, size.height});
    const auto expected = reference.next(view);
    ASSERT_GT(expected.size(), 20u);
    for (PointTracker& tracker : trackers) {
      const auto got = tracker.next(view);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(got[i].id, expected[i].id);
        ASSERT_EQ(got[i].position, expected[i].position);
        ASSERT_EQ(got[i].status, expected[i].status);
        ASSERT_EQ(got[i].age, expected[i].age);
        ASSERT_EQ(got[i].residual, expected[i].residual);
        ASSERT_EQ(got[i].way_back, expected[i].way_back);
      }
    }
  }
}

TrackOptions video_options() {
  TrackOptions options = test::unchecked();
  options.points = 60;
  options.min_distance = 6;
  options.window = 13;
  options.history = 3;
  options.min_separation = 2;
  options.refill = 95;
  return options;
}
TEST_F(SUITE, WholeVideosWithAForwardBackwardCheck) {
  TrackOptions options = video_options();
  options.forward_backward = 1;
  check_video(options);
}
/// The checks that are made unless they are turned off.
TEST_F(SUITE, WholeVideosWithTheDefaultChecks) {
  TrackOptions options;
  options.points = 60;
  options.min_distance = 6;
  options.window = 13;
  check_video(options);
}
TEST_F(SUITE, WholeVideosWithAGridAndARestart) {
  TrackOptions options = video_options();
  options.grid = {3, 2};
  check_video(options);
}

/// Frames that another device has prepared, and frames for others: the planes of the reference.
TEST_F(SUITE, PreparedFramesAreTheReferences) {
  std::string reasons;
  for (const Device& device : test::devices_under_test(0, reasons))
    for (const Depth depth : {Depth::u8, Depth::u16}) {
      TrackOptions options;
      options.window = 9;
      options.depth = depth;
      constexpr Size size{61, 47};
      PointFlow reference(Device("reference"), size, options), flow(device, size, options),
          other(Device("cpu"), size, options);
      std::vector<TrackPosition> points;
      for (int i = 0; i < 40; ++i) points.push_back({i * 1500, i * 1100});
      std::vector<TrackedPoint> expected(points.size()), got(points.size()), others(points.size());
      for (int index = 0; index < 3; ++index) {
        PreparedFrame from_reference, from_device;
        const auto push = [&](const auto& frame) {
          reference.push(frame);
          reference.read(from_reference);
          if (index == 1)
            flow.push(frame);
          else
            flow.push(from_reference);
          flow.read(from_device);
          other.push(from_device);
        };
        if (depth == Depth::u8)
          push(test::textured<std::uint8_t>(size, -1.3 * index, 0.7 * index));
        else
          push(test::textured<std::uint16_t>(size, -1.3 * index, 0.7 * index, 65535));
        if (index == 0) continue;
        reference.track(points, expected);
        flow.track(points, got);
        other.track(points, others);
        expect_equal(expected, got, device.description());
        expect_equal(expected, others, device.description() + ", for cpu");
      }
    }
}

/// Every pixel of a pattern may be as good as its neighbours: more corners than memory is set aside for at first.
TEST_F(SUITE, CornersOfAPatternAreAllFound) {
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
  for (const test::TrackBackend& backend : test::track_backends(plan, 1)) {
    backend.track->push(frame, {});
    backend.track->corners({}, corners);
    expect_equal(in_order(expected), in_order(corners), backend.name);
    backend.track->push(flat, {});
    backend.track->corners({}, corners);
    EXPECT_TRUE(corners.empty());
    backend.track->lk({}, {});
  }
}

/// As many as are asked for or more, and each better than all that are left out; on a pattern most are equal.
TEST_F(SUITE, BestCornersAreTheFirst) {
  constexpr Size size{200, 200};
  TrackOptions options;
  options.quality = 0.001;
  const TrackPlan plan = make_track_plan(size, options);
  Random random(5);
  Image<std::uint8_t> noise(size), pattern(size), flat(size, 9);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      noise(x, y) = static_cast<std::uint8_t>(random.within(0, x));
      pattern(x, y) = static_cast<std::uint8_t>((x / 5 + y / 5) % 2 * 200);
    }
  for (const test::TrackBackend& backend : test::track_backends(plan, 1))
    for (const Image<std::uint8_t>* frame : {&noise, &pattern, &flat}) {
      std::vector<backend::Corner> every, best;
      backend.track->push(*frame, {});
      backend.track->corners({}, every);
      every = in_order(every);
      for (const std::size_t enough : {std::size_t{1}, std::size_t{300}, std::size_t{100'000}}) {
        const bool all = backend.track->best_corners({}, enough, best);
        ASSERT_LE(best.size(), every.size()) << backend.name;
        ASSERT_GE(best.size(), std::min(enough, every.size())) << backend.name;
        ASSERT_EQ(all, best.size() == every.size()) << backend.name;
        const std::vector<backend::Corner> first(every.begin(),
                                                 every.begin() + static_cast<std::ptrdiff_t>(best.size()));
        ASSERT_NO_FATAL_FAILURE(expect_equal(first, in_order(best), backend.name));
        if (!all) {
          ASSERT_GT(first.back().score, every[best.size()].score) << backend.name;
        }
      }
    }
}

/// Larger than caches hold: the CPU writes the gradients of such frames past them.
TEST_F(SUITE, LargeFrames) {
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
    std::string reasons;
    for (const Device& device : test::devices_under_test(1, reasons))
      EXPECT_EQ(answers(device), expected) << device.description();
  }
}

}  // namespace
}  // namespace vergence
