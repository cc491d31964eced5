// SPDX-License-Identifier: Apache-2.0
// A tracker whose device is lost at any call goes on elsewhere with the same bits.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "pipeline/lossy_device.hpp"
#include "support/fault_count.hpp"
#include "track/track_pictures.hpp"
#include "vergence/pipeline.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

constexpr Size size{80, 56};
constexpr int frames = 5;

TrackOptions options_of(Depth depth) {
  TrackOptions options;
  options.points = 12;
  options.refill = 100;  // corners are sought in every frame that lost a point
  options.depth = depth;
  return options;
}

/// All tracks of all frames. `prepared`: the frames come prepared by the reference.
template <class P>
std::vector<Track> follow(const Device& device, bool prepared) {
  const TrackOptions options = options_of(sizeof(P) == 1 ? Depth::u8 : Depth::u16);
  PointTracker tracker(device, size, options);
  PointFlow prepares(Device("reference"), size, options);
  PreparedFrame ready;
  std::vector<Track> all;
  for (int i = 0; i < frames; ++i) {
    const Image<P> frame = test::textured<P>(size, 2.5 * i, 1.25 * i, sizeof(P) == 1 ? 255 : 65535);
    std::span<const Track> tracks;
    if (prepared) {
      prepares.push(frame);
      prepares.read(ready);
      tracks = tracker.next(ready);
    } else {
      tracks = tracker.next(frame);
    }
    all.insert(all.end(), tracks.begin(), tracks.end());
  }
  return all;
}

void expect_equal(const std::vector<Track>& got, const std::vector<Track>& expected, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].id, expected[i].id) << what;
    EXPECT_EQ(got[i].position, expected[i].position) << what;
    EXPECT_EQ(got[i].residual, expected[i].residual) << what;
    EXPECT_EQ(got[i].age, expected[i].age) << what;
    EXPECT_EQ(got[i].status, expected[i].status) << what;
  }
}

template <class P>
void lose_at_every_call() {
  for (const bool prepared : {false, true}) {
    const auto counted = std::make_shared<test::Loss>(0);
    const std::vector<Track> expected = follow<P>(test::lossy_device("whole", Device("reference"), counted), prepared);
    ASSERT_GT(counted->calls, 2 * frames - 1);
    ASSERT_GT(expected.size(), 20U);
    for (int call = 1; call <= counted->calls; ++call) {
      const auto loss = std::make_shared<test::Loss>(call);
      std::vector<std::string> reasons;
      const Device device = with_failover(test::lossy_device("lossy", Device("cpu"), loss), Device("cpu"),
                                          [&](const std::string& reason) { reasons.push_back(reason); });
      expect_equal(follow<P>(device, prepared), expected, "lost at call " + std::to_string(call));
      ASSERT_EQ(reasons.size(), 1U);
      EXPECT_NE(reasons[0].find("injected at call " + std::to_string(call)), std::string::npos) << reasons[0];
    }
    test::print_faults("a device lost in a stream", counted->calls, counted->calls);
  }
}

TEST(Failover, GoesOnWithTheSameBits) {
  lose_at_every_call<std::uint8_t>();
  lose_at_every_call<std::uint16_t>();
}

TEST(Failover, ServesOnceAndForLossAlone) {
  const auto first = std::make_shared<test::Loss>(3), second = std::make_shared<test::Loss>(2);
  const Device both = with_failover(test::lossy_device("lossy", Device("cpu"), first),
                                    test::lossy_device("second", Device("cpu"), second));
  EXPECT_ERROR(follow<std::uint8_t>(both, false), ErrorCode::device, "injected at call 2");
  const auto other = std::make_shared<test::Loss>(3, ErrorCode::out_of_memory);
  const Device full = with_failover(test::lossy_device("lossy", Device("cpu"), other), Device("cpu"));
  EXPECT_ERROR(follow<std::uint8_t>(full, false), ErrorCode::out_of_memory, "injected at call 3");
}

}  // namespace
}  // namespace vergence
