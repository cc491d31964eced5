// SPDX-License-Identifier: Apache-2.0
// Settings from a preset, a settings file and options, for any domain. A domain names its options and says how they are
// read: Options, name ("stereo"), pictures (what decides depth, for messages), how_to_see_presets, fields(), get(),
// set(), presets(), preset().
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/json.hpp"
#include "cli/json_source.hpp"
#include "cli/program.hpp"
#include "cli/words.hpp"
#include "vergence/field.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// A settings file as it was read.
struct SettingsFile {
  Json fields = Json::object();
  std::map<std::string, JsonPlace> places;  ///< Of its fields.
  std::set<std::string> beside;             ///< What else the file holds, where it is no report.
};

/// Settings as the command line gives them.
struct SettingsArguments {
  std::string preset = "default";
  std::optional<std::string> file;
  /// Field name -> text, of the fields that options name.
  std::map<std::string, std::string> given;
  /// Filled when `file` is read.
  std::shared_ptr<SettingsFile> content = std::make_shared<SettingsFile>();
};

/// Settings, and what is known about the fields that pictures decide where nothing else does.
template <class Options>
struct SettingsOf {
  Options options;
  std::set<std::string> given;    ///< Fields that a settings file or an option names.
  bool max_value_given = false;   ///< By an option, or by a settings file made for 16-bit pictures.
  bool max_value_option = false;  ///< By an option.
  bool depth_given = false;       ///< By an option.
};

/// Bits of a pixel: 10 of 16-bit pictures whose largest value is 1023.
int pixel_bits(Depth depth, int max_value);
/// "pixels" of reports: {"bits": 10, "max_value": 1023}.
Json pixels_json(Depth depth, int max_value);
/// "8 bits", "10 bits (largest value 1023)".
std::string pixels_text(Depth depth, int max_value);

/// The object "settings" of a settings file; `command` writes such files, for messages. Throws Error.
SettingsFile read_settings(const std::string& path, std::string_view command);
/// A setting of such a file as an option's text, and back: numbers as numbers, switches as true and false.
std::string setting_text(const Json& value);
Json setting_json(const Field& field, const std::string& text);
/// The text that is read for a field of a file: as it stands there.
std::string setting_text(const SettingsFile& content, const std::string& name);
/// For a setting that stands beside the object that holds settings, where nobody reads it.
Error beside_settings_error(const std::string& path, std::string_view name);
/// "settings file s.json, line 3: WHAT".
Error settings_error(const SettingsArguments& arguments, const std::string& name, std::string_view what,
                     std::string_view field);

/// Throws Error where `command` has no setting of that name, and another command has.
void check_owner(const SettingsArguments& arguments, const std::string& name, std::string_view command);

/// Runs a command: an error of a field that the settings file gives, and no option, is one of that file.
template <class Run>
auto naming_settings_file(const SettingsArguments& arguments, const Run& run) {
  const auto from_file = [&arguments](std::string_view field) {
    return arguments.content->fields.contains(std::string(field)) && !arguments.given.contains(std::string(field));
  };
  try {
    return run();
  } catch (const UsageError& error) {
    if (!from_file(error.field())) throw;
    throw settings_error(arguments, std::string(error.field()), error.what(), error.field());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument || !from_file(error.field())) throw;
    throw settings_error(arguments, std::string(error.field()), error.what(), error.field());
  }
}

/// One line of help for a field: what it does, range, unit, default.
std::string field_help(const Field& field);

/// The same where the command line has more to say of a field than the library: Domain::help(field), if it has one.
template <class Domain>
std::string help_of(const Field& field) {
  if constexpr (requires { Domain::help(field); })
    return Domain::help(field);
  else
    return field_help(field);
}

