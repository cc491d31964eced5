// SPDX-License-Identifier: Apache-2.0
// Arithmetic of rectification in double. Only + - * / sqrt floor: what IEEE 754 rounds alike everywhere. The C
// library's sine and arctangent differ in the last bit between systems, and a map must not.
#pragma once

#include <array>
#include <cmath>

#include "core/matrix.hpp"

namespace vergence::rectify {

using namespace matrix;

constexpr double pi = 3.14159265358979323846;

/// To 1e-15, for angles up to some turns.
inline double sine(double angle) {
  double t = angle / (2 * pi);
  t = t - std::floor(t + 0.5);  // turns, -0.5 .. 0.5
  if (t > 0.25) t = 0.5 - t;
  if (t < -0.25) t = -0.5 - t;
  const double a = 2 * pi * t, q = a * a;
  double sum = 1;  // Taylor's series from its smallest term
  for (int k = 22; k >= 2; k -= 2) sum = 1 - q / (k * (k + 1)) * sum;
  return a * sum;
}
inline double cosine(double angle) { return sine(angle + pi / 2); }

/// To 1e-15, for t >= 0: above 1 by the reciprocal, then two halvings of the angle and the series below 0.2.
inline double arctangent(double t) {
  if (t > 1) return pi / 2 - arctangent(1 / t);
  double half = t / (1 + std::sqrt(1 + t * t));
  half = half / (1 + std::sqrt(1 + half * half));
  const double q = half * half;
  double sum = 0;
  for (int k = 25; k >= 1; k -= 2) sum = 1.0 / k - q * sum;
  return 4 * (half * sum);
}

/// A unit quaternion w + x i + y j + z k.
using Quaternion = std::array<double, 4>;

inline Quaternion unit(const Quaternion& q) {
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
}
inline Matrix3x3 rotation_of(const Quaternion& q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}
/// With w >= 0; from the largest of the four, so that no small number is divided by.
inline Quaternion quaternion_of(const Matrix3x3& r) {
  const double trace = r[0] + r[4] + r[8];
  Quaternion q{1 + trace, r[7] - r[5], r[2] - r[6], r[3] - r[1]};
  if (trace <= r[0] && r[0] >= r[4] && r[0] >= r[8])
    q = {r[7] - r[5], 1 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6]};
  else if (trace <= r[4] && r[4] >= r[8])
    q = {r[2] - r[6], r[1] + r[3], 1 + r[4] - r[0] - r[8], r[5] + r[7]};
  else if (trace <= r[8])
    q = {r[3] - r[1], r[2] + r[6], r[5] + r[7], 1 + r[8] - r[0] - r[4]};
  if (q[0] < 0) q = {-q[0], -q[1], -q[2], -q[3]};
  return unit(q);
}
/// The rotation about the same axis by half the angle.
inline Quaternion half_of(const Quaternion& q) { return unit({1 + q[0], q[1], q[2], q[3]}); }
/// The shortest rotation that turns unit vector a into b, which is not -a.
inline Quaternion turn(const Vector3& a, const Vector3& b) {
  const Vector3 axis = cross(a, b);
  return unit({1 + dot(a, b), axis[0], axis[1], axis[2]});
}

}  // namespace vergence::rectify
