// SPDX-License-Identifier: Apache-2.0
// Completion scripts of shells.
#pragma once

#include <string>

#include "cli/help.hpp"

namespace vergence::cli {

/// What each shell reads to complete commands, options, their words and the names of files.
std::string bash_completion(const CommandHelp& program);
std::string zsh_completion(const CommandHelp& program);
std::string fish_completion(const CommandHelp& program);

}  // namespace vergence::cli
