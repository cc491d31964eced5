// SPDX-License-Identifier: Apache-2.0
// The published program's rules, faults included: counts that were worked out for three frame sizes, ties, stale
// pixels.
#include "published/exact_lab.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/pictures.hpp"

namespace vergence::reference::exact_lab {
namespace {

struct SizeCounts {
  Size size, blocks;
  long long candidates, overwritten;
};

TEST(ExactLab, CountsOfThreeFrameSizes) {
  const std::vector<SizeCounts> table{{{416, 240}, {13, 7}, 1106944, 18780},
                                      {{832, 480}, {26, 15}, 5419008, 38460},
                                      {{1920, 1080}, {60, 33}, 30730752, 89100}};
  for (const SizeCounts& row : table) {
    EXPECT_EQ(blocks(row.size), row.blocks);
    long long candidates = 0;
    for (int y = 0; y < row.blocks.height; ++y)
      for (int x = 0; x < row.blocks.width; ++x) {
        // The two axes are independent: count one, then the other.
        int rows = 0;
        int columns = 0;
        for (int d = -64; d < 64; ++d) {
          if (is_valid(row.size, 0, 32 * y, -64, d)) ++rows;
          if (is_valid(row.size, 32 * x, 0, d, -64)) ++columns;
        }
        candidates += static_cast<long long>(rows) * columns;
      }
    EXPECT_EQ(candidates, row.candidates);
    // Pixels that are the reference's whatever the vectors say: vectors that leave the frame write nothing.
    const Image<std::uint8_t> reference(row.size, 1);
    Image<std::uint8_t> reconstruction(row.size, 0);
    const Image<Match> away(row.blocks, Match{20000, 0, 0});
    reconstruct(reference, away, reconstruction);
    long long overwritten = 0;
    for (int y = 0; y < row.size.height; ++y)
      overwritten += std::count(reconstruction.row(y), reconstruction.row(y) + row.size.width, 1);
    EXPECT_EQ(overwritten, row.overwritten);
  }
}

TEST(ExactLab, FindsAShift) {
  const Image<std::uint8_t> reference = test::noise<std::uint8_t>({128, 96}, 3, 255);
  const Image<std::uint8_t> current = test::shifted(reference, 5);
  const Image<Match> matches = full(current, reference);
  EXPECT_EQ(matches(1, 0), (Match{5, 0, 0}));
  // The block at row 32 may not stay where it is: 32 + 64 is not below 96.
  EXPECT_LT(matches(1, 1).dy, 0);
  EXPECT_GT(matches(1, 1).sad, 0);
}

TEST(ExactLab, TiesAreOfTheScan) {
  // All candidates inside cost nothing: the first in each scan wins. Those above and left of the frame meet zeros.
  const Image<std::uint8_t> flat({96, 96}, 50);
  const Image<Match> first = full(flat, flat, Scan::rows);
  EXPECT_EQ(first(2, 2), (Match{-64, -64, 0}));
  EXPECT_EQ(first(1, 2), (Match{-32, -64, 0}));
  // Stripes of period 2 in x + y: (-1, 0) and (0, -1) cost nothing; rows meet (0, -1) first, columns (-1, 0).
  Image<std::uint8_t> even(256, 256);
  Image<std::uint8_t> odd(256, 256);
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      even(x, y) = static_cast<std::uint8_t>((x + y) % 2 * 200);
      odd(x, y) = static_cast<std::uint8_t>((x + y + 1) % 2 * 200);
    }
  EXPECT_EQ(step(odd, even, Grid::g3x3, Scan::rows)(3, 3), (Match{0, -1, 0}));
  EXPECT_EQ(step(odd, even, Grid::g3x3, Scan::columns)(3, 3), (Match{-1, 0, 0}));
}

TEST(ExactLab, StepGridsReachWhatTheyShould) {
  // A hill, whose costs fall towards the vector; all grids reach it.
  Image<std::uint8_t> current(256, 256);
  Image<std::uint8_t> reference(256, 256);
  const auto at = [](int x, int y) {
    return static_cast<std::uint8_t>(std::max(0, 250 - ((x - 112) * (x - 112) + (y - 112) * (y - 112)) / 24));
  };
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      reference(x, y) = at(x, y);
      current(x, y) = at(std::min(x + 13, 255), std::max(y - 22, 0));
    }
  for (const Grid grid : {Grid::g3x3, Grid::g7x7, Grid::g13x13, Grid::g15x15})
    EXPECT_EQ(step(current, reference, grid)(3, 3), (Match{13, -22, 0})) << static_cast<int>(grid);
  EXPECT_EQ(test_zones(current, reference)(3, 3), (Match{13, -22, 0}));
}

TEST(ExactLab, QuickSearchesNeverBeatTheFullOne) {
  for (const std::uint64_t seed : {1u, 2u}) {
    SCOPED_TRACE(seed);
    const Image<std::uint8_t> reference = test::noise<std::uint8_t>({100, 80}, seed, 255);
    const Image<std::uint8_t> current = test::noise<std::uint8_t>({100, 80}, seed + 100, 255);
    const Image<Match> best = full(current, reference);
    const Image<Match> columns = full(current, reference, Scan::columns);
    for (const Image<Match>& matches : {step(current, reference), step(current, reference, Grid::g7x7),
                                        step(current, reference, Grid::g13x13), test_zones(current, reference)})
      for (int y = 0; y < best.height(); ++y)
        for (int x = 0; x < best.width(); ++x) {
          EXPECT_EQ(columns(x, y).sad, best(x, y).sad);
          EXPECT_GE(matches(x, y).sad, best(x, y).sad);
          EXPECT_TRUE(matches(x, y).sad == no_sad ||
                      is_valid(reference.size(), 32 * x, 32 * y, matches(x, y).dx, matches(x, y).dy));
        }
  }
}

TEST(ExactLab, ReconstructionKeepsStalePixels) {
  const Image<std::uint8_t> reference({96, 96}, 7);
  Image<std::uint8_t> reconstruction({96, 96}, 99);
  Image<Match> matches(3, 3, Match{0, 0, 0});
  matches(0, 0) = {-8, 0, 0};  // its left 8 columns lie outside the frame
  reconstruct(reference, matches, reconstruction);
  EXPECT_EQ(reconstruction(7, 5), 99);
  EXPECT_EQ(reconstruction(8, 5), 7);
  EXPECT_EQ(reconstruction(95, 95), 7);
  const Image<std::uint8_t> current({96, 96}, 10);
  EXPECT_EQ(residue(current, reconstruction), 96u * 96u * 3u - 8u * 32u * 3u + 8u * 32u * 89u);
}

}  // namespace
}  // namespace vergence::reference::exact_lab
