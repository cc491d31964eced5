// SPDX-License-Identifier: Apache-2.0
// Input that trackers are known to stumble over, through the library: each has a stated result, the same on all
// devices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "track/track_pictures.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

constexpr Size size{64, 48};

class TrackBadInput : public testing::TestWithParam<const char*> {
 protected:
  Device device_{GetParam()};
};

std::vector<TrackPosition> far_points() {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(),
                         most = std::numeric_limits<std::int32_t>::max();
  return {{least, least},  {most, most},    {least, most},      {most, 10 * 1024},  {10 * 1024, least},
          {-1, 20 * 1024}, {20 * 1024, -1}, {63 * 1024 + 1, 0}, {0, 47 * 1024 + 1}, {1 << 30, -(1 << 30)}};
}

TEST_P(TrackBadInput, PointsOutsideAreLostWhereTheyAre) {
  const Image<std::uint8_t> first = test::textured<std::uint8_t>(size, 0, 0),
                            second = test::textured<std::uint8_t>(size, -1, 0);
  TrackOptions o = test::unchecked();
  o.window = 9;
  o.forward_backward = 1;
  PointFlow flow(device_, size, o);
  flow.push(first);
  flow.push(second);
  const std::vector<TrackPosition> points = far_points();
  std::vector<TrackedPoint> found(points.size());
  flow.track(points, found);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_EQ(found[i], (TrackedPoint{points[i], TrackStatus::outside, false, 0})) << i;
  EXPECT_EQ(flow.corners(50, points).empty(), false);
}

/// A guess outside counts as the nearest place on the picture.
TEST_P(TrackBadInput, GuessesOutsideAreMovedOntoThePicture) {
  const Image<std::uint8_t> picture = test::textured<std::uint8_t>(size, 0, 0);
  TrackOptions o = test::unchecked();
  o.window = 9;
  o.levels = 0;
  PointFlow flow(device_, size, o);
  flow.push(picture);
  flow.push(picture);
  const std::vector<TrackPosition> guesses = far_points(), points(guesses.size(), TrackPosition{30 * 1024, 20 * 1024});
  std::vector<TrackPosition> moved = guesses;
  for (TrackPosition& at : moved) at = {std::clamp(at.x, 0, 63 * 1024), std::clamp(at.y, 0, 47 * 1024)};
  std::vector<TrackedPoint> found(points.size()), expected(points.size());
  flow.track(points, found, guesses);
  flow.track(points, expected, moved);
  EXPECT_EQ(found, expected);
}

TEST_P(TrackBadInput, AddedPointsMayLieAnywhere) {
  TrackOptions o = test::unchecked();
  o.window = 9;
  o.points = 20;
  o.refill = 100;
  o.min_distance = 4;
  o.min_separation = 65535;
  PointTracker tracker(device_, size, o);
  const std::vector<TrackPosition> points = far_points();
  tracker.add(points);
  const Image<std::uint8_t> picture = test::textured<std::uint8_t>(size, 0, 0);
  tracker.next(picture);
  for (const Track& track : tracker.next(picture))
    if (track.id < points.size()) {
      EXPECT_NE(track.status, TrackStatus::tracked) << track.id;
      EXPECT_EQ(track.position, points[static_cast<std::size_t>(track.id)]);
    }
}

TEST_P(TrackBadInput, FewerPointsThanAsked) {
  TrackOptions o = test::unchecked();
  o.window = 9;
  o.points = 1000000;
  o.min_distance = 5;
  o.refill = 100;
  PointTracker tracker(device_, size, o);
  const Image<std::uint8_t> picture = test::textured<std::uint8_t>(size, 0, 0);
  const std::size_t count = tracker.next(picture).size();
  EXPECT_GT(count, 20u);
  EXPECT_LT(count, std::size_t{64 * 48 / 20});
  EXPECT_EQ(tracker.next(picture).size(), count);  // min_distance leaves no place for more points
}

TEST_P(TrackBadInput, LevelsThatWouldBeEmptyAreLeftOut) {
  for (const auto& [side, window, levels] :
       std::vector<std::array<int, 3>>{{22, 21, 0}, {4, 3, 0}, {9, 3, 1}, {64, 63, 0}, {40, 8, 2}}) {
    TrackOptions o = test::unchecked();
    o.window = window;
    o.levels = 8;
    PointFlow flow(device_, {side, side}, o);
    EXPECT_EQ(flow.levels(), levels) << side;
    const Image<std::uint8_t> picture = test::textured<std::uint8_t>({side, side}, 0, 0);
    flow.push(picture);
    flow.push(picture);
    const TrackPosition middle = to_position(side / 2, side / 2);
    std::vector<TrackedPoint> found(1);
    flow.track(std::vector{middle}, found);
    EXPECT_EQ(found[0].position, middle) << side;
  }
}

TEST_P(TrackBadInput, FlatFramesShowNoStructure) {
  const Image<std::uint8_t> flat(size, 200);
  PointFlow flow(device_, size);
  flow.push(flat);
  EXPECT_TRUE(flow.corners(10).empty());
  flow.push(flat);
  const TrackPosition at = to_position(30, 20);
  std::vector<TrackedPoint> found(1);
  flow.track(std::vector{at}, found);
  EXPECT_EQ(found[0], (TrackedPoint{at, TrackStatus::small_determinant, false, 0}));
}

TEST_P(TrackBadInput, AMaskOfZerosLeavesNoPoint) {
  const Image<std::uint8_t> picture = test::textured<std::uint8_t>(size, 0, 0), none(size, 0);
  PointTracker tracker(device_, size);
  tracker.set_mask(none);
  EXPECT_TRUE(tracker.next(picture).empty());
}

TEST_P(TrackBadInput, AFrameOfAnotherSizeIsRefusedAndTheStreamGoesOn) {
  const Image<std::uint8_t> picture = test::textured<std::uint8_t>(size, 0, 0), wide(65, 48, 7);
  PointTracker tracker(device_, size);
  const std::size_t count = tracker.next(picture).size();
  EXPECT_ERROR(tracker.next(wide), ErrorCode::invalid_argument, "the frame is 65x48");
  EXPECT_ERROR(tracker.next(ImageView<const std::uint8_t>()), ErrorCode::invalid_argument, "the frame");
  EXPECT_EQ(tracker.next(picture).size(), count);
}

INSTANTIATE_TEST_SUITE_P(Devices, TrackBadInput, testing::Values("reference", "cpu"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace vergence
