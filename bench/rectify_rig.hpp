// SPDX-License-Identifier: Apache-2.0
// The rig of the rectification benchmarks.
#pragma once

#include <cmath>

#include "vergence/rig.hpp"

namespace vergence::bench {

/// Lenses with a barrel's distortion, and cameras of which each turns by `degrees` about its axis when it is rectified.
inline StereoRig rig_of(Size size, double degrees) {
  StereoRig rig;
  const double turn = 2 * degrees * 3.14159265358979323846 / 180, focal = 0.9 * size.width;
  const double c = std::cos(turn), s = std::sin(turn);
  rig.left = {size, focal, focal, size.width / 2.0, size.height / 2.0, LensModel::pinhole, {-0.25, 0.06}};
  rig.right = rig.left;
  rig.rotation = {c, -s, 0, s, c, 0, 0, 0, 1};
  rig.translation = {-0.12, 0, 0};
  return rig;
}

}  // namespace vergence::bench
