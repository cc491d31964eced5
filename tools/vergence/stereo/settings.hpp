// SPDX-License-Identifier: Apache-2.0
// Where a run's stereo settings come from: a preset, then a settings file, then options of the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/settings.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli {

class Command;

/// What the first frame decides, where `auto` is given, and later ones, where `follow` is.
struct StereoSettings : SettingsOf<StereoOptions> {
  bool finds_disparities = false, finds_minimum = false;
  bool follows = false;
  bool asked_to_find = false;  ///< By an option; else nobody gave a number, and that of the preset means nothing.
};

/// Adds --preset, --settings and one option per field of StereoOptions.
void add_stereo_settings_options(Command command, SettingsArguments& arguments);
/// As resolve_settings_of, adopt_depth_of, settings_json_of and save_settings_of.
StereoSettings resolve_stereo_settings(const SettingsArguments& arguments);
void adopt_stereo_depth(StereoSettings& settings, Depth depth, int max_value, std::string_view source);
/// Warnings of options that do nothing beside the other settings.
std::vector<std::string> idle_stereo_options(const SettingsArguments& arguments, const StereoOptions& options);
Json stereo_settings_json(const StereoOptions& options);
void save_stereo_settings(const std::string& path, const StereoOptions& options);

}  // namespace vergence::cli
