// SPDX-License-Identifier: Apache-2.0
// Settings files of any domain, and the settings of stereo.
#include "cli/settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

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

struct StereoDomain {
  using Options = StereoOptions;
  static constexpr std::string_view name = "stereo";
  static constexpr std::string_view pictures = "pictures";
  static constexpr std::string_view how_to_see_presets = "vergence presets";
  static auto fields() { return stereo_fields(); }
  static std::string get(const Options& options, std::string_view field) { return stereo_get(options, field); }
  static void set(Options& options, std::string_view field, std::string_view text) { stereo_set(options, field, text); }
  static auto presets() { return stereo_presets(); }
  static const StereoPreset& preset(std::string_view which) { return stereo_preset(which); }
};

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
  double real = 0;
  const auto [real_stop, real_error] = std::from_chars(text.data(), text.data() + text.size(), real);
  if (real_error == std::errc{} && real_stop == text.data() + text.size()) return real;
  return text;
}

std::string field_help(const StereoField& field) { return field_help(field, stereo_get(StereoOptions{}, field.name)); }

void add_settings_options(CLI::App& command, SettingsArguments& arguments) {
  add_options_of<StereoDomain>(command, arguments, [](std::string_view field) { return !shares_its_name(field); });
}
Settings resolve_settings(const SettingsArguments& arguments) { return resolve_settings_of<StereoDomain>(arguments); }
void adopt_depth(Settings& settings, Depth depth, int max_value, std::string_view picture) {
  adopt_depth_of<StereoDomain>(settings, depth, max_value, picture);
}
Json settings_json(const StereoOptions& options) { return settings_json_of<StereoDomain>(options); }
void save_settings(const std::string& path, const StereoOptions& options) {
  save_settings_of<StereoDomain>(path, options);
}

}  // namespace vergence::cli
