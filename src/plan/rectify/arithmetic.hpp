// SPDX-License-Identifier: Apache-2.0
// Arithmetic of rectification in double. Only + - * / sqrt floor: what IEEE 754 rounds alike everywhere. The C
// library's sine and arctangent differ in the last bit between systems, and a map must not.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "vergence/rig.hpp"

namespace vergence::rectify {

using Vector3 = std::array<double, 3>;

constexpr double pi = 3.14159265358979323846;

inline double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double length(const Vector3& a) { return std::sqrt(dot(a, a)); }
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vector3 operator*(const Matrix3x3& m, const Vector3& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}
inline Matrix3x3 operator*(const Matrix3x3& a, const Matrix3x3& b) {
  Matrix3x3 product{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      product[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return product;
}
inline Matrix3x3 transposed(const Matrix3x3& m) { return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}; }
/// By cofactors; the matrix has been checked to be regular.
inline Matrix3x3 inverse(const Matrix3x3& m) {
  const Vector3 a{m[0], m[1], m[2]}, b{m[3], m[4], m[5]}, c{m[6], m[7], m[8]};
  const Vector3 first = cross(b, c), second = cross(c, a), third = cross(a, b);
  const double det = dot(a, first);
  return {first[0] / det, second[0] / det, third[0] / det,  first[1] / det, second[1] / det,
          third[1] / det, first[2] / det,  second[2] / det, third[2] / det};
}

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
