// SPDX-License-Identifier: Apache-2.0
// Text for people: names of files and words out of them must not steer a terminal.
#pragma once

#include <string>
#include <string_view>

namespace vergence::cli {

/// `text` with control characters and what is not UTF-8 as \xNN; ends of lines and tabs stay.
std::string printable(std::string_view text);

}  // namespace vergence::cli
