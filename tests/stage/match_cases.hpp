// SPDX-License-Identifier: Apache-2.0
// Hand-picked cases for the tests of `match`: pictures, and settings that a test does not name.
#pragma once

#include <cstdint>

#include "core/random.hpp"
#include "verify/stereo_cases.hpp"

namespace vergence::test {

/// What the pictures of a hand-picked case show.
enum class Pictures {
  noise,     ///< no order
  texture,   ///< a match with noise of a few levels, so that ties are frequent
  opposite,  ///< 0 against the largest value: the largest cost in every window
  extremes,  ///< 0 and the largest value at random: costs near the largest, and ties
  stripes,   ///< the same again after some columns, 1 to 70, but for few pixels: ties that far apart
  flat,      ///< one value: all candidates tie
  pairs,     ///< columns in pairs, 9 levels: neighbours tie, and candidates 18 px apart
  beyond,    ///< a ramp that matches just beyond the last candidate, which ties with what lies there
};

template <class P>
void paint(Random& random, Pictures kind, int largest, const StereoOptions& options, Image<P>& left, Image<P>& right) {
  const int period = kind == Pictures::stripes ? random.within(1, random.once_in(2) ? 4 : 70) : 1;
  const int shift = options.min_disparity + (kind == Pictures::beyond ? options.disparities : options.disparities / 2);
  for (int y = 0; y < left.height(); ++y)
    for (int x = 0; x < left.width(); ++x) {
      const auto value = [&](bool other) {
        if (kind == Pictures::opposite) return other ? largest : 0;
        if (kind == Pictures::flat) return largest / 2;
        if (kind == Pictures::pairs) return ((x + (other ? shift : 0)) / 2 % 9 + 9) % 9 * largest / 8;
        if (kind == Pictures::beyond) return ((x + (other ? shift : 0)) & 255) * largest / 255;
        if (kind == Pictures::extremes) return random.within(0, 1) * largest;
        if (kind == Pictures::noise) return random.within(0, largest);
        if (kind == Pictures::stripes) return random.once_in(60) ? 0 : x % period * 97 % 64 * (largest / 64);
        const int column = other ? x + shift : x;
        const int texture = (column * 7 + y * 13 + column / 5 * 31) % 23;  // columns may be negative
        return ((texture + 23) % 23 + random.within(0, 1)) * largest / 24;
      };
      left(x, y) = static_cast<P>(value(false));
      right(x, y) = static_cast<P>(value(true));
    }
}

inline StereoCase make_case(std::uint64_t seed, Size size, const StereoOptions& options, Pictures kind) {
  Random random(seed);
  StereoCase result;
  result.size = size;
  result.options = options;
  result.seed = seed;
  if (options.depth == Depth::u8) {
    result.left8 = Image<std::uint8_t>(size);
    result.right8 = Image<std::uint8_t>(size);
    paint(random, kind, 255, options, result.left8, result.right8);
  } else {
    result.left16 = Image<std::uint16_t>(size);
    result.right16 = Image<std::uint16_t>(size);
    paint(random, kind, options.max_value, options, result.left16, result.right16);
  }
  if (seed % 5 == 3) {
    result.left_mask = make_source_mask(random, size);
    result.right_mask = make_source_mask(random, size);
  }
  return result;
}

/// The fields that a test does not name, from a number.
inline StereoOptions vary(std::uint64_t number) {
  Random random(number);
  StereoOptions options;
  options.speckle_size = 0;
  options.reference = random.once_in(2) ? StereoView::right : StereoView::left;
  options.tie = random.once_in(2) ? StereoTie::highest : StereoTie::lowest;
  options.subpixel = !random.once_in(4);
  options.left_right = random.once_in(2) ? -1 : random.within(0, 2);
  if (random.once_in(3)) options.uniqueness_ratio = random.within(1, 30);
  if (random.once_in(4)) options.texture_threshold = random.within(1, 500);
  options.reject_ties = random.once_in(2);
  return options;
}

inline void without_check(StereoOptions& options, StereoOutside outside) {
  options.outside = outside;
  if (outside != StereoOutside::skip) options.left_right = -1;
}

}  // namespace vergence::test
