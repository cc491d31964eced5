// SPDX-License-Identifier: Apache-2.0
// The stereo definitions against tables worked out by hand from docs/algorithms, not from the code.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/census.h"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/left_right.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/sgm.h"
#include "definitions/stereo/tap_cost.h"
#include "definitions/stereo/ties.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "definitions/stereo/xsobel.h"

namespace vergence::definitions {
namespace {

TEST(FloorDivide, RoundsTowardsMinusInfinity) {
  EXPECT_EQ(floor_divide(7, 2), 3);
  EXPECT_EQ(floor_divide(-7, 2), -4);
  EXPECT_EQ(floor_divide(-8, 2), -4);
  EXPECT_EQ(floor_divide(0, 5), 0);
  EXPECT_EQ(floor_divide(-1, 1000), -1);
}

struct Fit {
  int d;
  std::int64_t before, at, after, expected;
};

TEST(VFit, GoldenTable) {
  // Offset in 1/256 px = trunc(256 (before - after) / (2 (max(before, after) - at))), then (256 d + offset + 15) >> 4.
  const std::vector<Fit> table{
      {5, 10, 4, 10, 80},   // 0: 1295 >> 4
      {5, 10, 4, 7, 84},    // 768 / 12 = 64: 1359 >> 4, 5.25 px
      {5, 7, 4, 10, 76},    // -64: 1231 >> 4, 4.75 px
      {0, 7, 4, 10, -4},    // -49 >> 4 rounds down
      {-3, 7, 4, 10, -52},  // -817 >> 4, -3.25 px
      {2, 6, 3, 5, 35},     // 256 / 6 -> 42: 569 >> 4
      {2, 22, 0, 35, 30},   // -3328 / 70 = -47.5 -> -47: 480 >> 4; rounded down it would be -48 and 29
      {3, 4, 4, 9, 40},     // -128: half a pixel down
      {3, 9, 4, 4, 56},     // +128: half a pixel up
      {7, 4, 4, 4, 112},    // no minimum at all
      {1, std::int64_t{1} << 53, 0, std::int64_t{1} << 52, 20},  // 2^60 / 2^54 = 64: 335 >> 4
  };
  for (const Fit& fit : table)
    EXPECT_EQ(vfit(fit.d, fit.before, fit.at, fit.after), fit.expected)
        << "d " << fit.d << ", costs " << fit.before << " " << fit.at << " " << fit.after;
}

TEST(VFit, SmallCostsGiveTheSameIn32Bits) {
  Random random(20261121);
  for (int i = 0; i < 20000; ++i) {
    const int most = i % 2 == 0 ? 65535 : 9;  // ties
    const int at = random.within(0, most), before = random.within(at, most), after = random.within(at, most);
    const int d = random.within(-5000, 5000);
    ASSERT_EQ(vfit_small(d, before, at, after), vfit(d, before, at, after))
        << "d " << d << ", costs " << before << " " << at << " " << after;
  }
}

TEST(Parabola, GoldenTable) {
  // 16 d + 8 (before - after) / (before - 2 at + after), to the nearest, halves up.
  const std::vector<Fit> table{
      {5, 10, 4, 10, 80},
      {5, 10, 4, 7, 83},                                         // 24 / 9 = 2.67 -> 3
      {5, 7, 4, 10, 77},                                         // -2.67 -> -3
      {1, 17, 0, 15, 17},                                        // 16 / 32 = 0.5 -> 1
      {1, 15, 0, 17, 16},                                        // -0.5 -> 0
      {0, 4, 4, 9, -8},                                          // -40 / 5 = -8: half a pixel down
      {0, 9, 4, 4, 8},                                           // +8
      {-2, 13, 3, 4, -25},                                       // 72 / 11 = 6.55 -> 7
      {7, 4, 4, 4, 112},                                         // flat
      {1, std::int64_t{1} << 54, 0, std::int64_t{1} << 53, 19},  // 8 / 3 = 2.67 -> 3
  };
  for (const Fit& fit : table)
    EXPECT_EQ(parabola(fit.d, fit.before, fit.at, fit.after), fit.expected)
        << "d " << fit.d << ", costs " << fit.before << " " << fit.at << " " << fit.after;
}

TEST(TapCost, GoldenTable) {
  EXPECT_EQ(sad_tap(3, 10), 7u);
  EXPECT_EQ(sad_tap(10, 3), 7u);
  EXPECT_EQ(sad_tap(65535, 0), 65535u);
  EXPECT_EQ(ssd_tap(3, 10), 49u);
  EXPECT_EQ(ssd_tap(65535, 0), 4294836225u);
  EXPECT_EQ(hamming_tap(0b1011, 0b0010), 2u);
  EXPECT_EQ(hamming_tap(0x3FFFFFFFFFFFFFFFu, 0), 62u);
  EXPECT_EQ(sad_tap_max(255), 255u);
  EXPECT_EQ(ssd_tap_max(254), 64516u);
  EXPECT_EQ(hamming_tap_max(5, 5), 24u);
  EXPECT_EQ(hamming_tap_max(9, 7), 62u);
}

TEST(Census, BitOfEveryNeighbour5x5) {
  const std::vector<int> rows[5] = {
      {23, 22, 21, 20, 19}, {18, 17, 16, 15, 14}, {13, 12, -1, 11, 10}, {9, 8, 7, 6, 5}, {4, 3, 2, 1, 0}};
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      if (dx == 0 && dy == 0) continue;
      EXPECT_EQ(census_bit(dx, dy, 5, 5), rows[dy + 2][static_cast<std::size_t>(dx + 2)]) << dx << "," << dy;
    }
}

TEST(Census, BitOfNeighbours9x7) {
  EXPECT_EQ(census_bit(-4, -3, 9, 7), 61);
  EXPECT_EQ(census_bit(4, -3, 9, 7), 53);
  EXPECT_EQ(census_bit(-1, 0, 9, 7), 31);
  EXPECT_EQ(census_bit(1, 0, 9, 7), 30);
  EXPECT_EQ(census_bit(-4, 3, 9, 7), 8);
  EXPECT_EQ(census_bit(4, 3, 9, 7), 0);
  EXPECT_EQ(census_term(8, 7, 61), std::uint64_t{1} << 61);
  EXPECT_EQ(census_term(7, 7, 61), 0u);
  EXPECT_EQ(census_term(6, 7, 61), 0u);
}

TEST(Census, BitOfPairs9x7) {
  EXPECT_EQ(symmetric_census_bit(-4, -3, 9, 7), 30);
  EXPECT_EQ(symmetric_census_bit(4, -3, 9, 7), 22);
  EXPECT_EQ(symmetric_census_bit(-4, -1, 9, 7), 12);
  EXPECT_EQ(symmetric_census_bit(4, -1, 9, 7), 4);
  EXPECT_EQ(symmetric_census_bit(-4, 0, 9, 7), 3);
  EXPECT_EQ(symmetric_census_bit(-1, 0, 9, 7), 0);
}

TEST(Sgm, PathCost) {
  const std::int64_t none = no_path_cost();
  EXPECT_EQ(path_cost(7, 20, 21, 22, 20, 3, 9), 7);   // nothing changes: 20 - 20
  EXPECT_EQ(path_cost(7, 30, 21, 25, 20, 3, 9), 11);  // one less: 21 + 3 - 20
  EXPECT_EQ(path_cost(7, 30, 25, 21, 20, 3, 9), 11);  // one more
  EXPECT_EQ(path_cost(7, 40, 41, 42, 20, 3, 9), 16);  // the least of all: 20 + 9 - 20
  EXPECT_EQ(path_cost(7, 23, none, none, 20, 3, 9), 10);
  EXPECT_EQ(path_cost(7, none, 20, 20, 20, 3, 9), 7);  // no candidate before: the path starts
}

TEST(Sgm, PenaltyAtEdges) {
  EXPECT_EQ(penalty_at_edge(10, 120, 0, 256), 120);
  EXPECT_EQ(penalty_at_edge(10, 120, 30, 256), 90);
  EXPECT_EQ(penalty_at_edge(10, 120, 3, 100), 119);  // floor(300 / 256) = 1
  EXPECT_EQ(penalty_at_edge(10, 120, 200, 256), 11);
  EXPECT_EQ(penalty_at_edge(10, 120, 200, 0), 120);
  EXPECT_EQ(penalty_at_edge(2147483646, 2147483647, 65535, 65535), 2147483647);
}

TEST(Candidate, PartnerLiesLeftForLeftAndRightForRight) {
  EXPECT_EQ(partner_column(10, 3, true), 7);
  EXPECT_EQ(partner_column(10, 3, false), 13);
  EXPECT_EQ(partner_column(10, -3, true), 13);
  EXPECT_EQ(partner_column(10, -3, false), 7);
}

TEST(Candidate, CheaperComparesMeansExactly) {
  EXPECT_TRUE(is_cheaper(10, 5, 9, 4));  // 2 < 2.25
  EXPECT_FALSE(is_cheaper(9, 4, 10, 5));
  EXPECT_FALSE(is_cheaper(2, 1, 4, 2));
  EXPECT_FALSE(is_cheaper(4, 2, 2, 1));
  EXPECT_TRUE(is_cheaper(0, 7, 1, 31));
  EXPECT_TRUE(
      is_cheaper((std::uint64_t{1} << 53) - 1, 31, std::uint64_t{1} << 53, 31));  // a double would call it equal
}

TEST(Candidate, NeighboursOfTheWinnerAreNotSecondBest) {
  EXPECT_TRUE(may_be_second_best(3, 5));
  EXPECT_FALSE(may_be_second_best(4, 5));
  EXPECT_FALSE(may_be_second_best(5, 5));
  EXPECT_FALSE(may_be_second_best(6, 5));
  EXPECT_TRUE(may_be_second_best(7, 5));
  EXPECT_TRUE(may_be_second_best(1, -1));
}

TEST(Uniqueness, GoldenTable) {
  EXPECT_TRUE(is_ambiguous(100, 1, 115, 1, 15));  // 11500 <= 11500
  EXPECT_FALSE(is_ambiguous(100, 1, 116, 1, 15));
  EXPECT_FALSE(is_ambiguous(100, 1, 100, 1, 0));  // off
  EXPECT_TRUE(is_ambiguous(0, 1, 0, 1, 1));
  EXPECT_FALSE(is_ambiguous(0, 1, 1, 1, 1000));
  EXPECT_TRUE(is_ambiguous(40, 1, 440, 1, 1000));
  EXPECT_FALSE(is_ambiguous(40, 1, 441, 1, 1000));
  // Means 10 / 5 = 2 and 9 / 4 = 2.25, which is 12.5 % more.
  EXPECT_FALSE(is_ambiguous(10, 5, 9, 4, 12));
  EXPECT_TRUE(is_ambiguous(10, 5, 9, 4, 13));
}

TEST(Uniqueness, SmallCostsGiveTheSameIn32Bits) {
  Random random(20261123);
  for (int i = 0; i < 20000; ++i) {
    const int most = i % 2 == 0 ? 65535 : 9, ratio = random.within(0, i % 3 == 0 ? 1000 : 30);
    const int winner = random.within(0, most), second = random.within(winner, most);
    ASSERT_EQ(is_ambiguous_small(winner, second, ratio),
              is_ambiguous(static_cast<std::uint64_t>(winner), 1, static_cast<std::uint64_t>(second), 1, ratio))
        << "costs " << winner << " " << second << ", ratio " << ratio;
  }
}

TEST(Ties, AsCheapComparesMeansExactly) {
  EXPECT_TRUE(is_as_cheap(10, 5, 8, 4));
  EXPECT_FALSE(is_as_cheap(10, 5, 9, 4));
  EXPECT_FALSE(is_as_cheap(9, 4, 10, 5));
  EXPECT_TRUE(is_as_cheap(0, 7, 0, 31));
  EXPECT_FALSE(is_as_cheap(0, 7, 1, 31));
  // A double would call them equal.
  EXPECT_FALSE(is_as_cheap((std::uint64_t{1} << 53) - 1, 31, std::uint64_t{1} << 53, 31));
}

TEST(Ties, NeighboursMayShareTheLeastCost) {
  EXPECT_FALSE(is_tied(5, 5));
  EXPECT_FALSE(is_tied(5, 6));
  EXPECT_TRUE(is_tied(5, 7));
  EXPECT_TRUE(is_tied(-3, 40));
  EXPECT_FALSE(is_tied(-1, 0));
  EXPECT_TRUE(is_tied(-1, 1));
}

TEST(Ties, TheEdgeLeavesNoSecondBest) {
  EXPECT_TRUE(edge_took_second_best(0, 0, 0, 64));    // one candidate of 64
  EXPECT_TRUE(edge_took_second_best(0, 1, 1, 64));    // two
  EXPECT_TRUE(edge_took_second_best(0, 2, 1, 64));    // the winner in the middle of three
  EXPECT_FALSE(edge_took_second_best(0, 2, 0, 64));   // d = 2 is a second best
  EXPECT_FALSE(edge_took_second_best(0, 2, 2, 64));   // d = 0 is
  EXPECT_FALSE(edge_took_second_best(0, 3, 1, 64));   // d = 3 is
  EXPECT_FALSE(edge_took_second_best(0, 0, 0, 1));    // nothing was cut: there is one disparity
  EXPECT_FALSE(edge_took_second_best(5, 7, 6, 3));    // nor of three
  EXPECT_TRUE(edge_took_second_best(-4, -3, -4, 3));  // two of three
}

TEST(Confidence, GoldenTable) {
  EXPECT_EQ(confidence(0, 1, 100, 1), 255);
  EXPECT_EQ(confidence(50, 1, 100, 1), 127);  // 127.5
  EXPECT_EQ(confidence(99, 1, 100, 1), 2);    // 2.55
  EXPECT_EQ(confidence(100, 1, 100, 1), 0);
  EXPECT_EQ(confidence(0, 1, 0, 1), 0);
  EXPECT_EQ(confidence(10, 5, 9, 4), 28);  // 255 * (45 - 40) / 45 = 28.3
}

TEST(XSobel, GoldenTable) {
  // Weights 1, 2, 1: a vertical edge gives 4 times its step.
  EXPECT_EQ(xsobel(10, 10, 10, 10, 10, 10, 31), 31);
  EXPECT_EQ(xsobel(10, 12, 10, 12, 10, 12, 31), 39);  // 2 + 4 + 2
  EXPECT_EQ(xsobel(12, 10, 12, 10, 12, 10, 31), 23);
  EXPECT_EQ(xsobel(0, 1, 0, 0, 0, 0, 31), 32);        // above weighs 1
  EXPECT_EQ(xsobel(0, 0, 0, 1, 0, 0, 31), 33);        // the row itself 2
  EXPECT_EQ(xsobel(0, 0, 0, 0, 0, 1, 31), 32);        // below 1
  EXPECT_EQ(xsobel(0, 31, 0, 0, 0, 0, 31), 62);       // just the cap
  EXPECT_EQ(xsobel(0, 255, 0, 255, 0, 255, 31), 62);  // clipped
  EXPECT_EQ(xsobel(65535, 0, 65535, 0, 65535, 0, 127), 0);
}

TEST(XSobel, RowsOutsideAreMirrored) {
  EXPECT_EQ(mirrored_row(-1, 5), 1);
  EXPECT_EQ(mirrored_row(0, 5), 0);
  EXPECT_EQ(mirrored_row(4, 5), 4);
  EXPECT_EQ(mirrored_row(5, 5), 3);
  EXPECT_EQ(mirrored_row(-1, 2), 1);
  EXPECT_EQ(mirrored_row(2, 2), 0);
  EXPECT_EQ(mirrored_row(-1, 1), 0);
  EXPECT_EQ(mirrored_row(1, 1), 0);
}

TEST(Texture, TapIsTheDistanceFromTheCap) {
  EXPECT_EQ(texture_tap(31, 31), 0);
  EXPECT_EQ(texture_tap(0, 31), 31);
  EXPECT_EQ(texture_tap(62, 31), 31);
}

TEST(LeftRight, Pixels) {
  EXPECT_TRUE(agree_in_pixels(5, 6, 1));
  EXPECT_TRUE(agree_in_pixels(6, 5, 1));
  EXPECT_FALSE(agree_in_pixels(5, 7, 1));
  EXPECT_TRUE(agree_in_pixels(-3, -3, 0));
  EXPECT_FALSE(agree_in_pixels(-1, 1, 1));
}

TEST(LeftRight, GreyUnits) {
  EXPECT_TRUE(agree_in_grey(0, 44, 125, 90));    // 11220 <= 11250: 44.1 levels
  EXPECT_FALSE(agree_in_grey(0, 45, 125, 90));   // 11475
  EXPECT_TRUE(agree_in_grey(50, 19, 125, 64));   // 7905 <= 8000
  EXPECT_FALSE(agree_in_grey(51, 19, 125, 64));  // 8160
  EXPECT_TRUE(agree_in_grey(7, 7, 0, 64));
}

}  // namespace
}  // namespace vergence::definitions
