// SPDX-License-Identifier: Apache-2.0
// PointTracker::state and resume: another tracker goes on as the first one would have, on every device.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "track/track_pictures.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

constexpr Size resume_size{120, 90};

const Image<std::uint8_t>& resume_frame(int index) {
  static std::map<int, Image<std::uint8_t>> frames;
  Image<std::uint8_t>& one = frames[index];
  if (one.empty()) one = test::textured<std::uint8_t>(resume_size, -2.0 * index - 0.2 * index * index, 0.7 * index);
  return one;
}

std::vector<TrackOptions> all_options() {
  TrackOptions plain;
  plain.points = 30;
  plain.min_distance = 8;
  plain.window = 11;
  TrackOptions strict = track_preset("strict").options;
  strict.points = 40;
  strict.window = 13;
  strict.levels = 1;
  strict.refill = 100;
  strict.history = 3;
  return {plain, strict};
}

void expect_equal(std::span<const Track> expected, std::span<const Track> got, const std::string& where) {
  ASSERT_EQ(expected.size(), got.size()) << where;
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(expected[i].id, got[i].id) << where;
    EXPECT_EQ(expected[i].position, got[i].position) << where;
    EXPECT_EQ(expected[i].status, got[i].status) << where;
    EXPECT_EQ(expected[i].age, got[i].age) << where;
    EXPECT_EQ(expected[i].residual, got[i].residual) << where;
    EXPECT_EQ(expected[i].way_back, got[i].way_back) << where;
  }
}

TEST(TrackResume, GoesOnAsTheFirstTrackerWouldHave) {
  for (const TrackOptions& options : all_options())
    for (const bool prepared : {false, true}) {
      PointTracker whole(Device("reference"), resume_size, options);
      PointTracker other(Device("cpu"), resume_size, options);
      for (int index = 0; index < 5; ++index) whole.next(resume_frame(index));
      const TrackerState state = whole.state();
      EXPECT_EQ(state.next_id, whole.tracks().back().id + 1);
      // What the other one knew is dropped.
      other.next(resume_frame(9));
      if (prepared) {
        PreparedFrame planes;
        whole.flow().read(planes);
        other.resume(planes, state);
      } else {
        other.resume(resume_frame(4), state);
      }
      EXPECT_EQ(other.state().tracks, state.tracks);
      EXPECT_EQ(other.state().next_id, state.next_id);
      std::size_t i = 0;
      for (const Track& track : whole.tracks()) {
        if (track.status != TrackStatus::tracked) continue;
        EXPECT_EQ(other.tracks()[i].id, track.id);
        EXPECT_EQ(other.tracks()[i].age, track.age);
        EXPECT_EQ(other.history(i).back(), track.position);
        ++i;
      }
      EXPECT_EQ(other.tracks().size(), i);
      std::size_t lost = 0;
      for (int index = 5; index < 11; ++index) {
        const auto expected = whole.next(resume_frame(index));
        expect_equal(expected, other.next(resume_frame(index)), "frame " + std::to_string(index));
        for (const Track& track : expected) lost += track.status == TrackStatus::tracked ? 0 : 1;
      }
      EXPECT_GT(lost, 2u);
    }
}

TEST(TrackResume, FromNothing) {
  PointTracker tracker(Device("cpu"), resume_size, all_options()[0]),
      fresh(Device("cpu"), resume_size, all_options()[0]);
  EXPECT_TRUE(tracker.state().tracks.empty());
  EXPECT_EQ(tracker.state().next_id, 0u);
  EXPECT_TRUE(tracker.resume(resume_frame(0), {{}, 7}).empty());
  fresh.next(resume_frame(1));
  const auto tracks = tracker.next(resume_frame(1));
  ASSERT_EQ(tracks.size(), fresh.tracks().size());
  EXPECT_EQ(tracks[0].id, 7u);
  EXPECT_EQ(tracks[0].position, fresh.tracks()[0].position);
}

TEST(TrackResume, BadStatesAreRefusedAndChangeNothing) {
  PointTracker tracker(Device("reference"), resume_size, all_options()[0]);
  tracker.next(resume_frame(0));
  const std::vector<Track> before(tracker.tracks().begin(), tracker.tracks().end());
  const auto refused = [&](const TrackerState& state, const char* what) {
    EXPECT_ERROR(tracker.resume(resume_frame(1), state), ErrorCode::invalid_argument, what);
  };
  const TrackPosition at{40 * 1024, 30 * 1024};
  constexpr std::int32_t far = 1 << 29, least = std::numeric_limits<std::int32_t>::min();
  refused({{{3, at, at, 0}, {3, at, at, 0}}, 9}, "track 3 follows track 3: ids must ascend");
  refused({{{3, at, at, 0}, {2, at, at, 0}}, 9}, "track 2 follows track 3");
  refused({{{9, at, at, 0}}, 9}, "track 9 is not below next_id, which is 9");
  refused({{{3, at, at, -1}}, 9}, "track 3 has the age -1");
  refused({{{3, {far, 0}, at, 1}}, 9}, "track 3 lies at 536870912");
  refused({{{3, at, {0, least}, 1}}, 9}, "track 3 lies at -2147483648");
  const Image<std::uint8_t> small(20, 20, 0);
  EXPECT_ERROR(tracker.resume(small, {{{3, at, at, 0}}, 9}), ErrorCode::invalid_argument, "the frame is 20x20");
  expect_equal(before, tracker.tracks(), "after refusals");
  // The farthest ones that are allowed are lost like others.
  TrackerState state{{{3, {far - 1, 1 - far}, {1 - far, far - 1}, 1}}, 9};
  TrackOptions options = all_options()[1];
  PointTracker velocity(Device("cpu"), resume_size, options);
  velocity.resume(resume_frame(1), state);
  EXPECT_EQ(velocity.next(resume_frame(2))[0].status, TrackStatus::outside);
}

}  // namespace
}  // namespace vergence
