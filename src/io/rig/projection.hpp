// SPDX-License-Identifier: Apache-2.0
// What formats take for the projection of a rectified camera.
#pragma once

#include "vergence/rig.hpp"

namespace vergence::io::rig {

/// Whether it is [fx 0 cx tx; 0 fy cy ty; 0 0 1 tz] with focal lengths above 0.
inline bool is_projection(const Matrix3x4& p) {
  return p[0] > 0 && p[5] > 0 && p[1] == 0 && p[4] == 0 && p[8] == 0 && p[9] == 0 && p[10] == 1;
}

}  // namespace vergence::io::rig
