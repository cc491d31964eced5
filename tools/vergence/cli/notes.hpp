// SPDX-License-Identifier: Apache-2.0
// What help says of files that several commands have in common.
#pragma once

#include <string>

namespace vergence::cli {

class Command;

/// The shape of a settings file; `example` is one, in a line.
void add_settings_note(Command command, const std::string& example);
/// What NAME.partial is; `more` is one more sentence, or "".
void add_partial_note(Command command, const std::string& more = "");

}  // namespace vergence::cli
