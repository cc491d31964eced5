// SPDX-License-Identifier: Apache-2.0
// PointFlow: what it refuses, that views of any stride serve, positions.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/expect_error.hpp"
#include "track/track_pictures.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

constexpr Size flow_size{64, 48};

TEST(TrackPositions, ToAndFromPixels) {
  EXPECT_EQ(to_position(1.5, -2), (TrackPosition{1536, -2048}));
  EXPECT_EQ(to_position(0.5 / 1024, -0.5 / 1024), (TrackPosition{1, 0}));
  EXPECT_EQ(position_to_pixels(1536), 1.5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_ERROR(to_position(nan, 0), ErrorCode::invalid_argument, "position is nan,0 px");
  EXPECT_ERROR(to_position(0, 1e7), ErrorCode::invalid_argument, "both must be numbers");
}

TEST(PointFlow, RefusesWhatDoesNotFit) {
  PointFlow flow(Device("reference"), flow_size);
  const Image<std::uint8_t> frame = test::textured<std::uint8_t>(flow_size, 0, 0);
  const Image<std::uint8_t> small(63, 48, 0);
  const Image<std::uint16_t> words(64, 48, 0);
  const std::vector<TrackPosition> points{to_position(20, 20)};
  std::vector<TrackedPoint> found(1);
  EXPECT_ERROR(flow.track(points, found), ErrorCode::invalid_argument, "track was called after 0 frames");
  EXPECT_ERROR(flow.corners(5), ErrorCode::invalid_argument, "before the first frame");
  EXPECT_ERROR(flow.push(small), ErrorCode::invalid_argument, "the frame is 63x48");
  EXPECT_ERROR(flow.push(ImageView<const std::uint8_t>()), ErrorCode::invalid_argument, "the frame");
  EXPECT_ERROR(flow.push(words), ErrorCode::invalid_argument,
               "the frame has 16-bit pixels, but option pixel-depth is u8");
  EXPECT_EQ(flow.frames(), 0);
  flow.push(frame);
  EXPECT_ERROR(flow.track(points, found), ErrorCode::invalid_argument, "track was called after 1 frames");
  EXPECT_ERROR(flow.corners(5, {}, small), ErrorCode::invalid_argument, "the mask is 63x48");
  EXPECT_TRUE(flow.corners(0).empty());
  flow.push(frame);
  found.resize(2);
  EXPECT_ERROR(flow.track(points, found), ErrorCode::invalid_argument, "there are 1 points, but 2 places");
  found.resize(1);
  EXPECT_ERROR(flow.track(points, found, std::vector<TrackPosition>(3)), ErrorCode::invalid_argument, "3 guesses");
  flow.track({}, {});
  flow.track(points, found);
  flow.restart();
  EXPECT_ERROR(flow.track(points, found), ErrorCode::invalid_argument, "track was called after 0 frames");
}

TEST(PointFlow, RefusesPixelsThatAreTooLarge) {
  TrackOptions o = test::unchecked();
  o.depth = Depth::u16;
  o.max_value = 1023;
  PointFlow flow(Device("reference"), flow_size, o);
  Image<std::uint16_t> frame(flow_size, 1023);
  flow.push(frame);
  frame(5, 7) = 1024;
  EXPECT_ERROR(flow.push(frame), ErrorCode::invalid_argument, "1024");
  EXPECT_EQ(flow.frames(), 1);
}

TEST(PointFlow, DevicesWithoutTracksSaySo) {
  for (const DeviceInfo& device : Device::list()) {
    if (!device.available || device.kind == "reference") continue;
    try {
      PointFlow(Device(device.name), flow_size);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
    }
  }
}

TEST(PointFlow, ViewsOfAnyStrideServe) {
  const Image<std::uint8_t> wide = test::textured<std::uint8_t>({100, 90}, 0, 0);
  const ImageView<const std::uint8_t> previous = wide.view().crop({10, 5, 64, 48});
  const ImageView<const std::uint8_t> current = wide.view().crop({12, 4, 64, 48});
  Image<std::uint8_t> a(flow_size), b(flow_size);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      a(x, y) = previous(x, y);
      b(x, y) = current(x, y);
    }
  const auto points = test::raster(flow_size, 7, 10);
  const auto found = test::follow(previous, current, points, test::unchecked());
  EXPECT_EQ(found, test::follow(a, b, points, test::unchecked()));
  EXPECT_NEAR(position_to_pixels(found[10].position.x - points[10].x), -2, 0.02);
  EXPECT_NEAR(position_to_pixels(found[10].position.y - points[10].y), 1, 0.02);
}

TEST(PointFlow, KnowsItself) {
  TrackOptions o = test::unchecked();
  o.levels = 2;
  PointFlow flow(Device("reference"), {100, 80}, o);
  EXPECT_EQ(flow.size(), (Size{100, 80}));
  EXPECT_EQ(flow.options(), o);
  EXPECT_EQ(flow.levels(), 1);  // 50x40; 25x20 is no larger than the window
  EXPECT_GE(flow.memory(), std::size_t{2 * 5 * 100 * 80});
}

}  // namespace
}  // namespace vergence
