// SPDX-License-Identifier: Apache-2.0
// Pixels between pixels for a rectangle of them: HEVC's filters (definitions/motion/interpolate.h), across, then down.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vergence::cpu {

/// One displacement's filters.
struct Interpolation {
  static constexpr int most_taps = 8;
  static constexpr int side = 64;          ///< rectangles are at most so wide and high
  static constexpr int pitch = side + 16;  ///< of filtered rows: vectors may end behind the rectangle
  static constexpr int scratch = pitch * (side + most_taps);  ///< values that must be given

  int taps = 8;
  int first = -3;  ///< of the taps, from the whole position
  bool across = false;
  bool down = false;
  std::array<std::int32_t, most_taps> x{}, y{};
  int depth = 8;
  int max_pixel = 255;

  /// Luma with fractions in quarters, chroma with fractions in eighths.
  static Interpolation luma(int fraction_x, int fraction_y, int max_pixel);
  static Interpolation chroma(int fraction_x, int fraction_y, int max_pixel);
};

/// `from` is the whole position of the first pixel; rows lie `stride` pixels apart, those of `out` 64. Reads up to 16
/// pixels behind what the filters reach and writes up to 16 behind the rectangle.
template <class P>
using Interpolate = void (*)(const Interpolation& filters, const P* from, std::ptrdiff_t stride, int width, int height,
                             std::int32_t* scratch, P* out);
template <class P>
Interpolate<P> interpolate(std::int64_t target);

}  // namespace vergence::cpu
