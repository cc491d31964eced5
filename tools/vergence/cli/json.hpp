// SPDX-License-Identifier: Apache-2.0
// JSON as the program prints it: keys in a fixed order, a version first, one object on standard output.
#pragma once

#include <cstdint>
#include <string>

#include "cli/json_value.hpp"

namespace vergence::cli {

/// An object that starts with the program's version.
Json json_report();
/// The object as indented text with a final newline. Bytes of names that are not UTF-8 are replaced.
std::string json_text(const Json& object);
/// Prints it on stdout.
void print_json(const Json& object);
/// `value` with so many decimals at most, so that reports do not show digits that no clock or score has; null where it
/// is not finite.
Json json_number(double value, int decimals);
/// "0x0123456789abcdef": JSON numbers hold 53 bits only.
std::string hash_text(std::uint64_t hash);

}  // namespace vergence::cli
