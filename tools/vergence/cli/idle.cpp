// SPDX-License-Identifier: Apache-2.0
// Settings that do nothing beside others.
#include "cli/idle.hpp"

#include <fmt/format.h>

#include <map>

namespace vergence::cli {
namespace {

bool holds_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t blank = words.find(' ');
    if (words.substr(0, blank) == word) return true;
    words = blank == std::string_view::npos ? std::string_view{} : words.substr(blank + 1);
  }
  return false;
}

}  // namespace

std::vector<std::string> idle_options(const SettingsArguments& arguments, std::span<const IdleRule> rules,
                                      const std::function<std::string(std::string_view)>& get) {
  std::map<std::string_view, std::string> reasons;
  std::map<std::string_view, bool> works;
  for (const IdleRule& rule : rules) {
    const std::string value = get(rule.other);
    if (holds_word(rule.words, value) == rule.unless) works[rule.field] = true;
    std::string& reason = reasons[rule.field];
    reason.append(reason.empty() ? "" : ", ").append(fmt::format("{} is {}", rule.other, value));
  }
  std::vector<std::string> lines;
  for (const auto& [field, reason] : reasons)
    if (!works[field] && arguments.given.contains(std::string(field)))
      lines.push_back(fmt::format("--{} does nothing: {}", field, reason));
  return lines;
}

}  // namespace vergence::cli
