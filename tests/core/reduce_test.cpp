// SPDX-License-Identifier: Apache-2.0
// Reduced pictures, against means of single blocks.
#include "core/reduce.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>

namespace vergence {
namespace {

template <class T>
void expect_means(Size size, int factor, bool white, std::mt19937& random) {
  Image<T> picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      picture(x, y) = white ? std::numeric_limits<T>::max() : static_cast<T>(random());
  const Image<T> small = reduced(ImageView<const T>(picture.view()), factor);
  ASSERT_EQ(small.width(), size.width / factor);
  ASSERT_EQ(small.height(), size.height / factor);
  for (int y = 0; y < small.height(); ++y)
    for (int x = 0; x < small.width(); ++x) {
      std::uint64_t sum = 0;
      for (int v = 0; v < factor; ++v)
        for (int u = 0; u < factor; ++u) sum += picture(x * factor + u, y * factor + v);
      const std::uint64_t area = static_cast<std::uint64_t>(factor) * static_cast<std::uint64_t>(factor);
      ASSERT_EQ(small(x, y), (2 * sum + area) / (2 * area)) << x << ", " << y << " by " << factor;
    }
}

TEST(Reduce, GivesMeansOfBlocksHalvesUp) {
  std::mt19937 random(3);
  for (const bool white : {false, true})
    for (const int factor : {1, 2, 3, 4, 5, 16, 256}) {
      expect_means<std::uint8_t>({3 * factor + 1, 2 * factor}, factor, white, random);
      expect_means<std::uint16_t>({2 * factor, factor + factor / 2}, factor, white, random);
    }
  expect_means<std::uint8_t>({131, 67}, 2, false, random);
  expect_means<std::uint16_t>({133, 37}, 4, false, random);
}

}  // namespace
}  // namespace vergence
