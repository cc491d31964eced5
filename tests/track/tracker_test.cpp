// SPDX-License-Identifier: Apache-2.0
// PointTracker: identities, ages, histories, losses, replacement.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "core/expect_error.hpp"
#include "track/track_pictures.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

constexpr Size tracker_size{120, 90};

Image<std::uint8_t> tracker_frame(int index, double speed = 2) {
  return test::textured<std::uint8_t>(tracker_size, -speed * index, 0.5 * index);
}

TrackOptions options() {
  TrackOptions o = test::unchecked();
  o.points = 30;
  o.min_distance = 8;
  o.window = 11;
  o.history = 4;
  return o;
}

std::size_t living(std::span<const Track> tracks) {
  return static_cast<std::size_t>(
      std::count_if(tracks.begin(), tracks.end(), [](const Track& t) { return t.status == TrackStatus::tracked; }));
}

TEST(PointTracker, FollowsAndReplaces) {
  TrackOptions o = options();
  o.refill = 100;
  PointTracker tracker(Device("reference"), tracker_size, o);
  std::map<std::uint64_t, Track> before;
  std::uint64_t next_id = 0;
  std::size_t lost = 0;
  for (int index = 0; index < 12; ++index) {
    const Image<std::uint8_t> picture = tracker_frame(index);
    const auto tracks = tracker.next(picture);
    EXPECT_EQ(tracks.data(), tracker.tracks().data());
    EXPECT_EQ(living(tracks), 30u) << index;
    std::map<std::uint64_t, Track> now;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const Track& track = tracks[i];
      if (i > 0) {
        EXPECT_LT(tracks[i - 1].id, track.id);
      }
      const auto old = before.find(track.id);
      if (track.status == TrackStatus::tracked) now[track.id] = track;
      if (old == before.end()) {
        EXPECT_EQ(track.age, 0);
        EXPECT_EQ(track.id, next_id++);
        EXPECT_EQ(track.status, TrackStatus::tracked);
        EXPECT_EQ(tracker.history(i).size(), 1u);
        continue;
      }
      if (track.status != TrackStatus::tracked) {
        ++lost;
        EXPECT_EQ(track.age, old->second.age);
        EXPECT_EQ(track.position, old->second.position);
        continue;
      }
      EXPECT_EQ(track.age, old->second.age + 1);
      EXPECT_NEAR(position_to_pixels(track.position.x - old->second.position.x), 2, 1);
      const auto history = tracker.history(i);
      EXPECT_EQ(history.size(), static_cast<std::size_t>(std::min(track.age + 1, 4)));
      EXPECT_EQ(history.back(), track.position);
      EXPECT_EQ(history[history.size() - 2], old->second.position);
    }
    // Each of before is still there, or was lost with a reason; none is told of twice.
    for (const auto& [id, track] : before)
      EXPECT_TRUE(std::any_of(tracks.begin(), tracks.end(), [id = id](const Track& t) { return t.id == id; })) << id;
    for (const Track& track : tracks) EXPECT_TRUE(track.age == 0 || before.count(track.id) == 1);
    before = now;
  }
  EXPECT_GT(lost, 3u);  // they leave on the right
}

TEST(PointTracker, RefillsWhenManyAreGone) {
  TrackOptions o = options();
  o.refill = 50;
  PointTracker tracker(Device("reference"), tracker_size, o);
  const Image<std::uint8_t> first = tracker_frame(0);
  tracker.next(first);
  std::size_t least = 30, refills = 0, before = 30;
  for (int index = 1; index < 30; ++index) {
    const Image<std::uint8_t> picture = tracker_frame(index, 4);
    const std::size_t count = living(tracker.next(picture));
    if (count > before) {
      ++refills;
      EXPECT_EQ(count, 30u);
    }
    least = std::min(least, count);
    before = count;
  }
  EXPECT_GE(refills, 1u);
  EXPECT_LT(least, 25u);
  EXPECT_GE(least, 15u);
}

