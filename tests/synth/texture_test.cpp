// SPDX-License-Identifier: Apache-2.0
// Textures: they vary where a pixel can sample them, and end where it could not.
#include "synth/texture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace vergence::synth {
namespace {

double brightness(const Material& m, const Vec3& p, double footprint) {
  const Color c = shade(m, p, footprint).color;
  return (c.x + c.y + c.z) / 3;
}

/// Root mean square of the brightness' change over `step`, and its deviation, along random lines.
struct Spread {
  double change = 0;
  double deviation = 0;
};
Spread spread(const Material& m, double step, double footprint) {
  Random random(5);
  constexpr int count = 4000;
  double change = 0;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const Vec3 p{random.real(-20, 20), random.real(-20, 20), 0};
    const double here = brightness(m, p, footprint);
    const double there = brightness(m, p + Vec3{step, 0, 0}, footprint);
    change += (here - there) * (here - there);
    sum += here;
    squares += here * here;
  }
  const double mean = sum / count;
  return {std::sqrt(change / count), std::sqrt(std::max(squares / count - mean * mean, 0.0))};
}

Material of(Pattern pattern) {
  Material m;
  m.pattern = pattern;
  m.seed = 99;
  m.roughness = 0.85;
  m.turn = rotation(unit({1, 2, 3}), 0.123);
  m.cell = 0.5;
  m.cell_y = 0.4;
  return m;
}

TEST(SynthTexture, NoiseIsRichAndBandLimited) {
  for (const Pattern pattern : {Pattern::grain, Pattern::blotch, Pattern::rings}) {
    SCOPED_TRACE(static_cast<int>(pattern));
    const Material m = of(pattern);
    for (const double footprint : {0.2, 0.02, 0.002}) {
      const Spread s = spread(m, footprint, footprint);
      EXPECT_GT(s.deviation, 12) << footprint;
      EXPECT_GT(s.change, 1.5) << footprint;                 // something differs between neighbouring pixels
      EXPECT_LT(s.change, 0.75 * s.deviation) << footprint;  // independent pixels would have 1.41 times
    }
    EXPECT_LT(spread(m, 1, 10.0).deviation, 1e-5);  // pixels larger than the coarsest octave see one colour
  }
}

TEST(SynthTexture, ContinuousInPlaceAndFootprint) {
  const Material m = of(Pattern::grain);
  Random random(11);
  for (int i = 0; i < 500; ++i) {
    const Vec3 p{random.real(-9, 9), random.real(-9, 9), random.real(-9, 9)};
    const double footprint = random.real(0.005, 0.5);
    const double here = brightness(m, p, footprint);
    EXPECT_NEAR(brightness(m, p + Vec3{1e-9, -1e-9, 1e-9}, footprint), here, 1e-4);
    EXPECT_NEAR(brightness(m, p, footprint * (1 + 1e-9)), here, 1e-4);
  }
}

TEST(SynthTexture, RegularPatternsRepeat) {
  Material checks = of(Pattern::checker);
  checks.region = Region::repetitive;
  const Material stripes = of(Pattern::stripes);
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p{random.real(-3, 3), random.real(-3, 3), 0};
    EXPECT_NEAR(brightness(checks, p, 0.03), brightness(checks, p + Vec3{1.0, 0.8, 0}, 0.03), 1e-9);
    EXPECT_NEAR(brightness(stripes, p, 0.03), brightness(stripes, p + Vec3{1.0, 0.123, 0}, 0.03), 1e-9);
  }
  // The middles of neighbouring checks have the two colours.
  EXPECT_EQ(shade(checks, {0.5, 0.4, 0}, 0.01).color.x, checks.b.x);
  EXPECT_EQ(shade(checks, {1.0, 0.4, 0}, 0.01).color.x, checks.a.x);
  EXPECT_EQ(shade(checks, {1.0, 0.4, 0}, 0.01).region, Region::repetitive);
  // Checks far below the size of a pixel are nearly grey.
  EXPECT_NEAR(brightness(checks, {0.5, 0.4, 0}, 20), brightness(checks, {1.0, 0.4, 0}, 20), 2.0);
}

TEST(SynthTexture, FlatIsFlatInsideItsFrame) {
  const Material m = of(Pattern::framed);
  for (const double x : {-0.49, 0.0, 0.3}) {
    const Shade inside = shade(m, {x, 0.39, 0}, 0.001);
    EXPECT_EQ(inside.region, Region::flat);
    EXPECT_EQ(inside.color.y, m.c.y);
  }
  EXPECT_EQ(shade(m, {0.51, 0, 0}, 0.001).region, Region::textured);
  EXPECT_NE(shade(m, {0.51, 0, 0}, 0.001).color.y, shade(m, {0.53, 0.01, 0}, 0.001).color.y);
}

TEST(SynthTexture, BricksDiffer) {
  const Material m = of(Pattern::bricks);
  double low = 255;
  double high = 0;
  for (int i = 0; i < 40; ++i) {
    const double b = brightness(m, {0.5 * i + 0.25, 0.2, 0}, 10.0);  // so coarse that only bricks are left
    low = std::min(low, b);
    high = std::max(high, b);
  }
  EXPECT_GT(high - low, 1);
}

}  // namespace
}  // namespace vergence::synth
