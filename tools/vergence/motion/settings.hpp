// SPDX-License-Identifier: Apache-2.0
// Where a run's motion settings come from: a preset, then a settings file, then options of the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/settings.hpp"
#include "vergence/motion.hpp"

namespace vergence::cli {

class Command;

using MotionSettings = SettingsOf<MotionOptions>;

/// Adds --preset, --settings and one option per field of MotionOptions.
void add_motion_settings_options(Command command, SettingsArguments& arguments);
/// As resolve_settings_of, adopt_depth_of, settings_json_of and save_settings_of.
MotionSettings resolve_motion_settings(const SettingsArguments& arguments);
/// A range that nobody asked for ends at the frame, so that small frames need no option.
void limit_motion_range(MotionSettings& settings, Size frame);
void adopt_motion_depth(MotionSettings& settings, Depth depth, int max_value, std::string_view source);
/// Warnings of options that do nothing beside the other settings, and of a lambda that lets nothing move.
std::vector<std::string> idle_motion_options(const SettingsArguments& arguments, const MotionOptions& options);
Json motion_settings_json(const MotionOptions& options);
void save_motion_settings(const std::string& path, const MotionOptions& options);

}  // namespace vergence::cli
