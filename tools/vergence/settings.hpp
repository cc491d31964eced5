// SPDX-License-Identifier: Apache-2.0
// Where a run's stereo settings come from: a preset, then a settings file, then options of the command line.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "json.hpp"
#include "vergence/image.hpp"
#include "vergence/stereo.hpp"

namespace CLI {
class App;
}

namespace vergence::cli {

/// Settings as the command line gives them.
struct SettingsArguments {
  std::string preset = "default";
  std::optional<std::string> file;
  /// Field name -> text, of the fields that options name.
  std::map<std::string, std::string> given;
};

/// Settings, and what is known about the fields that pictures decide where nobody else does.
struct Settings {
  StereoOptions options;
  bool max_value_given = false;   ///< By an option, or by a settings file made for 16-bit pictures.
  bool max_value_option = false;  ///< By an option.
  bool depth_given = false;       ///< By an option.
};

/// Adds --preset, --settings and one option per field of StereoOptions (two fields share their option's name with an
/// output; those are added by the outputs).
void add_settings_options(CLI::App& command, SettingsArguments& arguments);

/// One line of help for a field: what it does, range, unit, default.
template <class Field>
std::string field_help(const Field& field, const std::string& default_text) {
  std::string limits(field.range);
  if (!field.unit.empty()) limits.append("; unit: ").append(field.unit);
  return std::string(field.help) + " [" + limits + "; default: " + default_text + "]";
}
std::string field_help(const StereoField& field);
/// The object "settings" of a settings file; `command` writes such files, for messages. Throws Error.
Json read_settings(const std::string& path, std::string_view command);
/// A setting of such a file as an option's text, and back: numbers as numbers, switches as true and false.
std::string setting_text(const Json& value);
Json setting_json(std::string_view range, const std::string& text);
/// The field of that name; it exists.
const StereoField& find_field(std::string_view name);
/// Is `text` one of the words of that field's range ("sad, ssd, ...")?
bool is_word_of(const StereoField& field, std::string_view text);

/// Preset, file and options, in this order. UsageError for a bad preset or option, Error for a bad file.
Settings resolve_settings(const SettingsArguments& arguments);

/// Sets depth and max_value from the pictures; throws UsageError where an option asks for another depth.
void adopt_depth(Settings& settings, Depth depth, int max_value, std::string_view picture);

/// All fields; numbers as numbers, switches as true and false, the rest as text.
Json settings_json(const StereoOptions& options);
/// A settings file: settings_json under "settings", as a report of `stereo --json` has it too.
void save_settings(const std::string& path, const StereoOptions& options);

}  // namespace vergence::cli
