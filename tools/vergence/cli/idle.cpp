// SPDX-License-Identifier: Apache-2.0
// Settings that do nothing beside others.
#include "cli/idle.hpp"

#include <fmt/format.h>

#include <map>

#include "cli/command.hpp"

namespace vergence::cli {

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
