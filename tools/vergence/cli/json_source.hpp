// SPDX-License-Identifier: Apache-2.0
// Where values stand in the text of JSON, and how they are written there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cli/json_value.hpp"

namespace vergence::cli {

struct JsonPlace {
  std::int64_t line = 0;  ///< From 1.
  std::string text;       ///< Of the value.
};

/// The members of the object `key` of the outermost object, by their names. `content` is what `text` holds.
std::map<std::string, JsonPlace> members_of(std::string_view text, const Json& content, std::string_view key);

}  // namespace vergence::cli
