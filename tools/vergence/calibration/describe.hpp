// SPDX-License-Identifier: Apache-2.0
// A calibrated rig in words and as JSON.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "cli/json.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli {

/// Degrees that a picture is wide and high: of a pinhole without its distortion, of a fisheye with it. Nothing where
/// the size of the picture is unknown.
std::optional<std::array<double, 2>> view_degrees(const Camera& camera);
/// The axis of the rotation times its angle in degrees: how far the right camera is turned about the left one's x, y,
/// z.
std::array<double, 3> turn_degrees(const Matrix3x3& rotation);

/// What of a rig the format has no place for, in words; "" where it holds all.
std::string left_out(const StereoRig& rig, RigFormat format);

void print_rig(const StereoRig& rig);
Json rig_json(const StereoRig& rig);

}  // namespace vergence::cli
