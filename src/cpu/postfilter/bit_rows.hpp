// SPDX-License-Identifier: Apache-2.0
// Rows of bits, one per pixel, pixel 0 in the lowest bit of the first word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace vergence::cpu {

constexpr int word_bits = 64;

/// Words that hold `width` bits.
constexpr int bit_words(int width) { return (width + word_bits - 1) / word_bits; }

/// First x >= from with the bit `value`, or `width`.
inline int find_bit(const std::uint64_t* bits, int from, int width, bool value) {
  if (from >= width) return width;
  const std::uint64_t flip = value ? 0 : ~std::uint64_t{0};
  int word = from / word_bits;
  std::uint64_t rest = (bits[word] ^ flip) & (~std::uint64_t{0} << (from % word_bits));
  const int words = bit_words(width);
  while (rest == 0) {
    if (++word == words) return width;
    rest = bits[word] ^ flip;
  }
  return std::min(width, word * word_bits + std::countr_zero(rest));
}

/// Calls body(first, last) for every run [first, last) of zeros.
template <class Body>
inline void for_each_hole(const std::uint64_t* bits, int width, Body&& body) {
  for (int first = find_bit(bits, 0, width, false); first < width;) {
    const int last = find_bit(bits, first, width, true);
    body(first, last);
    first = find_bit(bits, last, width, false);
  }
}

}  // namespace vergence::cpu
