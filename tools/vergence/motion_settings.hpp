// SPDX-License-Identifier: Apache-2.0
// Where a run's motion settings come from: a preset, then a settings file, then options of the command line.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "json.hpp"
#include "vergence/motion.hpp"

namespace CLI {
class App;
}

namespace vergence::cli {

struct MotionSettingsArguments {
  std::string preset = "default";
  std::optional<std::string> file;
  /// Field name -> text, of the fields that options name.
  std::map<std::string, std::string> given;
};

/// Settings, and what is known about the fields that frames decide where nobody else does.
struct MotionSettings {
  MotionOptions options;
  bool max_value_given = false;   ///< By an option, or by a settings file made for 16-bit frames.
  bool max_value_option = false;  ///< By an option.
  bool depth_given = false;       ///< By an option.
};

/// Adds --preset, --settings and one option per field of MotionOptions.
void add_motion_settings_options(CLI::App& command, MotionSettingsArguments& arguments);
/// Preset, file and options, in this order. UsageError for a bad preset or option, Error for a bad file.
MotionSettings resolve_motion_settings(const MotionSettingsArguments& arguments);
/// Sets depth and max_value from the frames; throws UsageError where an option asks for another depth.
void adopt_motion_depth(MotionSettings& settings, Depth depth, int max_value, std::string_view source);

Json motion_settings_json(const MotionOptions& options);
/// As save_settings of `stereo`.
void save_motion_settings(const std::string& path, const MotionOptions& options);

}  // namespace vergence::cli
