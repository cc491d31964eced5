// SPDX-License-Identifier: Apache-2.0
// A second implementation of samples between pixels: both filters always, from written tables.
#pragma once

#include <algorithm>
#include <array>

#include "vergence/image.hpp"

namespace vergence::test {

inline constexpr std::array<std::array<int, 8>, 4> luma_taps{{{0, 0, 0, 64, 0, 0, 0, 0},
                                                              {-1, 4, -10, 58, 17, -5, 1, 0},
                                                              {-1, 4, -11, 40, 40, -11, 4, -1},
                                                              {0, 1, -5, 17, 58, -10, 4, -1}}};
inline constexpr std::array<std::array<int, 4>, 8> chroma_taps{{{0, 64, 0, 0},
                                                                {-2, 58, 10, -2},
                                                                {-4, 54, 16, -2},
                                                                {-6, 46, 28, -4},
                                                                {-4, 36, 36, -4},
                                                                {-4, 28, 46, -6},
                                                                {-2, 16, 54, -4},
                                                                {-2, 10, 58, -2}}};

/// At (x / units, y / units), units 4 for luma taps and 8 for chroma taps.
template <class P, std::size_t taps, std::size_t units>
int sample(const Image<P>& image, const std::array<std::array<int, taps>, units>& table, int x, int y, int max_pixel) {
  constexpr int unit = static_cast<int>(units);
  constexpr int first = 1 - static_cast<int>(taps) / 2;
  const auto floor_of = [](int v) { return (v - ((v % unit) + unit) % unit) / unit; };
  int depth = 8;
  for (int largest = 255; largest < max_pixel; largest = 2 * largest + 1) ++depth;
  const int shift_1 = std::min(4, depth - 8);
  const int shift_3 = std::max(2, 14 - depth);
  const auto& across = table[static_cast<std::size_t>(x - floor_of(x) * unit)];
  const auto& down = table[static_cast<std::size_t>(y - floor_of(y) * unit)];
  long long sum = 0;
  for (int v = 0; v < static_cast<int>(taps); ++v) {
    long long row = 0;
    for (int u = 0; u < static_cast<int>(taps); ++u)
      row += across[static_cast<std::size_t>(u)] *
             static_cast<long long>(image(std::clamp(floor_of(x) + first + u, 0, image.width() - 1),
                                          std::clamp(floor_of(y) + first + v, 0, image.height() - 1)));
    sum += down[static_cast<std::size_t>(v)] * (row >> shift_1);
  }
  const long long value = ((sum >> 6) + (1 << (shift_3 - 1))) >> shift_3;
  return static_cast<int>(std::clamp<long long>(value, 0, max_pixel));
}

}  // namespace vergence::test
