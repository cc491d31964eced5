// SPDX-License-Identifier: Apache-2.0
// Source maps packed for GPUs: which follow lines closely enough, and where words lie.
#include "gpu/rectify/packed_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vergence {
namespace {

/// Two rows of 180 pixels: six runs, of which the last has 20 pixels, in two times four.
rectify::SourceMap rows_of_180() {
  rectify::SourceMap map{Image<std::int32_t>(180, 2), Image<std::int32_t>(180, 2), {300, 50}};
  for (int v = 0; v < 2; ++v)
    for (int u = 0; u < 180; ++u) {
      map.x(u, v) = 7000 + 1000 * u;
      map.y(u, v) = 9000 - 3 * u + v;
    }
  return map;
}
constexpr std::int32_t outside = 1 << 30;
std::int64_t start_of(std::int32_t stored) { return stored < -outside / 2 ? stored + outside : stored; }
/// What the packed map says of a pixel, by the rule in its header.
std::array<std::int64_t, 2> unpacked(const gpu::PackedMaps& packed, const rectify::SourceMap& map, int u, int v) {
  const int fours = (map.x.width() + 127) / 128, four = v * fours + u / 128, i = u / 32 % 4;
  std::array<std::int64_t, 2> place;
  for (int axis = 0; axis < 2; ++axis) {
    const auto run = static_cast<std::size_t>(4 * (4 * four + i) + axis);
    const std::uint32_t word = packed.words[static_cast<std::size_t>(2 * (32 * four + u % 32) + axis)];
    const std::int64_t line = start_of(packed.runs[run]) + std::int64_t{u % 32} * packed.runs[run + 2];
    const int last = 1024 * ((axis == 0 ? map.source.width : map.source.height) - 1);
    place[static_cast<std::size_t>(axis)] = std::clamp<std::int64_t>(line + (word >> (8 * i) & 255), 0, last);
  }
  return place;
}
/// The map as that of the right camera.
void expect_unpacked(const rectify::SourceMap& map) {
  const rectify::SourceMap left{Image<std::int32_t>(map.x.size(), 0), Image<std::int32_t>(map.x.size(), 0), map.source};
  gpu::PackedMaps packed = gpu::pack_maps(left, map);
  ASSERT_FALSE(packed.wide);
  const auto rows = static_cast<std::size_t>(map.x.height()), columns = static_cast<std::size_t>(map.x.width());
  ASSERT_EQ(packed.words.size(), 2 * 64 * rows * ((columns + 127) / 128));
  ASSERT_EQ(packed.runs.size(), 2 * 16 * rows * ((columns + 127) / 128));
  packed.words.erase(packed.words.begin(), packed.words.begin() + std::ssize(packed.words) / 2);
  packed.runs.erase(packed.runs.begin(), packed.runs.begin() + std::ssize(packed.runs) / 2);
  for (int v = 0; v < map.x.height(); ++v)
    for (int u = 0; u < map.x.width(); ++u) {
      const std::int32_t x = map.x(u, v) < 0 ? ~map.x(u, v) : map.x(u, v);
      ASSERT_EQ(unpacked(packed, map, u, v), (std::array<std::int64_t, 2>{x, map.y(u, v)})) << u << ' ' << v;
    }
}

TEST(PackedMap, StoresWhatIsBesideALine) {
  rectify::SourceMap map = rows_of_180();
  map.x(6, 0) += 255;
  map.x(32 + 6, 0) += 254;
  map.y(79, 1) -= 200;
  map.x(17, 0) = ~map.x(17, 0);  // no source: this is the nearest place
  const gpu::PackedMaps packed = gpu::pack_maps(map, map);
  EXPECT_EQ(packed.fours, 2);
  EXPECT_EQ(packed.runs[0], 7000);  // the least start that pixel 6 allows
  EXPECT_EQ(packed.runs[2], 1000);
  EXPECT_EQ(packed.runs[3], -3);
  EXPECT_EQ(packed.words[2 * 6] & 0xFFFFu, 255u | 254u << 8);
  expect_unpacked(map);
}

TEST(PackedMap, LetsTheKernelMovePlacesIntoThePicture) {
  rectify::SourceMap map = rows_of_180();
  for (int v = 0; v < 2; ++v)
    for (int u = 0; u < 180; ++u) {
      map.x(u, v) = ~std::clamp(1024 * (98 - 10 * v) + 1500 * u, 0, 1024 * 299);
      map.y(u, v) = std::clamp(-13000 + 1400 * u, 0, 1024 * 49);
    }
  expect_unpacked(map);
}

TEST(PackedMap, TakesRunsOfWhichOnePixelIsInside) {
  rectify::SourceMap map = rows_of_180();
  for (int u = 0; u < 180; ++u) {
    map.x(u, 0) = u < 31 ? 0 : 700 + 1100 * (u - 31);
    map.x(u, 1) = u > 0 ? 1024 * 299 : 1024 * 298 + 30;
  }
  expect_unpacked(map);
}

TEST(PackedMap, IsWideWherePlacesFollowNoLine) {
  rectify::SourceMap map = rows_of_180();
  map.x(15, 1) = ~map.x(15, 1);
  map.y(7, 1) = 9000 - 3 * 7 + 1 + 255;
  EXPECT_FALSE(gpu::pack_maps(rows_of_180(), map).wide);
  map.y(7, 1) += 1;
  EXPECT_TRUE(gpu::pack_maps(rows_of_180(), map).wide);
  const gpu::PackedMaps packed = gpu::pack_maps(map, rows_of_180());
  EXPECT_TRUE(packed.wide);
  ASSERT_EQ(packed.words.size(), 2u * 2 * 2 * 180);
  EXPECT_EQ(packed.words[6], 13000u);
  EXPECT_EQ(packed.words[180 + 6], 8982u);
  EXPECT_EQ(packed.words[2 * 180 + 15], 22000u);  // of row 1
  EXPECT_EQ(packed.words[3 * 180 + 7], 9236u);
  EXPECT_EQ(packed.words[5 * 180 + 7], 8979u);  // of the other camera
}

/// Of a run of 20 pixels, whose pixels beyond the width count: the kernel reads them.
TEST(PackedMap, SaysWhatLiesInsideWithItsNeighbours) {
  const auto inside = [](int x, int y) {
    const rectify::SourceMap map{Image<std::int32_t>(20, 1, x), Image<std::int32_t>(20, 1, y), {100, 50}};
    return gpu::pack_maps(map, map).runs[0] > -outside / 2;
  };
  // A line of no step and bytes of 127: it lies 127 before the places, and pixels beyond the width lie there.
  EXPECT_TRUE(inside(1000, 1000));
  EXPECT_TRUE(inside(127, 1000));
  EXPECT_FALSE(inside(126, 1000));
  EXPECT_TRUE(inside(1024 * 99 - 1, 1000));
  EXPECT_FALSE(inside(1024 * 99, 1000));
  EXPECT_TRUE(inside(1000, 1024 * 49 - 1));
  EXPECT_FALSE(inside(1000, 1024 * 49));
}

TEST(PackedMap, IsWideWhereStepsAreTooLong) {
  rectify::SourceMap map{Image<std::int32_t>(2, 1, 0), Image<std::int32_t>(2, 1, 0), {40000, 2}};
  map.x(0, 0) = 1;
  map.x(1, 0) = 1 + (1 << 23);
  expect_unpacked(map);
  map.x(1, 0) += 1;
  EXPECT_TRUE(gpu::pack_maps(map, map).wide);
}

}  // namespace
}  // namespace vergence
