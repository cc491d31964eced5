// SPDX-License-Identifier: Apache-2.0
// Contacts of rays with each form, against its equation and a fine walk along the ray.
#include "synth/shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace vergence::synth {
namespace {

constexpr double two_pi = 6.283185307179586;

/// Negative inside solid forms; for the wave, the height above the surface. Independent of the code under test.
double equation(const Shape& shape, const Vec3& p) {
  const Vec3& s = shape.size;
  switch (shape.form) {
    case Form::ball:
      return std::hypot(p.x / s.x, p.y / s.y, p.z / s.z) - 1;
    case Form::cylinder:
      return std::max(std::hypot(p.x, p.z) - s.x, std::abs(p.y) - s.y);
    case Form::rod:
      return std::hypot(p.x, p.y - std::clamp(p.y, -s.y, s.y), p.z) - s.x;
    case Form::box:
      return std::max({std::abs(p.x) - s.x, std::abs(p.y) - s.y, std::abs(p.z) - s.z});
    case Form::wave: {
      const double k = two_pi / shape.wave_length;
      return p.z - s.z * (0.7 * std::sin(k * p.x) + 0.3 * std::sin(k * (0.31 * p.x + 0.53 * p.y)));
    }
    default:
      return p.z;
  }
}

bool within(const Shape& shape, const Vec3& p) {
  const Vec3& s = shape.size;
  if (shape.form == Form::disc) return std::hypot(p.x / s.x, p.y / s.y) <= 1;
  if (shape.form == Form::panel || shape.form == Form::wave) return std::abs(p.x) <= s.x && std::abs(p.y) <= s.y;
  return true;
}

/// The first change of sign along the ray, to about 1e-3; negative where there is none.
double walk(const Shape& shape, const Ray& ray, double to) {
  constexpr double step = 1e-3;
  double before = equation(shape, ray.origin);
  for (double t = step; t < to; t += step) {
    const Vec3 p = ray.origin + ray.direction * t;
    const double now = equation(shape, p);
    if ((now < 0) != (before < 0) && within(shape, p)) return t;
    before = now;
  }
  return -1;
}

class Forms : public testing::TestWithParam<Shape> {};

TEST_P(Forms, RaysMeetTheFirstContact) {
  const Shape shape = GetParam();
  Random random(20250101);
  int met = 0;
  int missed = 0;
  int doubtful = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec3 origin = random.direction() * 4.0;
    const Vec3 target = random.direction() * random.real(0, 1.3);
    const Ray ray{origin, (target - origin) * 0.5};
    Contact contact;
    const bool found = meet(shape, ray, 0, 4, contact);
    const double expected = walk(shape, ray, 4);
    if (found != (expected > 0) || (found && std::abs(contact.t - expected) > 2e-3)) {
      ++doubtful;  // grazing rays that the walk steps over
      continue;
    }
    if (!found) {
      ++missed;
      continue;
    }
    ++met;
    const Vec3 p = origin + ray.direction * contact.t;
    EXPECT_NEAR(equation(shape, p), 0, 1e-12);
    EXPECT_NEAR(dot(contact.normal, contact.normal), 1, 1e-12);
    // The normal is where the equation changes fastest: nothing changes at right angles to it.
    const Vec3 along = frame_of(contact.normal).x * 1e-6;
    const Vec3 out = contact.normal * 1e-6;
    const double slope = std::abs(equation(shape, p + out) - equation(shape, p - out));
    EXPECT_GT(slope, 0.5e-6);
    EXPECT_LT(std::abs(equation(shape, p + along) - equation(shape, p - along)), 1e-3 * slope);
    // Nothing before `from` or after `to`.
    Contact other;
    EXPECT_FALSE(meet(shape, ray, 0, contact.t * (1 - 1e-12), other));
    if (meet(shape, ray, contact.t * (1 + 1e-9), 4, other)) {
      EXPECT_GT(other.t, contact.t);
    }
    const Vec3 half = half_extent(shape);
    if (shape.form == Form::plane) continue;
    EXPECT_LE(std::abs(p.x), half.x * (1 + 1e-12));
    EXPECT_LE(std::abs(p.y), half.y * (1 + 1e-12));
    EXPECT_LE(std::abs(p.z), half.z * (1 + 1e-12) + 1e-12);
  }
  EXPECT_GT(met, 40);
  if (shape.form != Form::plane) {
    EXPECT_GT(missed, 20);
  }
  EXPECT_LE(doubtful, 4);
}

INSTANTIATE_TEST_SUITE_P(All, Forms,
                         testing::Values(Shape{Form::plane, {}, 1}, Shape{Form::panel, {0.8, 0.6, 0}, 1},
                                         Shape{Form::disc, {0.9, 0.6, 0}, 1}, Shape{Form::ball, {0.8, 0.5, 1.0}, 1},
                                         Shape{Form::cylinder, {0.6, 0.7, 0}, 1}, Shape{Form::rod, {0.4, 0.6, 0}, 1},
                                         Shape{Form::box, {0.5, 0.7, 0.6}, 1}, Shape{Form::wave, {0.9, 0.8, 0.1}, 0.9},
                                         Shape{Form::wave, {0.9, 0.8, 0.02}, 0.9}),
                         [](const auto& i) { return "form" + std::to_string(i.index); });

}  // namespace
}  // namespace vergence::synth
