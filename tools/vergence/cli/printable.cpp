// SPDX-License-Identifier: Apache-2.0
// Text for people.
#include "cli/printable.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace vergence::cli {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Length of the character at the start of `text` that a terminal may get; 0: it may not.
std::size_t harmless(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first == '\n' || first == '\t') return 1;
  if (first < 0x80) return first >= ' ' && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 && first <= 0xF4 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0u) != 0x80u) return 0;
  if (first == 0xC2 && byte_at(text, 1) < 0xA0) return 0;  // more control characters
  return length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = harmless(text);
    if (length == 0) fmt::format_to(std::back_inserter(result), "\\x{:02x}", byte_at(text, 0));
    result.append(text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace vergence::cli
