// SPDX-License-Identifier: Apache-2.0
// What a calibrated rig says, for people: fields of view, angles, and all of it in words. Read rig.hpp first.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "vergence/rig.hpp"

namespace vergence {

/// Degrees that a picture is wide and high: of a pinhole without its distortion, of a fisheye with it. Nothing where
/// the size of the picture is unknown. May be called by any thread.
std::optional<std::array<double, 2>> view_degrees(const Camera& camera);

/// The axis of the rotation times its angle in degrees: how far the right camera is turned about the left one's x, y,
/// z. May be called by any thread.
std::array<double, 3> turn_degrees(const Matrix3x3& rotation);

/// Lenses, fields of view, pose and rectification in words: the lines that `vergence calibration show` prints. May be
/// called by any thread.
std::vector<std::string> describe_rig(const StereoRig& rig);

}  // namespace vergence
