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
  if (first < 0x80) return first >= ' ' && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 && first <= 0xF4 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0u) != 0x80u) return 0;
  if (first == 0xC2 && byte_at(text, 1) < 0xA0) return 0;  // more control characters
  return length;
}

std::string escaped(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const bool kept = keep_lines && (text[0] == '\n' || text[0] == '\t');
    const std::size_t length = kept ? 1 : harmless(text);
    if (length == 0) fmt::format_to(std::back_inserter(result), "\\x{:02x}", byte_at(text, 0));
    result.append(text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, true); }
std::string one_line(std::string_view text) { return escaped(text, false); }

std::string printable_json(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned byte = byte_at(text, i);
    const bool upper = byte == 0xC2 && i + 1 < text.size() && byte_at(text, i + 1) < 0xA0;
    if (byte == 0x7F || upper)
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", upper ? byte_at(text, ++i) : byte);
    else
      result.push_back(text[i]);
  }
  return result;
}

}  // namespace vergence::cli
