// SPDX-License-Identifier: Apache-2.0
// JSON out of a text that a user or a page gives.
#pragma once

#include <functional>
#include <string_view>

#include "cli/json_value.hpp"

namespace vergence::cli {

/// Throws the Error of a text, which says what the text is and WHY it is refused.
using JsonFailure = std::function<void(std::string_view why)>;

/// The JSON that `text` holds; what `fail` throws names the line where it stops to be JSON, or a key that an object has
/// twice and its lines. `cure` says what to do.
Json parse_json(std::string_view text, std::string_view cure, const JsonFailure& fail);

}  // namespace vergence::cli