TEST(PointTracker, AddedPointsOnly) {
  TrackOptions o = options();
  o.points = 0;
  PointTracker tracker(Device("reference"), tracker_size, o);
  const std::vector<TrackPosition> points{to_position(30, 30), to_position(60.5, 40.25), to_position(-5, 10)};
  EXPECT_EQ(tracker.add(points), 0u);
  const Image<std::uint8_t> first = tracker_frame(0), second = tracker_frame(1), third = tracker_frame(2);
  auto tracks = tracker.next(first);
  ASSERT_EQ(tracks.size(), 3u);
  EXPECT_EQ(tracks[1].position, points[1]);
  EXPECT_EQ(tracks[1].age, 0);
  tracks = tracker.next(second);
  ASSERT_EQ(tracks.size(), 3u);
  EXPECT_EQ(tracks[2].status, TrackStatus::outside);
  EXPECT_EQ(tracks[2].position, points[2]);
  EXPECT_NEAR(position_to_pixels(tracks[0].position.x), 32, 0.05);
  EXPECT_EQ(tracker.add(std::vector<TrackPosition>{to_position(50, 50)}), 3u);
  tracks = tracker.next(third);
  ASSERT_EQ(tracks.size(), 3u);
  EXPECT_EQ(tracks[2].id, 3u);
  EXPECT_EQ(tracks[2].age, 1);
  EXPECT_NEAR(position_to_pixels(tracks[2].position.x), 52, 0.05);
  EXPECT_NEAR(position_to_pixels(tracks[0].position.x), 34, 0.05);
  EXPECT_ERROR(tracker.history(3), ErrorCode::invalid_argument, "track number 3 of 3");
}

TEST(PointTracker, VelocityLeadsTheSearch) {
  // 12 px a frame with no levels: too far for a search that begins where the point was.
  const auto found = [](TrackGuess guess) {
    TrackOptions o = options();
    o.points = 0;
    o.levels = 0;
    o.window = 15;
    o.guess = guess;
    PointTracker tracker(Device("reference"), tracker_size, o);
    tracker.add(std::vector<TrackPosition>{to_position(20, 45)});
    double x = 0;
    for (const double at : {0.0, 2.0, 6.0, 12.0, 21.0, 33.0}) {
      const Image<std::uint8_t> picture = test::textured<std::uint8_t>(tracker_size, -at, 0);
      const auto tracks = tracker.next(picture);
      x = tracks.empty() || tracks[0].status != TrackStatus::tracked ? -1 : position_to_pixels(tracks[0].position.x);
    }
    return x;
  };
  EXPECT_NEAR(found(TrackGuess::velocity), 53, 0.1);
  EXPECT_GT(std::abs(found(TrackGuess::position) - 53), 1);
}

TEST(PointTracker, TooCloseToAnOlderOne) {
  TrackOptions o = options();
  o.points = 0;
  o.min_separation = 3;
  PointTracker tracker(Device("reference"), tracker_size, o);
  tracker.add(std::vector<TrackPosition>{to_position(40, 40), to_position(70, 40)});
  const Image<std::uint8_t> first = tracker_frame(0), second = tracker_frame(1), third = tracker_frame(2);
  tracker.next(first);
  tracker.add(std::vector<TrackPosition>{to_position(41, 40), to_position(73, 40)});
  const auto tracks = tracker.next(second);
  ASSERT_EQ(tracks.size(), 4u);
  EXPECT_EQ(tracks[0].status, TrackStatus::tracked);
  EXPECT_EQ(tracks[1].status, TrackStatus::tracked);
  EXPECT_EQ(tracks[2].status, TrackStatus::too_close);
  EXPECT_EQ(tracks[2].position, to_position(41, 40));
  EXPECT_EQ(tracks[2].age, 0);
  EXPECT_EQ(tracker.history(2).size(), 1u);
  EXPECT_EQ(tracks[3].status, std::hypot(position_to_pixels(tracks[3].position.x - tracks[1].position.x),
                                         position_to_pixels(tracks[3].position.y - tracks[1].position.y)) < 3
                                  ? TrackStatus::too_close
                                  : TrackStatus::tracked);
  EXPECT_EQ(tracker.next(third)[0].age, 2);
}

