// SPDX-License-Identifier: Apache-2.0
// Text for people: names of files and words out of them must not steer a terminal.
#pragma once

#include <string>
#include <string_view>

namespace vergence::cli {

/// `text` with control characters, what is not UTF-8, what turns the direction of writing and what nobody sees as \xNN;
/// ends of lines and tabs stay.
std::string printable(std::string_view text);
/// The same, and ends of lines and tabs likewise: a name stays in its line.
std::string one_line(std::string_view text);
/// JSON whose strings hold none of them: JSON leaves DEL, U+0080 to U+009F and what turns or hides as they are.
std::string printable_json(std::string_view text);

/// A name as a shell reads it back.
std::string shell_word(std::string_view name);

}  // namespace vergence::cli
