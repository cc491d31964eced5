// SPDX-License-Identifier: Apache-2.0
// Sums of bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace vergence::inspect {

/// Defined elsewhere, so that compilers do not know that they are 0: differences of bytes have an instruction of their
/// own, sums have not.
extern const std::array<std::uint8_t, 4096> zeros;

/// How far two pixels are apart, in bytes or words, of which SIMD takes most.
inline std::uint8_t pixels_apart(std::uint8_t a, std::uint8_t b) {
  return static_cast<std::uint8_t>(a > b ? a - b : b - a);
}
inline std::uint16_t pixels_apart(std::uint16_t a, std::uint16_t b) {
  return static_cast<std::uint16_t>(a > b ? a - b : b - a);
}

inline int sum_of(const std::uint8_t* bytes, int count) {
  const auto piece = static_cast<int>(zeros.size());
  int sum = 0;
  for (int first = 0; first < count; first += piece) {
    const std::uint8_t *const from = bytes + first, *const zero = zeros.data();
    const int here = std::min(count - first, piece);
    for (int x = 0; x < here; ++x) sum += std::abs(from[x] - zero[x]);
  }
  return sum;
}

}  // namespace vergence::inspect
