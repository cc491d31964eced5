// SPDX-License-Identifier: Apache-2.0
// Counts and hashes of maps, against loops over single values and bytes.
#include "cli/map_sums.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>

#include "cli/hash.hpp"

namespace vergence::cli {
namespace {

template <class Disparity>
Image<Disparity> noise(Size size, Disparity invalid, std::mt19937& random) {
  Image<Disparity> map(size);
  std::uniform_int_distribution<int> any(std::numeric_limits<std::int16_t>::min(),
                                         std::numeric_limits<std::int16_t>::max());
  std::uniform_int_distribution<int> near(-9, 9);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const auto kind = random() % 4;
      map(x, y) = kind == 0 ? invalid : static_cast<Disparity>(kind == 1 ? near(random) : any(random));
    }
  return map;
}

template <class Disparity>
void expect_sums(const Image<Disparity>& map, int invalid) {
  std::int64_t valid = 0, zero = 0, sum = 0;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      if (map(x, y) == invalid) continue;
      ++valid;
      if (map(x, y) >= -8 && map(x, y) <= 8) ++zero;
      sum += map(x, y);
    }
  const DisparitySums found = sums_of(map.view(), invalid);
  EXPECT_EQ(found.valid, valid);
  EXPECT_EQ(found.zero, zero);
  EXPECT_EQ(found.sum, sum);
}

TEST(MapSums, AreThoseOfSinglePixels) {
  std::mt19937 random(7);
  // 40,000 px are more than one part of a row; 1/16 px of -16 is what matchers give where there is none.
  for (const Size size : {Size{1, 1}, Size{7, 3}, Size{33, 17}, Size{40000, 2}}) {
    expect_sums(noise<std::int16_t>(size, -16, random), -16);
    expect_sums(noise<std::int32_t>(size, -1600000, random), -1600000);
  }
  Image<std::int16_t> greatest(40000, 1);
  for (int x = 0; x < greatest.width(); ++x) greatest(x, 0) = 32767;
  expect_sums(greatest, -16);
  EXPECT_EQ(sums_of(greatest.view(), -16).sum, 40000LL * 32767);
}

TEST(MapSums, HashesAreFnv1aOfFourBytesANumber) {
  std::mt19937 random(8);
  const Image<std::int16_t> map = noise<std::int16_t>({61, 13}, -16, random);
  std::uint64_t state = 0xCBF29CE484222325u;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      for (int byte = 0; byte < 4; ++byte) {
        const auto value = static_cast<std::uint32_t>(std::int32_t{map(x, y)});
        state = (state ^ (value >> (8 * byte) & 255u)) * 0x100000001B3u;
      }
  DisparityHash hash;
  hash.add(map.view());
  EXPECT_EQ(hash.value(), state);
}

}  // namespace
}  // namespace vergence::cli
