// SPDX-License-Identifier: Apache-2.0
// Motion settings from presets, files and options; and back to JSON.
#include "motion_settings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "settings.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

void apply_file(const std::string& path, MotionSettings& settings) {
  const Json fields = read_settings(path, "motion");
  for (const auto& item : fields.items()) {
    try {
      motion_set(settings.options, item.key(), setting_text(item.value()));
    } catch (const Error& error) {
      throw Error(ErrorCode::bad_data, fmt::format("settings file {}: {}", path, error.what()));
    }
  }
  settings.max_value_given = settings.options.depth == Depth::u16 && fields.contains("max-value");
}

}  // namespace

void add_motion_settings_options(CLI::App& command, MotionSettingsArguments& arguments) {
  std::string names;
  for (const MotionPreset& preset : motion_presets()) names.append(names.empty() ? "" : ", ").append(preset.name);
  command
      .add_option(
          "--preset", arguments.preset,
          fmt::format("Settings to start from; `vergence presets --of motion` shows them [{}; default: default]",
                      names))
      ->type_name("NAME")
      ->group("Settings");
  command
      .add_option("--settings", arguments.file,
                  "Settings of --save-settings or of a --json report; they override the preset, options override them")
      ->type_name("FILE")
      ->group("Settings");
  for (const MotionField& field : motion_fields()) {
    const std::string name(field.name);
    command
        .add_option_function<std::string>(
            "--" + name, [&arguments, name](const std::string& text) { arguments.given[name] = text; },
            field_help(field, motion_get(MotionOptions{}, field.name)))
        ->type_name("VALUE")
        ->group("Settings");
  }
}

MotionSettings resolve_motion_settings(const MotionSettingsArguments& arguments) {
  MotionSettings settings;
  settings.options = as_usage([&] { return motion_preset(arguments.preset).options; });
  if (arguments.file) apply_file(*arguments.file, settings);
  as_usage([&] {
    for (const auto& item : arguments.given) motion_set(settings.options, item.first, item.second);
  });
  settings.max_value_option = arguments.given.contains("max-value");
  settings.max_value_given = settings.max_value_given || settings.max_value_option;
  settings.depth_given = arguments.given.contains("depth");
  return settings;
}

void adopt_motion_depth(MotionSettings& settings, Depth depth, int max_value, std::string_view source) {
  MotionOptions& options = settings.options;
  if (settings.depth_given && options.depth != depth)
    throw UsageError(fmt::format("depth is {}, but {} has {} bits: leave it out, it follows the frames",
                                 motion_get(options, "depth"), source, depth == Depth::u8 ? 8 : 16));
  if (depth == Depth::u8 && settings.max_value_option && options.max_value != MotionOptions{}.max_value)
    throw UsageError(fmt::format("--max-value is {}, but {} has 8 bits: leave it out, it is for 16-bit frames",
                                 options.max_value, source));
  options.depth = depth;
  if (depth == Depth::u16 && !settings.max_value_given) options.max_value = max_value;
}

Json motion_settings_json(const MotionOptions& options) {
  Json fields = Json::object();
  for (const MotionField& field : motion_fields())
    fields[std::string(field.name)] = setting_json(field.range, motion_get(options, field.name));
  return fields;
}

void save_motion_settings(const std::string& path, const MotionOptions& options) {
  Json content = json_report();
  content["settings"] = motion_settings_json(options);
  AtomicFile file(path);
  file.write(json_text(content));
  file.commit();
}

}  // namespace vergence::cli
