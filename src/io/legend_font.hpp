// SPDX-License-Identifier: Apache-2.0
// A tiny font for legends: 5 columns, 7 rows and 2 below the line; the digits, '-', '.', '<', '=', '>' and the small
// letters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vergence::io {

/// Rows from the top; bit 4 is the left column. Letters without a part below the line have zeros there.
using Glyph = std::array<std::uint8_t, 9>;

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
  static constexpr Glyph less{0b00010, 0b00100, 0b01000, 0b10000, 0b01000, 0b00100, 0b00010};
  static constexpr Glyph equals{0, 0, 0b11111, 0, 0b11111, 0, 0};
  static constexpr Glyph greater{0b01000, 0b00100, 0b00010, 0b00001, 0b00010, 0b00100, 0b01000};
  static constexpr Glyph point{0, 0, 0, 0, 0, 0b00100, 0b00100};
  static constexpr std::array<Glyph, 26> letters = {{
      {0b00000, 0b00000, 0b01110, 0b00001, 0b01111, 0b10001, 0b01111},                    // a
      {0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b11110},                    // b
      {0b00000, 0b00000, 0b01111, 0b10000, 0b10000, 0b10000, 0b01111},                    // c
      {0b00001, 0b00001, 0b01111, 0b10001, 0b10001, 0b10001, 0b01111},                    // d
      {0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110},                    // e
      {0b00110, 0b01000, 0b11110, 0b01000, 0b01000, 0b01000, 0b01000},                    // f
      {0b00000, 0b00000, 0b01111, 0b10001, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110},  // g
      {0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001},                    // h
      {0b00100, 0b00000, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110},                    // i
      {0b00010, 0b00000, 0b00110, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100},  // j
      {0b10000, 0b10000, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010},                    // k
      {0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},                    // l
      {0b00000, 0b00000, 0b11010, 0b10101, 0b10101, 0b10101, 0b10101},                    // m
      {0b00000, 0b00000, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001},                    // n
      {0b00000, 0b00000, 0b01110, 0b10001, 0b10001, 0b10001, 0b01110},                    // o
      {0b00000, 0b00000, 0b11110, 0b10001, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000},  // p
      {0b00000, 0b00000, 0b01111, 0b10001, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001},  // q
      {0b00000, 0b00000, 0b10110, 0b11000, 0b10000, 0b10000, 0b10000},                    // r
      {0b00000, 0b00000, 0b01111, 0b10000, 0b01110, 0b00001, 0b11110},                    // s
      {0b01000, 0b01000, 0b11110, 0b01000, 0b01000, 0b01000, 0b00110},                    // t
      {0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b10001, 0b01111},                    // u
      {0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100},                    // v
      {0b00000, 0b00000, 0b10001, 0b10101, 0b10101, 0b10101, 0b01010},                    // w
      {0b00000, 0b00000, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001},                    // x
      {0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110},  // y
      {0b00000, 0b00000, 0b11111, 0b00010, 0b00100, 0b01000, 0b11111},                    // z
  }};
  if (c >= '0' && c <= '9') return digits[static_cast<std::size_t>(c - '0')];
  if (c >= 'a' && c <= 'z') return letters[static_cast<std::size_t>(c - 'a')];
  if (c == '-') return minus;
  if (c == '<') return less;
  if (c == '=') return equals;
  if (c == '>') return greater;
  return c == '.' ? point : blank;
}

}  // namespace vergence::io
