// SPDX-License-Identifier: Apache-2.0
// Products of small matrices, and rigs that follow from them.
#pragma once

#include <array>
#include <string>

#include "vergence/rig.hpp"

namespace vergence::io::rig {

using Vector3 = std::array<double, 3>;

inline Matrix3x3 transposed(const Matrix3x3& m) { return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}; }

inline Vector3 applied(const Matrix3x3& m, const Vector3& x) {
  return {m[0] * x[0] + m[1] * x[1] + m[2] * x[2], m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
          m[6] * x[0] + m[7] * x[1] + m[8] * x[2]};
}

inline Matrix3x3 product(const Matrix3x3& a, const Matrix3x3& b) {
  Matrix3x3 result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      result[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return result;
}

inline Vector3 difference(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// Whether it is [fx 0 cx tx; 0 fy cy ty; 0 0 1 tz] with focal lengths above 0.
inline bool is_projection(const Matrix3x4& p) {
  return p[0] > 0 && p[5] > 0 && p[1] == 0 && p[4] == 0 && p[8] == 0 && p[9] == 0 && p[10] == 1;
}

/// t of such a matrix K [I | t].
inline Vector3 origin(const Matrix3x4& p) {
  return {(p[3] - p[2] * p[11]) / p[0], (p[7] - p[6] * p[11]) / p[5], p[11]};
}

inline Camera projecting_camera(const Matrix3x4& p, Size size) {
  Camera camera;
  camera.size = size;
  camera.fx = p[0];
  camera.fy = p[5];
  camera.cx = p[2];
  camera.cy = p[6];
  return camera;
}

/// The rig that rectified pictures are taken with.
inline StereoRig rectified_pair(const Matrix3x4& p1, const Matrix3x4& p2, Size size) {
  StereoRig rig;
  rig.left = projecting_camera(p1, size);
  rig.right = projecting_camera(p2, size);
  rig.translation = difference(origin(p2), origin(p1));
  rig.rectified = RigRectification{};
  rig.rectified->p1 = p1;
  rig.rectified->p2 = p2;
  rig.rectified->size = size;
  return rig;
}

}  // namespace vergence::io::rig
