// SPDX-License-Identifier: Apache-2.0
// What `view` and `report` begin with: pictures, settings, device.
#pragma once

#include <string_view>

#include "view/answers.hpp"
#include "view/scene.hpp"
#include "view/work.hpp"

namespace vergence::cli {

class Command;

/// LEFT, RIGHT, --layout, --frames.
void add_view_inputs(Command command, StereoArguments& arguments);
/// Settings, device, truth, geometry.
void add_view_settings(Command command, StereoArguments& arguments);
/// Of the settings that were given, on the device that was: where nobody tells the range, the calibration or the first
/// frame does, as in `vergence stereo`. `told` has the names that are shown. UsageError for what the device refuses,
/// and for a range that follows the frames, which `command` does not do.
ViewStart view_start(const StereoArguments& told, ViewScene& scene, ViewDevices& devices, std::string_view command);

}  // namespace vergence::cli
