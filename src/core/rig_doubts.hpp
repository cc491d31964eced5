// SPDX-License-Identifier: Apache-2.0
// What a rig that can be is doubted for: mistakes of units, of files and of the order of numbers. Read before: rig.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vergence/rig.hpp"

namespace vergence {

/// The names of a camera's numbers, which errors and doubts carry.
struct CameraNames {
  const char *fx, *fy, *cx, *cy, *size, *distortion;
};

/// Focal lengths, principal point and distortion. The camera has been checked.
void doubt_camera(const Camera& camera, const CameraNames& names, std::vector<std::string>& doubts);

/// Lenses and pictures of both cameras beside each other, and where the right one stands and looks. The rig has been
/// checked. What `doubts` already holds may be the cause of cameras that differ, which is not told then.
void doubt_pair(const StereoRig& rig, std::vector<std::string>& doubts);

}  // namespace vergence
