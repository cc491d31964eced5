// SPDX-License-Identifier: Apache-2.0
// Reading of a study's settings.
#include "common/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "vergence/error.hpp"

namespace vergence::studies {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view value, const std::string& allowed) {
  throw Error(ErrorCode::invalid_argument, fmt::format("{} is '{}': allowed are {}", name, value, allowed));
}

bool parse(std::string_view text, int low, int high, int& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && value >= low && value <= high;
}

bool parse(std::string_view text, int low, int high, Size& size) {
  const std::size_t cut = text.find('x');
  return cut != std::string_view::npos && parse(text.substr(0, cut), low, high, size.width) &&
         parse(text.substr(cut + 1), low, high, size.height);
}

std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

}  // namespace

Settings::Settings(std::span<const Field> fields) {
  for (const Field& field : fields) values_.emplace(field.name, field.fallback);
}

void Settings::set(std::string_view name, std::string_view value) {
  const auto found = values_.find(name);
  if (found == values_.end()) throw Error(ErrorCode::not_found, fmt::format("this study has no setting '{}'", name));
  found->second = value;
}

const std::string& Settings::text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw Error(ErrorCode::not_found, fmt::format("this study has no setting '{}'", name));
  return found->second;
}

int Settings::integer(std::string_view name, int low, int high) const {
  int value = 0;
  if (!parse(text(name), low, high, value)) refuse(name, text(name), fmt::format("whole numbers {} .. {}", low, high));
  return value;
}

int Settings::odd(std::string_view name, int low, int high) const {
  int value = 0;
  if (!parse(text(name), low, high, value) || value % 2 == 0)
    refuse(name, text(name), fmt::format("odd numbers {} .. {}", low, high));
  return value;
}

std::vector<int> Settings::integers(std::string_view name, int low, int high) const {
  std::vector<int> all;
  for (const std::string_view part : parts(text(name))) {
    int value = 0;
    if (!parse(part, low, high, value))
      refuse(name, text(name), fmt::format("whole numbers {} .. {} with commas between them", low, high));
    all.push_back(value);
  }
  return all;
}

Size Settings::size(std::string_view name, int low, int high) const {
  Size value;
  if (!parse(text(name), low, high, value))
    refuse(name, text(name), fmt::format("WIDTHxHEIGHT, {0}x{0} .. {1}x{1}", low, high));
  return value;
}

std::vector<Size> Settings::sizes(std::string_view name, int low, int high) const {
  std::vector<Size> all;
  for (const std::string_view part : parts(text(name))) {
    Size value;
    if (!parse(part, low, high, value))
      refuse(name, text(name), fmt::format("WIDTHxHEIGHT, {0}x{0} .. {1}x{1}, with commas between them", low, high));
    all.push_back(value);
  }
  return all;
}

std::vector<std::string> Settings::words(std::string_view name, std::span<const std::string_view> allowed) const {
  std::vector<std::string> all;
  for (const std::string_view part : parts(text(name))) {
    if (std::find(allowed.begin(), allowed.end(), part) == allowed.end())
      refuse(name, text(name), fmt::format("{}, with commas between them", fmt::join(allowed, ", ")));
    all.emplace_back(part);
  }
  return all;
}

}  // namespace vergence::studies
