// SPDX-License-Identifier: Apache-2.0
// Settings files, whatever the domain, and the help of fields.
#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "cli/text_file.hpp"
#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {
namespace {

// A settings file has a few hundred bytes; whatever is larger is none.
constexpr std::uint64_t largest_settings_file = 1 << 20;

struct Owner {
  std::string_view command;
  std::span<const Field> fields;

  bool has(std::string_view name) const {
    return std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
  }
};

std::array<Owner, 3> settings_owners() {
  return {{{"stereo", stereo_fields()}, {"motion", motion_fields()}, {"track", track_fields()}}};
}

/// Of a file without the object: what it should look like, with what stands in it.
std::string no_settings_text(const Json& content, const std::string& cure) {
  const std::array<Owner, 3> owners = settings_owners();
  std::string example, preset;
  if (content.is_object())
    for (const JsonMember& item : content.members()) {
      const auto has = [&](const Owner& owner) { return owner.has(item.name); };
      const bool plain = !item.value.is_object() && !item.value.is_array();
      if (plain && example.empty() && std::any_of(owners.begin(), owners.end(), has))
        example = fmt::format(R"("{}": {})", item.name, item.value.dump());
      if (plain && item.name == "preset") preset = setting_text(item.value);
    }
  std::string text = "has no object \"settings\": ";
  constexpr std::string_view wanted = "settings";
  if (content.is_object())
    for (const JsonMember& item : content.members())
      if (item.value.is_object() && std::equal(item.name.begin(), item.name.end(), wanted.begin(), wanted.end(),
                                               [](unsigned char a, char b) { return std::tolower(a) == b; }))
        return fmt::format("{}write \"{}\" in small letters", text, item.name);
  if (!example.empty()) text += fmt::format(R"(write {{"settings": {{{}, ...}}}})", example);
  if (!preset.empty())
    text += fmt::format("{}give --preset {} instead of \"preset\"", example.empty() ? "" : "; ", preset);
  return example.empty() && preset.empty() ? text + cure : text;
}

}  // namespace

SettingsFile read_settings(const std::string& path, std::string_view command) {
  const std::string cure = fmt::format("make one with `vergence {} ... --save-settings FILE`", command);
  TextFile file("settings file", path, largest_settings_file);
  std::string source;
  Json content = read_json(file, cure, &source);
  if (!std::as_const(content)["settings"].is_object()) file.fail(no_settings_text(content, cure));
  SettingsFile settings;
  // A report has members of its own, some of which are called as options are.
  if (!content.contains("hash"))
    for (const JsonMember& item : content.members()) settings.beside.insert(item.name);
  settings.places = members_of(source, content, "settings");
  settings.fields = std::move(content["settings"]);
  return settings;
}

Error beside_settings_error(const std::string& path, std::string_view name) {
  const bool preset = name == "preset";
  return Error(ErrorCode::bad_data, fmt::format("settings file {}: \"{}\" stands beside the object \"settings\": {}",
                                                path, name, preset ? "give --preset instead" : "move it into that"));
}

std::string setting_text(const SettingsFile& content, const std::string& name) {
  const Json& value = content.fields[name];
  constexpr std::size_t most = 60;
  std::string text = value.is_text() || value.is_boolean() ? setting_text(value) : content.places.at(name).text;
  // No setting holds what is escaped or cut here: it is for the message that refuses it.
  text = one_line(text);
  if (text.size() > most) text.replace(most, std::string::npos, "...");
  return text;
}

Error settings_error(const SettingsArguments& arguments, const std::string& name, std::string_view what,
                     std::string_view field) {
  return Error(ErrorCode::bad_data,
               fmt::format("settings file {}, line {}: {}", arguments.file.value(),
                           arguments.content->places.at(name).line, what),
               field);
}

void check_owner(const SettingsArguments& arguments, const std::string& name, std::string_view command) {
  if (name == "preset")
    throw settings_error(
        arguments, name,
        fmt::format("a preset is no setting: give --preset {} instead", setting_text(*arguments.content, name)), name);
  const std::array<Owner, 3> owners = settings_owners();
  const auto own = std::find_if(owners.begin(), owners.end(), [&](const Owner& one) { return one.command == command; });
  const auto other = std::find_if(owners.begin(), owners.end(), [&](const Owner& one) { return one.has(name); });
  if (own == owners.end() || own->has(name) || other == owners.end()) return;
  const std::string what = fmt::format("{} has no setting '{}', but {} has: is this a file of `vergence {}`?", command,
                                       name, other->command, other->command);
  throw settings_error(arguments, name, what, name);
}

std::string setting_text(const Json& value) {
  if (value.is_text()) return value.text();
  if (value.is_boolean()) return value.boolean() ? "on" : "off";
  return text_of(value);
}

Json setting_json(const Field& field, const std::string& text) {
  int number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && stop == text.data() + text.size()) return number;
  if (field.kind == FieldKind::boolean) return text == "on";
  double real = 0;
  const auto [real_stop, real_error] = std::from_chars(text.data(), text.data() + text.size(), real);
  if (real_error == std::errc{} && real_stop == text.data() + text.size()) return real;
  return text;
}

int pixel_bits(Depth depth, int max_value) {
  return depth == Depth::u8 ? 8 : static_cast<int>(std::bit_width(static_cast<unsigned>(max_value)));
}

Json pixels_json(Depth depth, int max_value) {
  return Json{{"bits", pixel_bits(depth, max_value)}, {"max_value", depth == Depth::u8 ? 255 : max_value}};
}

std::string pixels_text(Depth depth, int max_value) {
  const std::string bits = fmt::format("{} bits", pixel_bits(depth, max_value));
  return depth == Depth::u8 ? bits : fmt::format("{} (largest value {})", bits, max_value);
}

std::string field_help(const Field& field) {
  std::string limits(field.range);
  if (!field.unit.empty()) limits.append("; unit: ").append(field.unit);
  return fmt::format("{} [{}; default: {}]", field.help, limits, field.default_value);
}

}  // namespace vergence::cli