TEST(PointTracker, AMaskForNewPoints) {
  TrackOptions o = options();
  o.refill = 100;
  PointTracker tracker(Device("reference"), tracker_size, o);
  Image<std::uint8_t> mask(tracker_size, 0);
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 40; ++x) mask(x, y) = 255;
  tracker.set_mask(mask);
  const Image<std::uint8_t> wrong(10, 10, 0);
  EXPECT_ERROR(tracker.set_mask(wrong), ErrorCode::invalid_argument, "the mask is 10x10");
  mask.fill(255);  // it was copied
  const Image<std::uint8_t> first = tracker_frame(0), second = tracker_frame(1);
  for (const Track& track : tracker.next(first)) EXPECT_LT(track.position.x, 40 * 1024);
  tracker.set_mask({});
  tracker.restart();
  const auto tracks = tracker.next(second);
  EXPECT_EQ(living(tracks), 30u);
  EXPECT_TRUE(std::any_of(tracks.begin(), tracks.end(), [](const Track& t) { return t.position.x > 60 * 1024; }));
}

TEST(PointTracker, FramesThatShowNothing) {
  PointTracker tracker(Device("reference"), tracker_size, options());
  const Image<std::uint8_t> flat(tracker_size, 7), picture = tracker_frame(0);
  EXPECT_TRUE(tracker.next(flat).empty());
  EXPECT_TRUE(tracker.next(flat).empty());
  const std::size_t count = tracker.next(picture).size();
  EXPECT_GT(count, 20u);
  const auto tracks = tracker.next(flat);
  EXPECT_EQ(tracks.size(), count);
  // Their windows had structure; nothing of it is found.
  EXPECT_TRUE(tracker.next(flat).size() <= count);
}

TEST(PointTracker, ARefusedFrameCountsAsNotGiven) {
  TrackOptions o = options();
  PointTracker tracker(Device("reference"), tracker_size, o), other(Device("reference"), tracker_size, o);
  const Image<std::uint8_t> small(20, 20, 0);
  for (int index = 0; index < 4; ++index) {
    const Image<std::uint8_t> picture = tracker_frame(index);
    tracker.next(picture);
    other.next(picture);
    EXPECT_ERROR(tracker.next(small), ErrorCode::invalid_argument, "the frame is 20x20");
  }
  ASSERT_EQ(tracker.tracks().size(), other.tracks().size());
  for (std::size_t i = 0; i < tracker.tracks().size(); ++i) {
    EXPECT_EQ(tracker.tracks()[i].position, other.tracks()[i].position);
    EXPECT_EQ(tracker.tracks()[i].id, other.tracks()[i].id);
  }
}

TEST(PointTracker, RestartsLikeNewButForIds) {
  PointTracker tracker(Device("reference"), tracker_size, options());
  const Image<std::uint8_t> first = tracker_frame(0), second = tracker_frame(1);
  tracker.next(first);
  tracker.next(second);
  tracker.restart();
  EXPECT_TRUE(tracker.tracks().empty());
  PointTracker fresh(Device("reference"), tracker_size, options());
  const auto expected = fresh.next(first);
  const auto tracks = tracker.next(first);
  ASSERT_EQ(tracks.size(), expected.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    EXPECT_EQ(tracks[i].position, expected[i].position);
    EXPECT_GT(tracks[i].id, expected[i].id);
    EXPECT_EQ(tracks[i].age, 0);
  }
  EXPECT_GT(tracker.memory(), fresh.flow().memory() / 2);
}

}  // namespace
}  // namespace vergence
