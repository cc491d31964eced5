// SPDX-License-Identifier: Apache-2.0
// Settings files, whatever the domain, and the help of fields.
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

}  // namespace

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

std::string field_help(const Field& field) {
  std::string limits(field.range);
  if (!field.unit.empty()) limits.append("; unit: ").append(field.unit);
  return fmt::format("{} [{}; default: {}]", field.help, limits, field.default_value);
}

}  // namespace vergence::cli
