// SPDX-License-Identifier: Apache-2.0
// Settings that do nothing beside others: an option that names one is told of.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/settings.hpp"

namespace vergence::cli {

/// `field` does nothing where `other` is one of `words` (blanks between them), or, with `unless`, none of them.
struct IdleRule {
  std::string_view field;
  std::string_view other;
  std::string_view words;
  bool unless = false;
};

/// One line for each option of the command line that does nothing. A field of several rules does nothing where all of
/// them say so.
std::vector<std::string> idle_options(const SettingsArguments& arguments, std::span<const IdleRule> rules,
                                      const std::function<std::string(std::string_view)>& get);

}  // namespace vergence::cli
