// SPDX-License-Identifier: Apache-2.0
// Small turns of a camera for tests, by the C library's sine and cosine: nothing of what is tested.
#pragma once

#include <array>
#include <cmath>

#include "vergence/rig.hpp"

namespace vergence::test {

/// About x, y and z, in radians.
struct Angles {
  double pitch = 0, yaw = 0, roll = 0;
};

inline Matrix3x3 times(const Matrix3x3& a, const Matrix3x3& b) {
  Matrix3x3 c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return c;
}

inline Matrix3x3 transposed(const Matrix3x3& m) { return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}; }

/// About z, then y, then x.
inline Matrix3x3 turn_by(const Angles& by) {
  const double cx = std::cos(by.pitch), sx = std::sin(by.pitch), cy = std::cos(by.yaw), sy = std::sin(by.yaw),
               cz = std::cos(by.roll), sz = std::sin(by.roll);
  return times({1, 0, 0, 0, cx, -sx, 0, sx, cx},
               times({cy, 0, sy, 0, 1, 0, -sy, 0, cy}, {cz, -sz, 0, sz, cz, 0, 0, 0, 1}));
}

/// Where the ray (x, y, 1) is seen once it is turned.
inline std::array<double, 2> seen_at(const Matrix3x3& turn, double x, double y) {
  const double z = turn[6] * x + turn[7] * y + turn[8];
  return {(turn[0] * x + turn[1] * y + turn[2]) / z, (turn[3] * x + turn[4] * y + turn[5]) / z};
}

/// What is believed of a rig whose right camera was turned since: R = K R', T = K T', R2 = R2' K^T.
inline StereoRig knocked_rig(const StereoRig& rig, const Angles& by) {
  const Matrix3x3 knock = turn_by(by);
  StereoRig knocked = rig;
  knocked.rotation = times(knock, rig.rotation);
  for (std::size_t i = 0; i < 3; ++i)
    knocked.translation[i] = knock[3 * i] * rig.translation[0] + knock[3 * i + 1] * rig.translation[1] +
                             knock[3 * i + 2] * rig.translation[2];
  if (rig.rectified) knocked.rectified->r2 = times(rig.rectified->r2, transposed(knock));
  return knocked;
}

}  // namespace vergence::test
