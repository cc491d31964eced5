// SPDX-License-Identifier: Apache-2.0
// The reference's sampling by hand and beside doubles, and StereoRectifier.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "core/random.hpp"
#include "definitions/rectify/bilinear.h"
#include "reference/rectify/stages.hpp"
#include "vergence/rectify.hpp"

namespace vergence {
namespace {

rectify::SourceMap one_place(int x, int y) {
  rectify::SourceMap map{Image<std::int32_t>({1, 1}, x), Image<std::int32_t>({1, 1}, y), {2, 2}};
  return map;
}

int sample(int x, int y) {
  Image<std::uint8_t> picture({2, 2}, 0), out({1, 1}, 0);
  picture(0, 0) = 10;
  picture(1, 0) = 20;
  picture(0, 1) = 50;
  picture(1, 1) = 100;
  reference::remap<std::uint8_t>(one_place(x, y), picture, out, 255);
  return out(0, 0);
}

TEST(Remap, SamplesByHand) {
  EXPECT_EQ(sample(0, 0), 10);
  EXPECT_EQ(sample(1024, 0), 20);
  EXPECT_EQ(sample(0, 1024), 50);
  EXPECT_EQ(sample(1024, 1024), 100);
  EXPECT_EQ(sample(512, 0), 15);
  EXPECT_EQ(sample(0, 256), 20);
  EXPECT_EQ(sample(512, 512), 45);
  EXPECT_EQ(sample(51, 0), 10);     // 10.498
  EXPECT_EQ(sample(52, 0), 11);     // 10.508
  EXPECT_EQ(sample(~1024, 0), 20);  // without source: the nearest pixel
}

/// Weights are rounded to 14 bits, three of them by half a step, the fourth by what they leave.
TEST(Remap, IsWithinTheWeightsErrorOfDoubles) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const int x = random.within(0, 1023), y = random.within(0, 1023), largest = i % 2 == 0 ? 255 : 65535;
    int taps[4];
    for (int& tap : taps) tap = random.once_in(3) ? largest * random.within(0, 1) : random.within(0, largest);
    const double u = x / 1024.0, v = y / 1024.0;
    const double exact = (1 - v) * ((1 - u) * taps[0] + u * taps[1]) + v * ((1 - u) * taps[2] + u * taps[3]);
    const int got = definitions::bilinear(taps[0], taps[1], taps[2], taps[3], x, y, largest);
    ASSERT_LE(std::abs(got - exact), 0.5 + largest * 1.5 / 16384) << "case " << i;
    ASSERT_TRUE(got >= 0 && got <= largest);
  }
}

TEST(Remap, StaysWithinTheRangeOfValues) {
  int least = 0;
  for (int x = 0; x < 1024; ++x)
    for (int y = 0; y < 1024; ++y) least = std::min(least, definitions::weight_both(x, y));
  EXPECT_EQ(least, -1);
  for (int x = 0; x < 1024; ++x)
    for (int y = 0; y < 1024; ++y)
      if (definitions::weight_both(x, y) < 0) {
        ASSERT_EQ(definitions::bilinear(65535, 65535, 65535, 0, x, y, 65535), 65535);
        ASSERT_EQ(definitions::bilinear(0, 0, 0, 65535, x, y, 65535), 0);
        ASSERT_EQ(definitions::bilinear(255, 255, 255, 0, x, y, 65535), 255);  // bytes need no limit
        ASSERT_EQ((-255 + 8192) >> 14, 0);
      }
}

StereoRig remap_rig() {
  StereoRig rig;
  rig.left = rig.right = {{64, 48}, 50, 50, 31.5, 23.5, LensModel::pinhole, {}};
  rig.translation = {-0.1, 0, 0};
  return rig;
}

TEST(StereoRectifier, CopiesWhatIsRectified) {
  const Image<std::uint8_t> left = test::noise<std::uint8_t>({64, 48}, 1, 255);
  const Image<std::uint8_t> right = test::noise<std::uint8_t>({64, 48}, 2, 255);
  StereoRectifier rectifier(Device("reference"), remap_rig());
  Image<std::uint8_t> left_out(rectifier.size()), right_out(rectifier.size());
  rectifier.rectify(left, right, left_out, right_out);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      ASSERT_EQ(left_out(x, y), left(x, y));
      ASSERT_EQ(right_out(x, y), right(x, y));
      ASSERT_EQ(rectifier.left_mask()(x, y), 1);
      ASSERT_EQ(rectifier.right_mask()(x, y), 1);
    }
}

/// Half the focal length: 32x24 px in the middle have a source; about them the picture's edge goes on.
TEST(StereoRectifier, ContinuesTheEdgeAndMasksIt) {
  const Image<std::uint16_t> flat({64, 48}, std::uint16_t{700});
  StereoRectifier rectifier(Device("cpu"), remap_rig(), {.focal_px = 25});
  Image<std::uint16_t> left(rectifier.size()), right(rectifier.size());
  rectifier.rectify(flat, flat, left, right);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      ASSERT_EQ(left(x, y), 700);
      ASSERT_EQ(rectifier.left_mask()(x, y), x >= 16 && x < 48 && y >= 12 && y < 36 ? 1 : 0) << x << " " << y;
    }
}

TEST(StereoRectifier, RefusesByName) {
  StereoRectifier rectifier(Device("reference"), remap_rig());
  const Image<std::uint8_t> small({63, 48}, 0), good({64, 48}, 0);
  const Image<std::uint16_t> wide({64, 48}, 0);
  Image<std::uint8_t> out({64, 48}, 0), other({64, 48}, 0), narrow({60, 48}, 0);
  EXPECT_ERROR(rectifier.rectify(small, good, out, other), ErrorCode::invalid_argument, "the left picture");
  EXPECT_ERROR(rectifier.rectify(good, wide, out, other), ErrorCode::invalid_argument, "the right picture has pixels");
  EXPECT_ERROR(rectifier.rectify(good, good, out, out), ErrorCode::invalid_argument, "the rectified right picture");
  EXPECT_ERROR(rectifier.rectify_left(good, narrow), ErrorCode::invalid_argument, "the rectified left picture");
  EXPECT_ERROR(rectifier.rectify_right(wide, out), ErrorCode::invalid_argument, "the rectified right picture has");
  EXPECT_ERROR(rectifier.rectify_left(good, {}), ErrorCode::invalid_argument, "the rectified left picture");
}

}  // namespace
}  // namespace vergence
