// SPDX-License-Identifier: Apache-2.0
// Man pages.
#pragma once

#include <string>

#include "cli/help.hpp"

namespace vergence::cli {

/// The page of section 1 for a command, or for the program itself, in the macros of man(7).
std::string manual_page(const CommandHelp& command, const CommandHelp& program);
/// "vergence-stereo", the page's name and, with ".1", its file's.
std::string manual_name(const CommandHelp& command);

}  // namespace vergence::cli
