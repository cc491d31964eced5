// SPDX-License-Identifier: Apache-2.0
// Text for people.
#include "cli/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace vergence::cli {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Characters that change the direction of writing, or that nobody sees.
bool hides(char32_t character) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range ranges[] = {{0x00AD, 0x00AD}, {0x061C, 0x061C}, {0x115F, 0x1160}, {0x180E, 0x180E},
                              {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},
                              {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF}};
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [character](const Range& range) { return character >= range.first && character <= range.last; });
}

/// The character at the start of `text`, which has so many bytes.
char32_t character_at(std::string_view text, std::size_t length) {
  char32_t character = byte_at(text, 0) & (0xFFu >> (length == 1 ? 0 : length + 1));
  for (std::size_t i = 1; i < length; ++i) character = character << 6 | (byte_at(text, i) & 0x3Fu);
  return character;
}

/// Length of the character at the start of `text` that a terminal may get; 0: it may not.
std::size_t harmless(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return first >= ' ' && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 && first <= 0xF4 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0u) != 0x80u) return 0;
  if (first == 0xC2 && byte_at(text, 1) < 0xA0) return 0;  // more control characters
  return hides(character_at(text, length)) ? 0 : length;
}

std::string escaped(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const bool kept = keep_lines && (text[0] == '\n' || text[0] == '\t');
    const std::size_t length = kept ? 1 : harmless(text);
    if (length == 0) result += fmt::format("\\x{:02x}", byte_at(text, 0));
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
  while (!text.empty()) {
    const unsigned first = byte_at(text, 0);  // of UTF-8, which JSON always is
    const std::size_t length = std::min<std::size_t>(text.size(), first >= 0xF0   ? 4
                                                                  : first >= 0xE0 ? 3
                                                                  : first >= 0xC2 ? 2
                                                                                  : 1);
    const char32_t character = character_at(text, length);
    if (character > 0xFFFF && hides(character))
      result += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + static_cast<unsigned>(character >> 10),
                            0xDC00 + static_cast<unsigned>(character & 0x3FF));
    else if (hides(character) || (character >= 0x7F && character < 0xA0))
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
    else
      result.append(text.substr(0, length));
    text.remove_prefix(length);
  }
  return result;
}

std::string shell_word(std::string_view name) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./%+=:,@";
  const std::string safe = (name.starts_with('-') ? "./" : "") + std::string(name);
  if (safe.find_first_not_of(plain) == std::string::npos) return safe;
  std::string result = "'";
  for (const char letter : safe) result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return result + "'";
}

}  // namespace vergence::cli
