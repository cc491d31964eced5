// SPDX-License-Identifier: Apache-2.0
// Source maps cut into runs and blocks: which runs have blocks, and what a block holds.
#include "cpu/rectify/blocks.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace vergence {
namespace {

/// A map of one row, all at (x, y) in 1/1024 px.
rectify::SourceMap row_map(Size source, int width, std::int32_t x, std::int32_t y) {
  return {Image<std::int32_t>(width, 1, x), Image<std::int32_t>(width, 1, y), source};
}

template <class P>
cpu::RemapBlocks blocks_of(const rectify::SourceMap& map) {
  cpu::Context context(1, cpu::simd_targets().front());
  return cpu::make_remap_blocks<P>(context, map);
}
template <class P>
bool has_blocks(const rectify::SourceMap& map, int run = 0) {
  return blocks_of<P>(map).places(run * cpu::remap_run / cpu::remap_block<P>, 0) != cpu::RemapBlocks::scattered;
}

TEST(RemapBlocks, HoldPlacesAndFractions) {
  rectify::SourceMap map = row_map({100, 50}, 16, 20 * 1024 + 256, 7 * 1024 + 512);
  map.x(1, 0) = 22 * 1024 + 1023;
  map.y(1, 0) = 8 * 1024;
  map.x(2, 0) = ~(26 * 1024);  // no source: this is the nearest place
  const cpu::RemapBlocks bytes = blocks_of<std::uint8_t>(map), words = blocks_of<std::uint16_t>(map);
  EXPECT_EQ(bytes.places(0, 0), (7u << 16) | 20u);
  EXPECT_EQ(bytes.left(0, 0), 32 * (256 - 1024));
  EXPECT_EQ(bytes.upper(0, 0), 16 * (512 - 1024));
  EXPECT_EQ(bytes.left(1, 0), 32 * (1023 - 1024) + 16 + 2);
  EXPECT_EQ(bytes.upper(1, 0), 16 * -1024);
  EXPECT_EQ(bytes.left(2, 0), 32 * -1024 + 6);
  EXPECT_EQ(words.places(0, 0), (7u << 16) | 20u);
  EXPECT_EQ(words.left(1, 0), 32 * (1023 - 1024) + 16 + 4);
  EXPECT_EQ(words.left(2, 0), 32 * -1024 + 12);
}

TEST(RemapBlocks, LieInsideThePicture) {
  const rectify::SourceMap map = row_map({100, 50}, 1, 99 * 1024, 49 * 1024);
  const cpu::RemapBlocks bytes = blocks_of<std::uint8_t>(map), words = blocks_of<std::uint16_t>(map);
  EXPECT_EQ(bytes.places(0, 0), (47u << 16) | 84u);
  EXPECT_EQ(bytes.left(0, 0), 16 + 14);  // the pair of columns 98 and 99 of rows 48 and 49, with fractions of 1024
  EXPECT_EQ(bytes.upper(0, 0), 0);
  EXPECT_EQ(words.places(0, 0), (47u << 16) | 92u);
  EXPECT_EQ(words.left(0, 0), 16 + 12);
  EXPECT_EQ(bytes.left(15, 0), bytes.left(0, 0));  // beyond the width
}

TEST(RemapBlocks, SpanThreeRowsAndSixteenBytes) {
  rectify::SourceMap map = row_map({100, 50}, 40, 20 * 1024, 7 * 1024);
  EXPECT_TRUE(has_blocks<std::uint8_t>(map));
  map.x(7, 0) = 34 * 1024;
  EXPECT_TRUE(has_blocks<std::uint8_t>(map));
  map.x(7, 0) = 35 * 1024;
  EXPECT_FALSE(has_blocks<std::uint8_t>(map));
  EXPECT_TRUE(has_blocks<std::uint8_t>(map, 1));
  map.x(7, 0) = 26 * 1024;
  EXPECT_TRUE(has_blocks<std::uint16_t>(map));
  map.x(7, 0) = 27 * 1024;
  EXPECT_FALSE(has_blocks<std::uint16_t>(map));
  map.x(7, 0) = 20 * 1024;
  map.y(39, 0) = 8 * 1024 + 1023;
  EXPECT_TRUE(has_blocks<std::uint8_t>(map, 2));
  map.y(39, 0) = 9 * 1024;
  EXPECT_FALSE(has_blocks<std::uint8_t>(map, 2));
  EXPECT_FALSE(has_blocks<std::uint16_t>(map, 2));
}

TEST(RemapBlocks, NeedAPictureOfTheirSize) {
  EXPECT_TRUE(has_blocks<std::uint8_t>(row_map({16, 3}, 16, 0, 0)));
  EXPECT_FALSE(has_blocks<std::uint8_t>(row_map({15, 3}, 16, 0, 0)));
  EXPECT_FALSE(has_blocks<std::uint8_t>(row_map({16, 2}, 16, 0, 0)));
  EXPECT_TRUE(has_blocks<std::uint16_t>(row_map({8, 3}, 16, 0, 0)));
  EXPECT_FALSE(has_blocks<std::uint16_t>(row_map({7, 3}, 16, 0, 0)));
}

}  // namespace
}  // namespace vergence
