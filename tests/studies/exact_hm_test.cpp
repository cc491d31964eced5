// SPDX-License-Identifier: Apache-2.0
// HM's test-zone search: vectors of known motion, predictions from neighbours, ties by the scan, the rate.
#include "published/exact_hm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "core/pictures.hpp"
#include "motion/motion_oracle.hpp"
#include "motion/search_oracle.hpp"

namespace vergence::reference::exact_hm {
namespace {

TEST(ExactHm, ClimbsAHill) {
  const test::Hill frames = test::hill({72, 72}, 7, -12);
  Settings settings;
  settings.block = {24, 24};
  settings.range = 24;
  for (const bool early : {false, true}) {
    settings.stops_early = early;
    const Match match = test_zones(frames.current, frames.reference, settings)(1, 1);
    EXPECT_EQ(match, (Match{7, -12, 0}));
  }
}

TEST(ExactHm, NeighboursLeadToWhatDiamondsMiss) {
  // Fine noise moved by (11, 1), which lies on the raster of the first window: a block that gets there finds it; once
  // two of a block's neighbours have it, its prediction has it too.
  const Image<std::uint8_t> reference = test::noise<std::uint8_t>({240, 160}, 5, 255);
  Image<std::uint8_t> current(240, 160);
  for (int y = 0; y < 160; ++y)
    for (int x = 0; x < 240; ++x) current(x, y) = reference(std::min(x + 11, 239), std::min(y + 1, 159));
  Settings settings;
  settings.stops_early = false;
  const Image<Match> matches = test_zones(current, reference, settings);
  int followed = 0;
  for (int y = 1; y + 1 < matches.height(); ++y)
    for (int x = 1; x + 2 < matches.width(); ++x) {
      const auto has = [&](int u, int v) { return matches(u, v).dx == 11 && matches(u, v).dy == 1; };
      if (has(x - 1, y) + has(x, y - 1) + has(x + 1, y - 1) < 2) continue;
      ++followed;
      EXPECT_EQ(matches(x, y).j, 0u) << x << "," << y;
    }
  EXPECT_GT(followed, 0);
}

TEST(ExactHm, TiesKeepTheFirst) {
  // Stripes of period 4 two px apart: (-2, 0) and (2, 0) cost nothing. In the diamond of 2, W comes before E; up and
  // down cost as much as staying.
  Image<std::uint8_t> current(64, 48);
  Image<std::uint8_t> reference(64, 48);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      reference(x, y) = x % 4 < 2 ? 200 : 0;
      current(x, y) = x % 4 < 2 ? 0 : 200;
    }
  Settings settings;
  settings.range = 4;
  EXPECT_EQ(test_zones(current, reference, settings)(1, 1), (Match{-2, 0, 0}));
}

TEST(ExactHm, RateAndRowsByHand) {
  const Image<std::uint8_t> reference(32, 32, 10);
  const Image<std::uint8_t> current(32, 32, 13);
  Settings settings;
  settings.lambda = 4 * 65536;
  // Every candidate costs 256 x 3; the zero vector has one bit per component.
  EXPECT_EQ(test_zones(current, reference, settings)(0, 0), (Match{0, 0, 768 + 8}));
  Image<std::uint8_t> striped(32, 32);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) striped(x, y) = y % 2 == 0 ? 10 : 20;
  settings.lambda = 1000 * 65536;
  settings.skips_rows = true;  // sees the even rows alone
  EXPECT_EQ(test_zones(striped, reference, settings)(0, 0), (Match{0, 0, 2000}));
  settings.skips_rows = false;
  EXPECT_EQ(test_zones(striped, reference, settings)(0, 0), (Match{0, 0, 128 * 10 + 2000}));
}

}  // namespace
}  // namespace vergence::reference::exact_hm
