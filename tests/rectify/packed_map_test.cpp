// SPDX-License-Identifier: Apache-2.0
// Source maps packed for GPUs: when differences of 16 bits do, and where words lie.
#include "gpu/rectify/packed_map.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace vergence {
namespace {

/// Two rows of 18 pixels: 5 work-items, of which the first four share a start.
rectify::SourceMap rows_of_18() {
  rectify::SourceMap map{Image<std::int32_t>(18, 2, 70000), Image<std::int32_t>(18, 2, 9000), {100, 50}};
  map.x(6, 0) = 70003;
  map.y(6, 0) = 8998;
  map.x(17, 0) = ~90000;  // no source: this is the nearest place
  map.x(16, 1) = 70001;
  return map;
}

TEST(PackedMap, StoresDifferences) {
  const gpu::PackedMap packed = gpu::pack_map(rows_of_18(), 4);
  EXPECT_FALSE(packed.wide);
  EXPECT_EQ(packed.items, 5);
  EXPECT_EQ(packed.starts, (std::vector<std::int32_t>{70000, 8998, 70000, 9000, 70000, 9000, 70000, 9000}));
  ASSERT_EQ(packed.words.size(), 2u * 4 * 5);
  EXPECT_EQ(packed.words[0], 2u << 16);
  EXPECT_EQ(packed.words[2 * 5 + 1], 3u);      // pixel 6: the third one of work-item 1
  EXPECT_EQ(packed.words[4], 0u);              // pixel 16
  EXPECT_EQ(packed.words[1 * 5 + 4], 20000u);  // pixel 17, and those beyond the width
  EXPECT_EQ(packed.words[3 * 5 + 4], 20000u);
  EXPECT_EQ(packed.words[4 * 5 + 4], 1u);  // of row 1
}

TEST(PackedMap, MayHaveOnePixelToAWorkItem) {
  const gpu::PackedMap packed = gpu::pack_map(rows_of_18(), 1);
  EXPECT_EQ(packed.items, 18);
  EXPECT_EQ(packed.starts, (std::vector<std::int32_t>{70000, 8998, 70000, 9000, 70000, 9000, 70000, 9000}));
  ASSERT_EQ(packed.words.size(), 2u * 18);
  EXPECT_EQ(packed.words[6], 3u);
  EXPECT_EQ(packed.words[17], 20000u);
  EXPECT_EQ(packed.words[18 + 16], 1u);
}

TEST(PackedMap, IsWideWherePlacesLieFarApart) {
  rectify::SourceMap map = rows_of_18();
  map.y(15, 1) = 9000 + 65535;
  EXPECT_FALSE(gpu::pack_map(map, 4).wide);
  map.y(15, 1) = 9000 + 65536;
  const gpu::PackedMap packed = gpu::pack_map(map, 4);
  EXPECT_TRUE(packed.wide);
  ASSERT_EQ(packed.words.size(), 2u * 4 * 2 * 5);
  EXPECT_EQ(packed.words[(2 * 2) * 5 + 1], 70003u);
  EXPECT_EQ(packed.words[(2 * 2 + 1) * 5 + 1], 8998u);
  EXPECT_EQ(packed.words[(3 * 2) * 5 + 4], 90000u);
  EXPECT_EQ(packed.words[(4 * 2 + 3 * 2 + 1) * 5 + 3], 9000u + 65536u);
}

}  // namespace
}  // namespace vergence
