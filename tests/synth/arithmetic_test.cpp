// SPDX-License-Identifier: Apache-2.0
// The scene's own sine, rotations and random numbers.
#include "synth/arithmetic.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace vergence::synth {
namespace {

TEST(SynthArithmetic, SineIsTheSine) {
  const double two_pi = 2 * std::acos(-1.0);
  for (int i = -5000; i <= 5000; ++i) {
    const double turns = i / 1711.0;
    EXPECT_NEAR(sine(turns), std::sin(two_pi * turns), 3e-14) << turns;
    EXPECT_NEAR(cosine(turns), std::cos(two_pi * turns), 3e-14) << turns;
  }
  EXPECT_EQ(sine(0), 0);
  EXPECT_EQ(sine(3), 0);
}

TEST(SynthArithmetic, RotationKeepsLengthsAndTurnsTheRightWay) {
  const Vec3 turned = rotation({0, 0, 1}, 0.25) * Vec3{1, 0, 0};
  EXPECT_NEAR(turned.x, 0, 1e-13);
  EXPECT_NEAR(turned.y, 1, 1e-13);
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const Mat3 m = rotation(random.direction(), random.real(-2, 2)) * frame_of(random.direction());
    const Mat3 product = m * transposed(m);
    EXPECT_NEAR(product.x.x, 1, 1e-12);
    EXPECT_NEAR(product.y.y, 1, 1e-12);
    EXPECT_NEAR(product.z.z, 1, 1e-12);
    EXPECT_NEAR(product.x.y, 0, 1e-12);
    EXPECT_NEAR(product.x.z, 0, 1e-12);
    EXPECT_NEAR(product.y.z, 0, 1e-12);
    EXPECT_NEAR(dot(cross(m.x, m.y), m.z), 1, 1e-12);  // no mirror
  }
}

TEST(SynthArithmetic, FrameHasTheGivenAxis) {
  for (const Vec3& axis : {Vec3{0, 1, 0}, Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, -1}, unit({1, -20, 3})}) {
    const Mat3 m = frame_of(axis);
    EXPECT_NEAR(dot(m.z, axis), 1, 1e-15);
    EXPECT_NEAR(dot(m.x, axis), 0, 1e-15);
    EXPECT_NEAR(dot(m.y, axis), 0, 1e-15);
  }
}

TEST(SynthArithmetic, RandomNumbersFillTheirRangeEvenly) {
  Random random(42);
  std::array<int, 10> counts{};
  for (int i = 0; i < 100000; ++i) {
    const double v = random.real(-3, 7);
    ASSERT_GE(v, -3);
    ASSERT_LT(v, 7);
    ++counts[static_cast<std::size_t>(std::floor(v + 3))];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);  // five deviations
  EXPECT_NE(Random(1).bits(), Random(2).bits());
}

}  // namespace
}  // namespace vergence::synth