/// Adds --preset, --settings and one option for each field that `has_option` accepts.
template <class Domain, class HasOption>
void add_options_of(Command command, SettingsArguments& arguments, const HasOption& has_option) {
  std::vector<std::string> names;
  for (const auto& preset : Domain::presets()) names.emplace_back(preset.name);
  command
      .add("--preset", arguments.preset,
           fmt::format("Settings to start from: `{}` [{}]", Domain::how_to_see_presets, fmt::join(names, ", ")))
      .type("NAME")
      .group("Settings")
      .choices(names);
  command
      .add("--settings", arguments.file,
           "Settings of --save-settings or of a --json report; they override the preset, options override them")
      .type("FILE")
      .group("Settings");
  for (const auto& field : Domain::fields()) {
    if (!has_option(field.name)) continue;
    const std::string name(field.name);
    command
        .add(
            "--" + name, [&arguments, name](const std::string& text) { arguments.given[name] = text; },
            help_of<Domain>(field))
        .type(field.kind == FieldKind::boolean ? switch_type : "VALUE")
        .group(fmt::format("Settings, {}", field.group))
        .choices({field.choices.begin(), field.choices.end()});
  }
}

/// Preset, file and options, in this order. UsageError for a bad preset or option, Error for a bad file.
template <class Domain>
SettingsOf<typename Domain::Options> resolve_settings_of(const SettingsArguments& arguments) {
  SettingsOf<typename Domain::Options> settings;
  settings.options = as_usage([&] { return Domain::preset(arguments.preset).options; });
  if (arguments.file) {
    SettingsFile& content = *arguments.content;
    content = read_settings(*arguments.file, Domain::name);
    if (content.beside.contains("preset")) throw beside_settings_error(*arguments.file, "preset");
    for (const auto& field : Domain::fields())
      if (content.beside.contains(std::string(field.name))) throw beside_settings_error(*arguments.file, field.name);
    const Json& fields = content.fields;
    for (const JsonMember& item : fields.members()) {
      settings.given.insert(item.name);
      check_owner(arguments, item.name, Domain::name);
      try {
        Domain::set(settings.options, one_line(item.name), setting_text(content, item.name));
      } catch (const Error& error) {
        throw settings_error(arguments, item.name, error.what(), error.field());
      }
    }
    settings.max_value_given = settings.options.depth == Depth::u16 && fields.contains("max-value");
  }
  as_usage([&] {
    for (const auto& item : arguments.given) {
      settings.given.insert(item.first);
      Domain::set(settings.options, item.first, item.second);
    }
  });
  settings.max_value_option = arguments.given.contains("max-value");
  settings.max_value_given = settings.max_value_given || settings.max_value_option;
  settings.depth_given = arguments.given.contains("pixel-depth");
  return settings;
}

/// Sets depth and max_value from the pictures of `source`; throws UsageError where an option asks for another depth.
template <class Domain>
void adopt_depth_of(SettingsOf<typename Domain::Options>& settings, Depth depth, int max_value,
                    std::string_view source) {
  auto& options = settings.options;
  if (settings.depth_given && options.depth != depth)
    throw UsageError(fmt::format("pixel-depth is {}, but {} has {} bits: leave it out, it follows the {}",
                                 Domain::get(options, "pixel-depth"), source, pixel_bits(depth, max_value),
                                 Domain::pictures));
  if (depth == Depth::u8 && settings.max_value_option && options.max_value != typename Domain::Options{}.max_value)
    throw UsageError(fmt::format("--max-value is {}, but {} has 8 bits: leave it out, it is for 16-bit {}",
                                 options.max_value, source, Domain::pictures));
  options.depth = depth;
  if (depth == Depth::u16 && !settings.max_value_given) options.max_value = max_value;
}

/// All fields; numbers as numbers, switches as true and false, the rest as text.
template <class Domain>
Json settings_json_of(const typename Domain::Options& options) {
  Json fields = Json::object();
  for (const auto& field : Domain::fields()) fields[field.name] = setting_json(field, Domain::get(options, field.name));
  return fields;
}

/// A settings file: settings_json_of under "settings", as a --json report has it too.
template <class Domain>
void save_settings_of(const std::string& path, const typename Domain::Options& options) {
  Json content = json_report();
  content["settings"] = settings_json_of<Domain>(options);
  AtomicFile file(path);
  file.write(json_text(content));
  file.commit();
}

}  // namespace vergence::cli
