// SPDX-License-Identifier: Apache-2.0
// A calibrated rig as JSON.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli {

/// What of a rig the format has no place for, in words; "" where it holds all.
std::string left_out(const StereoRig& rig, RigFormat format);

Json rig_json(const StereoRig& rig);

}  // namespace vergence::cli
