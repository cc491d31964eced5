// SPDX-License-Identifier: Apache-2.0
// Vectors and matrices of three dimensions in double. Only + - * / sqrt in the written order: what IEEE 754 rounds
// alike everywhere.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "vergence/rig.hpp"

namespace vergence::matrix {

using Vector3 = std::array<double, 3>;

inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
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

/// The rotation by a small vector, whose direction is the axis and whose length the angle: off by a twelfth of its
/// cube.
inline Matrix3x3 rotation_by(const Vector3& vector) {
  const double a = vector[0] * 0.5, b = vector[1] * 0.5, c = vector[2] * 0.5;
  const double norm = std::sqrt(1 + (a * a + b * b + c * c));
  const double w = 1 / norm, x = a / norm, y = b / norm, z = c / norm;
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

/// t of a projection K [I | t], for a K whose last row is 0 0 1.
inline Vector3 origin_of(const Matrix3x4& p) {
  const double y = (p[7] - p[6] * p[11]) / p[5];
  return {(p[3] - p[1] * y - p[2] * p[11]) / p[0], y, p[11]};
}

}  // namespace vergence::matrix
