// SPDX-License-Identifier: Apache-2.0
// Frames that one device has prepared and another one follows points in: the bits of one device alone, for every pair.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/expect_error.hpp"
#include "track/track_pictures.hpp"
#include "verify/track_cases.hpp"

namespace vergence {
namespace {

struct FoundPrepared {
  std::vector<TrackPosition> corners;
  std::vector<TrackedPoint> points;
  friend bool operator==(const FoundPrepared&, const FoundPrepared&) = default;
};

/// Of a flow that has two frames.
FoundPrepared look(PointFlow& flow, const TrackCase& one) {
  const TrackPoints points = make_track_points(one);
  FoundPrepared found;
  found.corners = flow.corners(30, points.points);
  found.points.resize(points.points.size());
  flow.track(points.points, found.points);
  return found;
}

/// A device with one flow that prepares frames and one that follows points, for all pairs.
struct Flows {
  std::string name;
  PointFlow prepares, follows;
};

/// The devices of this machine that compute tracks.
std::vector<Flows> devices(const TrackCase& one) {
  std::vector<Flows> all;
  for (const DeviceInfo& info : Device::list()) {
    if (!info.available) continue;
    const Device device(info.name);
    try {
      all.push_back({info.name, PointFlow(device, one.size, one.options), PointFlow(device, one.size, one.options)});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
    }
  }
  return all;
}

/// Leaves nothing in a flow that a pair under test gives.
template <class P>
void forget(PointFlow& flow, const TrackFrames<P>& frames) {
  flow.push(frames.current);
  flow.push(frames.previous);
}

template <class P>
void expect_equal(const TrackCase& one) {
  const TrackFrames<P> frames = make_track_frames<P>(one);
  std::vector<Flows> all = devices(one);
  ASSERT_GE(all.size(), 2U);
  ASSERT_EQ(all.back().name, "reference");
  PointFlow& alone = all.back().follows;
  alone.push(frames.previous);
  alone.push(frames.current);
  const FoundPrepared expected = look(alone, one);
  for (Flows& first : all) {
    PreparedFrame previous, current;
    first.prepares.push(frames.previous);
    first.prepares.read(previous);
    first.prepares.push(frames.current);
    first.prepares.read(current);
    for (Flows& second : all) {
      // Pinned for the one that takes them, where it has such a thing.
      const Device taker(second.name);
      previous.pin(taker);
      current.pin(taker);
      forget(second.follows, frames);
      second.follows.push(previous);
      second.follows.push(current);
      ASSERT_TRUE(look(second.follows, one) == expected)
          << first.name << " prepares, " << second.name << " follows; " << describe(one);
      // And where frames come both ways.
      forget(second.follows, frames);
      second.follows.push(frames.previous);
      second.follows.push(current);
      ASSERT_TRUE(look(second.follows, one) == expected) << first.name << ", " << second.name << "; " << describe(one);
    }
  }
}

/// A test for each seed, because compilers for processors take a second or two for each.
class PreparedPairs : public testing::TestWithParam<int> {};
TEST_P(PreparedPairs, GiveTheSameBits) {
  const TrackCase one = make_track_case(static_cast<std::uint64_t>(GetParam()));
  if (one.options.depth == Depth::u8)
    expect_equal<std::uint8_t>(one);
  else
    expect_equal<std::uint16_t>(one);
}
INSTANTIATE_TEST_SUITE_P(Seed, PreparedPairs, testing::Range(1, 7), testing::PrintToStringParamName());

TEST(PreparedFrames, AreRefusedWhereTheyDoNotFit) {
  const Size size{64, 48};
  const Image<std::uint8_t> frame = test::textured<std::uint8_t>(size, 0, 0);
  PointFlow flow(Device("reference"), size);
  PreparedFrame prepared;
  EXPECT_TRUE(prepared.empty());
  EXPECT_EQ(prepared.memory(), 0U);
  EXPECT_ERROR(prepared.pin(Device("reference")), ErrorCode::invalid_argument, "fill it before");
  EXPECT_ERROR(flow.read(prepared), ErrorCode::invalid_argument, "read was called before the first frame");
  EXPECT_ERROR(flow.push(prepared), ErrorCode::invalid_argument, "the prepared frame is empty");
  flow.push(frame);
  flow.read(prepared);
  EXPECT_GE(prepared.memory(), 5U * 64 * 48);
  TrackOptions fewer;
  fewer.levels = 0;
  PointFlow other(Device("cpu"), size, fewer);
  EXPECT_ERROR(other.push(prepared), ErrorCode::invalid_argument,
               "size, pixel depth, max_value and levels must be equal");
  EXPECT_EQ(other.frames(), 0);
  flow.push(prepared);
  EXPECT_EQ(flow.frames(), 2);
}

TEST(PreparedFrames, LetATrackerGoOn) {
  const Size size{96, 64};
  TrackOptions options;
  options.points = 20;
  PointTracker alone(Device("reference"), size, options), other(Device("cpu"), size, options);
  PointFlow prepares(Device("reference"), size, options);
  PreparedFrame prepared;
  for (int i = 0; i < 4; ++i) {
    const Image<std::uint8_t> frame = test::textured<std::uint8_t>(size, 1.5 * i, 0.5 * i);
    prepares.push(frame);
    prepares.read(prepared);
    const auto expected = alone.next(frame);
    const auto got = other.next(prepared);
    ASSERT_EQ(expected.size(), got.size());
    ASSERT_GT(got.size(), 5U);
    for (std::size_t k = 0; k < got.size(); ++k) {
      EXPECT_EQ(got[k].id, expected[k].id);
      EXPECT_EQ(got[k].position, expected[k].position);
      EXPECT_EQ(got[k].residual, expected[k].residual);
    }
  }
}

}  // namespace
}  // namespace vergence
