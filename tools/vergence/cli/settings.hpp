// SPDX-License-Identifier: Apache-2.0
// Where a run's stereo settings come from: a preset, then a settings file, then options of the command line.
#pragma once

#include <string>
#include <string_view>

#include "cli/settings_of.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli {

using Settings = SettingsOf<StereoOptions>;

/// Adds --preset, --settings and one option per field of StereoOptions (two fields share their option's name with an
/// output; those are added by the outputs).
void add_settings_options(CLI::App& command, SettingsArguments& arguments);

/// With the default of StereoOptions.
std::string field_help(const StereoField& field);
/// The field of that name; it exists.
const StereoField& find_field(std::string_view name);
/// Is `text` one of the words of that field's range ("sad, ssd, ...")?
bool is_word_of(const StereoField& field, std::string_view text);

/// As resolve_settings_of, adopt_depth_of, settings_json_of and save_settings_of.
Settings resolve_settings(const SettingsArguments& arguments);
void adopt_depth(Settings& settings, Depth depth, int max_value, std::string_view picture);
Json settings_json(const StereoOptions& options);
void save_settings(const std::string& path, const StereoOptions& options);

}  // namespace vergence::cli
