// SPDX-License-Identifier: Apache-2.0
// Pictures for the tests of blur, half and gradients.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "vergence/filter.hpp"

namespace vergence::test {

inline const std::vector<FilterBorder>& borders() {
  static const std::vector<FilterBorder> all{FilterBorder::zero, FilterBorder::edge, FilterBorder::mirror,
                                             FilterBorder::blank};
  return all;
}

/// The pixel (x, y) of a picture that goes on as the border says; 0 under `blank`.
template <class P>
double around(const Image<P>& picture, int x, int y, FilterBorder border) {
  const auto along = [border](int at, int side) {
    if (border == FilterBorder::edge) return at < 0 ? 0 : at >= side ? side - 1 : at;
    while (border == FilterBorder::mirror && side > 1 && (at < 0 || at >= side)) at = at < 0 ? -at : 2 * side - 2 - at;
    return border == FilterBorder::mirror && side == 1 ? 0 : at;
  };
  const int u = along(x, picture.width()), v = along(y, picture.height());
  return u < 0 || v < 0 || u >= picture.width() || v >= picture.height() ? 0.0 : static_cast<double>(picture(u, v));
}

/// Floats that show every rounding.
inline Image<float> float_noise(Size size, std::uint64_t seed) {
  const Image<std::uint16_t> whole = noise<std::uint16_t>(size, seed, 65535);
  Image<float> image(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) image(x, y) = (static_cast<float>(whole(x, y)) - 20000.0F) / 77.0F;
  return image;
}

template <class T>
std::string bit_difference(ImageView<const T> a, ImageView<const T> b) {
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (std::memcmp(&a(x, y), &b(x, y), sizeof(T)) != 0)
        return std::to_string(x) + "," + std::to_string(y) + ": " + std::to_string(a(x, y)) + " and " +
               std::to_string(b(x, y));
  return {};
}

}  // namespace vergence::test
