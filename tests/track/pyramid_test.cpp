// SPDX-License-Identifier: Apache-2.0
// Levels by hand: impulses, edges, odd sides, deep pixels.
#include <gtest/gtest.h>

#include "plan/track/frame.hpp"
#include "reference/track/stages.hpp"

namespace vergence {
namespace {

template <class P>
TrackFrame<P> make(ImageView<const P> picture, TrackOptions options) {
  options.window = 3;
  const TrackPlan plan = make_track_plan(picture.size(), options);
  TrackFrame<P> frame(plan);
  reference::pyramid(plan, picture, frame);
  return frame;
}

TEST(TrackPyramid, AnImpulseMeetsTheWeights) {
  Image<std::uint8_t> picture(16, 16, 0);
  picture(6, 8) = 255;
  TrackOptions options;
  options.levels = 1;
  const auto frame = make<std::uint8_t>(picture, options);
  ASSERT_EQ(frame.pictures.size(), 2u);
  const Image<std::uint8_t>& half = frame.pictures[1];
  ASSERT_EQ(half.size(), (Size{8, 8}));
  EXPECT_EQ(half(3, 4), 36);  // 255 x 36 / 256 = 35.86
  EXPECT_EQ(half(2, 4), 6);   // 255 x 6 / 256 = 5.98
  EXPECT_EQ(half(3, 3), 6);
  EXPECT_EQ(half(4, 5), 1);  // 0.996
  EXPECT_EQ(half(1, 4), 0);
  // One rounding after both directions: (255 x 4 + 128) >> 8 beside an odd place.
  Image<std::uint8_t> odd(16, 16, 0);
  odd(7, 9) = 255;
  const auto other = make<std::uint8_t>(odd, options);
  EXPECT_EQ(other.pictures[1](3, 4), 16);  // 255 x 16 / 256 = 15.94
  EXPECT_EQ(other.pictures[1](4, 5), 16);
}

TEST(TrackPyramid, EdgesAreMirroredWithoutTheFirstPixel) {
  // Columns 10, 20, 30, ...: at the left, 6 x 10 + 8 x 20 + 2 x 30 = 280 of 16.
  Image<std::uint8_t> picture(9, 9);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 9; ++x) picture(x, y) = static_cast<std::uint8_t>(10 + 10 * x);
  TrackOptions options;
  options.levels = 1;
  const auto frame = make<std::uint8_t>(picture, options);
  ASSERT_EQ(frame.pictures[1].size(), (Size{5, 5}));
  EXPECT_EQ(frame.pictures[1](0, 2), 18);  // 17.5, halves up
  EXPECT_EQ(frame.pictures[1](1, 0), 30);
  EXPECT_EQ(frame.pictures[1](2, 4), 50);
  EXPECT_EQ(frame.pictures[1](4, 1), 83);  // 6 x 90 + 8 x 80 + 2 x 70 = 1320 of 16: 82.5
}

TEST(TrackPyramid, DeepPixelsKeepTwelveBits) {
  Image<std::uint16_t> picture(8, 8, 65535);
  picture(3, 3) = 16;
  TrackOptions options;
  options.levels = 1;
  options.depth = Depth::u16;
  auto frame = make<std::uint16_t>(picture, options);
  EXPECT_EQ(frame.pictures[0](0, 0), 4095);
  EXPECT_EQ(frame.pictures[0](3, 3), 1);
  EXPECT_EQ(frame.pictures[1](0, 0), 4095);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) picture(x, y) = 1023;
  options.max_value = 1023;
  frame = make<std::uint16_t>(picture, options);
  EXPECT_EQ(frame.pictures[0](5, 5), 1023);
  EXPECT_EQ(frame.pictures[1](2, 2), 1023);
}

TEST(TrackPyramid, LevelsNoLargerThanTheWindowAreLeftOut) {
  TrackOptions options;
  options.window = 21;
  options.levels = 8;
  EXPECT_EQ(make_track_plan({640, 480}, options).levels.size(), 5u);  // 40x30 is the last, 20x15 is too small
  EXPECT_EQ(make_track_plan({43, 43}, options).levels.size(), 2u);    // 22x22
  EXPECT_EQ(make_track_plan({42, 43}, options).levels.size(), 1u);    // 21x22
  EXPECT_EQ(PointFlow(Device("reference"), {42, 43}, options).levels(), 0);
}

}  // namespace
}  // namespace vergence
