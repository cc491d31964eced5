// SPDX-License-Identifier: Apache-2.0
// Where a run's track settings come from: a preset, then a settings file, then options of the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/settings.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {

class Command;

using TrackSettings = SettingsOf<TrackOptions>;

/// Adds --preset, --settings and one option per field of TrackOptions.
void add_track_settings_options(Command command, SettingsArguments& arguments);
/// As resolve_settings_of, adopt_depth_of, settings_json_of and save_settings_of.
TrackSettings resolve_track_settings(const SettingsArguments& arguments);
void adopt_track_depth(TrackSettings& settings, Depth depth, int max_value, std::string_view source);
/// Warnings of options that do nothing beside the other settings.
std::vector<std::string> idle_track_options(const SettingsArguments& arguments, const TrackOptions& options);
Json track_settings_json(const TrackOptions& options);
void save_track_settings(const std::string& path, const TrackOptions& options);

}  // namespace vergence::cli
