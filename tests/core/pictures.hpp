// SPDX-License-Identifier: Apache-2.0
// Small pictures for tests of the matcher: seeded noise, and the same noise shifted.
#pragma once

#include <cstdint>

#include "vergence/image.hpp"

namespace vergence::test {

template <class P>
Image<P> noise(Size size, std::uint64_t seed, unsigned largest) {
  Image<P> image(size);
  std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      image(x, y) = static_cast<P>((state >> 33) % (largest + 1u));
    }
  return image;
}

/// The right picture of a left one that is `disparity` px away everywhere.
template <class P>
Image<P> shifted(const Image<P>& left, int disparity) {
  Image<P> right(left.size());
  for (int y = 0; y < left.height(); ++y)
    for (int x = 0; x < left.width(); ++x) right(x, y) = left((x + disparity) % left.width(), y);
  return right;
}

}  // namespace vergence::test
