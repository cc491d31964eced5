// SPDX-License-Identifier: Apache-2.0
// A tiny font for legends: 5 columns, 7 rows; the digits, '-', '.', and the letters of "invalid".
#pragma once

#include <array>
#include <cstdint>

namespace vergence::io {

/// Rows from the top; bit 4 is the left column.
using Glyph = std::array<std::uint8_t, 7>;

/// An unknown character is blank.
inline const Glyph& glyph(char c) {
  static constexpr Glyph blank{};
  static constexpr std::array<Glyph, 10> digits = {{
      {0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110},
      {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
      {0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111},
      {0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110},
      {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
      {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
      {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
      {0b11111, 0b00001, 0b00010, 0b00010, 0b00100, 0b00100, 0b00100},
      {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
      {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100},
  }};
  static constexpr Glyph minus{0, 0, 0, 0b01110, 0, 0, 0};
  static constexpr Glyph point{0, 0, 0, 0, 0, 0b00100, 0b00100};
  static constexpr Glyph letter_i{0b00100, 0, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110};
  static constexpr Glyph letter_n{0, 0, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001};
  static constexpr Glyph letter_v{0, 0, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100};
  static constexpr Glyph letter_a{0, 0, 0b01110, 0b00001, 0b01111, 0b10001, 0b01111};
  static constexpr Glyph letter_l{0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110};
  static constexpr Glyph letter_d{0b00001, 0b00001, 0b01111, 0b10001, 0b10001, 0b10001, 0b01111};
  if (c >= '0' && c <= '9') return digits[static_cast<std::size_t>(c - '0')];
  switch (c) {
    case '-':
      return minus;
    case '.':
      return point;
    case 'i':
      return letter_i;
    case 'n':
      return letter_n;
    case 'v':
      return letter_v;
    case 'a':
      return letter_a;
    case 'l':
      return letter_l;
    case 'd':
      return letter_d;
    default:
      return blank;
  }
}

}  // namespace vergence::io
