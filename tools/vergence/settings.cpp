// SPDX-License-Identifier: Apache-2.0
// Settings from presets, files and options; and back to JSON.
#include "settings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "command.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

// A settings file has a few hundred bytes; whatever is larger is none.
constexpr std::uintmax_t largest_settings_file = 1 << 20;

std::string read_text(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    throw Error(ErrorCode::io, fmt::format("settings file {} does not exist", path));
  if (!std::filesystem::is_regular_file(path, problem))
    throw Error(ErrorCode::io, fmt::format("settings file {} is not a regular file", path));
  const std::uintmax_t bytes = std::filesystem::file_size(path, problem);
  if (!problem && bytes > largest_settings_file)
    throw Error(ErrorCode::bad_data, fmt::format("settings file {} has {} bytes: it cannot be one", path, bytes));
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw Error(ErrorCode::io, fmt::format("settings file {} cannot be read", path));
  return text;
}

void apply_file(const std::string& path, Settings& settings) {
  const Json fields = read_settings(path, "stereo");
  for (const auto& item : fields.items()) {
    try {
      stereo_set(settings.options, item.key(), setting_text(item.value()));
    } catch (const Error& error) {
      throw Error(ErrorCode::bad_data, fmt::format("settings file {}: {}", path, error.what()));
    }
  }
  settings.max_value_given = settings.options.depth == Depth::u16 && fields.contains("max-value");
}

/// Two fields are named like outputs of the command, which take their option.
bool shares_its_name(std::string_view field) { return field == "cost" || field == "depth"; }

}  // namespace

const StereoField& find_field(std::string_view name) {
  for (const StereoField& field : stereo_fields())
    if (field.name == name) return field;
  throw Error(ErrorCode::not_found, fmt::format("no stereo option is named '{}'", name));
}

bool is_word_of(const StereoField& field, std::string_view text) {
  std::string_view rest = field.range;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    if (rest.substr(0, comma) == text) return true;
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 2);
  }
  return false;
}

Json read_settings(const std::string& path, std::string_view command) {
  const std::string text = read_text(path);
  const auto bad = [&](std::string_view why) {
    return Error(
        ErrorCode::bad_data,
        fmt::format("settings file {} {}: make one with `vergence {} ... --save-settings FILE`", path, why, command));
  };
  if (text.empty()) throw bad("is empty");
  Json content = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (content.is_discarded()) throw bad("is not JSON");
  if (!content.is_object() || !content.contains("settings") || !content["settings"].is_object())
    throw bad("has no object \"settings\"");
  return content["settings"];
}

std::string setting_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json setting_json(std::string_view range, const std::string& text) {
  int number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && stop == text.data() + text.size()) return number;
  if (range == "off, on") return text == "on";
  return text;
}

std::string field_help(const StereoField& field) { return field_help(field, stereo_get(StereoOptions{}, field.name)); }

void add_settings_options(CLI::App& command, SettingsArguments& arguments) {
  std::string names;
  for (const StereoPreset& preset : stereo_presets()) names.append(names.empty() ? "" : ", ").append(preset.name);
  command
      .add_option("--preset", arguments.preset,
                  fmt::format("Settings to start from; `vergence presets` shows them [{}; default: default]", names))
      ->type_name("NAME")
      ->group("Settings");
  command
      .add_option("--settings", arguments.file,
                  "Settings of --save-settings or of a --json report; they override the preset, options override them")
      ->type_name("FILE")
      ->group("Settings");
  for (const StereoField& field : stereo_fields()) {
    if (shares_its_name(field.name)) continue;
    const std::string name(field.name);
    command
        .add_option_function<std::string>(
            "--" + name, [&arguments, name](const std::string& text) { arguments.given[name] = text; },
            field_help(field))
        ->type_name("VALUE")
        ->group("Settings");
  }
}

Settings resolve_settings(const SettingsArguments& arguments) {
  Settings settings;
  settings.options = as_usage([&] { return stereo_preset(arguments.preset).options; });
  if (arguments.file) apply_file(*arguments.file, settings);
  as_usage([&] {
    for (const auto& item : arguments.given) stereo_set(settings.options, item.first, item.second);
  });
  settings.max_value_option = arguments.given.contains("max-value");
  settings.max_value_given = settings.max_value_given || arguments.given.contains("max-value");
  settings.depth_given = arguments.given.contains("depth");
  return settings;
}

void adopt_depth(Settings& settings, Depth depth, int max_value, std::string_view picture) {
  if (settings.depth_given && settings.options.depth != depth)
    throw UsageError(fmt::format("depth is {}, but {} has {} bits: leave it out, it follows the pictures",
                                 stereo_get(settings.options, "depth"), picture, depth == Depth::u8 ? 8 : 16));
  if (depth == Depth::u8 && settings.max_value_option && settings.options.max_value != StereoOptions{}.max_value)
    throw UsageError(fmt::format("--max-value is {}, but {} has 8 bits: leave it out, it is for 16-bit pictures",
                                 settings.options.max_value, picture));
  settings.options.depth = depth;
  if (depth == Depth::u16 && !settings.max_value_given) settings.options.max_value = max_value;
}

Json settings_json(const StereoOptions& options) {
  Json fields = Json::object();
  for (const StereoField& field : stereo_fields())
    fields[std::string(field.name)] = setting_json(field.range, stereo_get(options, field.name));
  return fields;
}

void save_settings(const std::string& path, const StereoOptions& options) {
  Json content = json_report();
  content["settings"] = settings_json(options);
  AtomicFile file(path);
  file.write(json_text(content));
  file.commit();
}

}  // namespace vergence::cli
