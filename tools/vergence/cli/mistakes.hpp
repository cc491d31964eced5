// SPDX-License-Identifier: Apache-2.0
// How mistakes on the command line are explained.
#pragma once

#include <string>

#include "cli/help.hpp"

namespace vergence::cli {

/// A word that `command` cannot take, in one line, with the name that was probably meant.
std::string explain_word(const CommandHelp& command, const std::string& word);
/// Whether it begins as an option does, and a file of that name exists.
bool is_file_named_as_option(const std::string& word);
/// Any other mistake, from the parser's message.
std::string explain_message(const CommandHelp& command, const std::string& message);

}  // namespace vergence::cli
