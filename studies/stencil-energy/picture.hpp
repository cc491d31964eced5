// SPDX-License-Identifier: Apache-2.0
// A picture of floats with margins of zeros, as kernels and the scalar program read it, and what must come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vergence/image.hpp"

namespace vergence::studies::stencil_energy {

/// Where pixels lie: two rows of margin above and below, 16 floats or more at either side, rows at multiples of 64
/// bytes.
struct Layout {
  explicit Layout(Size picture);
  Size size;
  int pitch = 0;   ///< Floats from row to row.
  int origin = 0;  ///< Floats before the first pixel.
  std::size_t floats = 0;

  std::size_t bytes() const { return floats * sizeof(float); }
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(origin) + static_cast<std::size_t>(y) * static_cast<std::size_t>(pitch) +
           static_cast<std::size_t>(x);
  }
};

/// What the stencil is made of: 25 points (blur 1 4 6 4 1) or 9 (Sobel's gradient across).
bool is_blur(int points);
/// Operations per pixel as the paper counts them: a multiplication for each weight, additions, a scaling, both passes.
int counted_flop(int points);
/// Operations per pixel that the fixed order has.
int executed_flop(int points);

/// A picture and its results, in floats.
struct Pictures {
  Pictures(const Image<std::uint8_t>& source, Size size, int points);
  Layout layout;
  int points;
  Image<float> plain;                            ///< Without margins, for the library's filters.
  std::vector<float> in;                         ///< With margins.
  std::vector<float> poison;                     ///< Margins of zeros, and pixels that no stencil gives.
  std::vector<float> after_across, after_whole;  ///< What must come out.

  /// Pixels of `got` that have other bits than `expected`.
  std::int64_t differing(const std::vector<float>& expected, const std::vector<float>& got) const;
  std::int64_t differing(const Image<float>& got) const;
  /// The result in grey levels; 128 is a gradient of 0.
  Image<std::uint8_t> grey() const;
};

}  // namespace vergence::studies::stencil_energy
