// SPDX-License-Identifier: Apache-2.0
// Pictures for the tests of blur, half and gradients, and their comparison on every SIMD target with the reference.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "cpu/context.hpp"
#include "support/filter_maps.hpp"
#include "vergence/filter.hpp"

namespace vergence::test {

inline const std::vector<FilterBorder>& borders() {
  static const std::vector<FilterBorder> all{FilterBorder::zero, FilterBorder::edge, FilterBorder::mirror,
                                             FilterBorder::blank};
  return all;
}

/// Sizes about the filters' reach, vectors of all lengths, and bands of rows.
inline const std::vector<Size>& filter_sizes() {
  static const std::vector<Size> all{{1, 1}, {2, 1},  {1, 2},  {3, 3},   {4, 2},   {5, 5},    {2, 9},
                                     {9, 4}, {17, 7}, {33, 6}, {64, 70}, {67, 65}, {131, 40}, {200, 150}};
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

/// run(filter, in, out) gives the same bits on every SIMD target as on the reference, writing nothing beside `out`.
template <class P, class T>
void expect_equal_on_cpu(
    const std::function<Image<P>(Size, std::uint64_t)>& picture,
    const std::function<Size(const PictureFilter&)>& out_size,
    const std::function<void(PictureFilter&, ImageView<const P>, ImageView<T>, FilterBorder)>& run) {
  std::uint64_t seed = 1;
  for (const Size size : filter_sizes())
    for (const FilterBorder border : borders()) {
      const Image<P> owned = picture(size, ++seed);
      GuardedMap<P> in(size, static_cast<int>(seed % 4));
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) in.view()(x, y) = owned(x, y);
      PictureFilter reference(Device("reference"), size);
      GuardedMap<T> expected(out_size(reference), 1);
      run(reference, in.readable(), expected.view(), border);
      for (const std::int64_t target : cpu::simd_targets()) {
        const int threads = static_cast<int>(seed % 3) + 1;
        PictureFilter filter(Device("cpu", {threads, cpu::simd_name(target)}), size);
        GuardedMap<T> got(out_size(filter), 2);
        run(filter, in.readable(), got.view(), border);
        ASSERT_EQ(bit_difference<T>(expected.view(), got.view()), "")
            << size.width << "x" << size.height << ", border " << static_cast<int>(border) << ", "
            << cpu::simd_name(target);
        ASSERT_TRUE(got.guards_hold()) << size.width << "x" << size.height << ", " << cpu::simd_name(target);
      }
    }
}

}  // namespace vergence::test
