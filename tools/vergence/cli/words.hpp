// SPDX-License-Identifier: Apache-2.0
// The words of a command line before they are parsed: where on/off options have no value, and where a value is missing.
#pragma once

#include <string>
#include <vector>

#include "cli/help.hpp"

namespace vergence::cli {

/// Letters of English in lower case, whatever the locale.
std::string in_lower_case(std::string text);

/// The type that options have, for help, whose values are on and off.
inline constexpr const char* switch_type = "[on|off]";

/// The words behind the program's name, so that parsing finds a value for each option that needs one:
/// - on/off options (of switch_type, and flags) may stand alone, which is on, or be followed by on or off
/// (`--gain-offset off`,
///   `--gain-offset=off`); any other word behind them is left alone. A word that means on or off elsewhere (true, no,
///   1) is refused, because it would be taken for a file;
/// - an option that needs a value and is followed by an option is refused, and so is `--preset=`.
/// Throws UsageError, which names the option and what follows it. Words behind `--` are left as they are.
std::vector<std::string> tidy_words(const CommandHelp& program, std::vector<std::string> words);

}  // namespace vergence::cli
