// SPDX-License-Identifier: Apache-2.0
// The definitions of tracks against tables worked out with exact fractions apart from the code.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "definitions/track/corner.h"
#include "definitions/track/eigen.h"
#include "definitions/track/gain_offset.h"
#include "definitions/track/gradient.h"
#include "definitions/track/position.h"
#include "definitions/track/pyramid.h"
#include "definitions/track/quotient.h"
#include "definitions/track/sample.h"
#include "definitions/track/scale.h"
#include "definitions/track/solve.h"

namespace vergence::definitions {
namespace {

TEST(TrackPosition, FloorsAlsoBelowZero) {
  EXPECT_EQ(whole_position(1023), 0);
  EXPECT_EQ(whole_position(-1), -1);
  EXPECT_EQ(position_fraction(-1), 1023);
  EXPECT_EQ(position_fraction(2048 + 17), 17);
  EXPECT_EQ(level_position(-5, 1), -3);
  EXPECT_EQ(level_position(5, 1), 2);
}

TEST(TrackPosition, EdgesOfThePicture) {
  EXPECT_TRUE(is_on_picture(0, 5));
  EXPECT_TRUE(is_on_picture(4096, 5));
  EXPECT_FALSE(is_on_picture(-1, 5));
  EXPECT_FALSE(is_on_picture(4097, 5));
  EXPECT_EQ(moved_onto_picture(-1, 5), 0);
  EXPECT_EQ(moved_onto_picture(4097, 5), 4096);
  EXPECT_EQ(moved_onto_picture(77, 5), 77);
}

TEST(TrackPosition, WindowsAndTheirWays) {
  EXPECT_EQ(window_start(10 * 1024 + 5, 5), 8);  // 8 .. 12
  EXPECT_EQ(window_start(10 * 1024 + 5, 8), 6);  // 6 .. 13, as [-4, 4)
  EXPECT_EQ(window_start(-1, 3), -2);
  EXPECT_FALSE(has_left(-5, 5, 20));
  EXPECT_TRUE(has_left(-6, 5, 20));
  EXPECT_FALSE(has_left(19, 5, 20));
  EXPECT_TRUE(has_left(20, 5, 20));
  const std::vector<int> row{2, 1, 0, 1, 2, 3, 4, 3, 2};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(mirrored(i - 2, 5), row[static_cast<std::size_t>(i)]) << i;
}

TEST(TrackPosition, WaysBackAreSquaredAndLimited) {
  EXPECT_EQ(squared_way_back(5, 7, 5, 7), 0u);
  EXPECT_EQ(squared_way_back(10, 20, 7, 24), 25u);
  EXPECT_EQ(squared_way_back(-3, 0, 0, -4), 25u);
  EXPECT_EQ(squared_way_back(0, 0, 65535, 0), 4294836225u);
  EXPECT_EQ(squared_way_back(0, 0, 65535, 362), 4294967269u);  // 4294836225 + 131044
  EXPECT_EQ(squared_way_back(0, 0, 65535, 363), 4294967295u);
  EXPECT_EQ(squared_way_back(0, 1 << 26, 1 << 26, 0), 4294967295u);
}

TEST(TrackScale, BitsByTheLargestPixel) {
  struct Row {
    int max, dropped, depth, gradient, patch, scale, corner;
  };
  for (const Row& row : std::vector<Row>{{1, 0, 8, 0, 9, 32, 0},
                                         {255, 0, 8, 0, 9, 32, 0},
                                         {256, 0, 9, 0, 10, 16, 1},
                                         {1023, 0, 10, 0, 11, 8, 2},
                                         {2047, 0, 11, 0, 12, 4, 3},
                                         {4095, 0, 12, 1, 13, 2, 3},
                                         {4096, 1, 12, 1, 13, 2, 3},
                                         {16383, 2, 12, 1, 13, 2, 3},
                                         {65535, 4, 12, 1, 13, 2, 3}}) {
    EXPECT_EQ(dropped_bits(row.max), row.dropped) << row.max;
    EXPECT_EQ(track_depth(row.max), row.depth) << row.max;
    EXPECT_EQ(gradient_shift(row.depth), row.gradient) << row.max;
    EXPECT_EQ(patch_shift(row.depth), row.patch) << row.max;
    EXPECT_EQ(patch_scale(row.depth), row.scale) << row.max;
    EXPECT_EQ(corner_shift(row.depth), row.corner) << row.max;
  }
}

TEST(TrackScale, EverythingFitsItsBits) {
  for (int depth = 8; depth <= 12; ++depth) {
    const int white = (1 << depth) - 1;
    const int steepest =
        gradient(gradient_smooth(0, 0, 0), gradient_smooth(white, white, white), gradient_shift(depth));
    const int other = gradient(gradient_smooth(white, white, white), gradient_smooth(0, 0, 0), gradient_shift(depth));
    EXPECT_LE(steepest, 32767) << depth;
    EXPECT_GE(other, -32768) << depth;
    EXPECT_LE(steepest >> corner_shift(depth), 4095) << depth;
    EXPECT_GE(other >> corner_shift(depth), -4096) << depth;
    EXPECT_LT(patch_from(white * 16385, patch_shift(depth)), 1 << 13) << depth;
  }
}

TEST(TrackPyramid, Weights) {
  int sum = 0;
  for (int k = 0; k < 5; ++k) sum += pyramid_weight(k);
  EXPECT_EQ(sum, 16);
  EXPECT_EQ(pyramid_weight(2), 6);
  EXPECT_EQ(pyramid_pixel(256 * 7 + 127), 7);
  EXPECT_EQ(pyramid_pixel(256 * 7 + 128), 8);
}

TEST(TrackSample, WeightsSumToOne) {
  struct Row {
    int x, y, here, right, below, both;
  };
  for (const Row& row : std::vector<Row>{{0, 0, 16384, 0, 0, 0},
                                         {1023, 1023, 0, 16, 16, 16352},
                                         {512, 512, 4096, 4096, 4096, 4096},
                                         {1, 1, 16352, 16, 16, 0},
                                         {512, 0, 8192, 8192, 0, 0},
                                         {333, 777, 2667, 1285, 8389, 4043},
                                         {511, 513, 4096, 4080, 4112, 4096},
                                         {16, 16, 15876, 252, 252, 4}}) {
    EXPECT_EQ(weight_here(row.x, row.y), row.here);
    EXPECT_EQ(weight_right(row.x, row.y), row.right);
    EXPECT_EQ(weight_below(row.x, row.y), row.below);
    EXPECT_EQ(weight_both(row.x, row.y), row.both);
  }
  int least = 0;
  for (int y = 0; y < 1024; ++y)
    for (int x = 0; x < 1024; ++x) least = weight_both(x, y) < least ? weight_both(x, y) : least;
  EXPECT_EQ(least, -1);
  EXPECT_EQ(patch_from(-257, 9), -1);
  EXPECT_EQ(patch_from(-256, 9), 0);
  EXPECT_EQ(gradient_from(8191), 0);
  EXPECT_EQ(gradient_from(-8193), -1);
}

TEST(TrackSolve, StepsOfExactFractions) {
  struct Row {
    std::int64_t xx, xy, yy;
    double x, y, unit;
    int step_x, step_y;
  };
  for (const Row& row :
       std::vector<Row>{{668835602, 331359831, 274281999, -30457914, 83601092, 1024, -501, 918},
                        {2331833630113, -666324547535, 3693796451056, -662821402508, -540201378155, 8192, -2816, -1706},
                        {121553982, 28389880, 399210080, -7423549, -30861103, 1024, -45, -76},
                        {449012033897, 173011859118, 1097681719110, -49686062513, 62596621699, 8192, -1157, 649},
                        {171373720, -267480428, 818111198, -38499527, 204934954, 1024, 348, 370},
                        {580364754023, 81338745042, 25217491371, -99041138241, -4658867641, 8192, -2164, 5467},
                        {310639064, -98901044, 336780591, 41200342, 69693535, 1024, 224, 278},
                        {900335655586, -308676835144, 3040701797941, 95117749392, -651008002348, 8192, 274, -1726}}) {
    EXPECT_EQ(step_x(row.xx, row.xy, row.yy, row.x, row.y, row.unit), row.step_x);
    EXPECT_EQ(step_y(row.xx, row.xy, row.yy, row.x, row.y, row.unit), row.step_y);
  }
}

TEST(TrackSolve, StepsAreRoundedAndLimited) {
  EXPECT_EQ(step_units(0.5, 1), 1);
  EXPECT_EQ(step_units(-0.5, 1), 0);
  EXPECT_EQ(step_units(-0.75, 2), -1);
  EXPECT_EQ(step_units(1e300, 1024), 1 << 26);
  EXPECT_EQ(step_units(-1e300, 1024), -(1 << 26));
  EXPECT_EQ(step_units(1.0 / 0.0, 1024), 1 << 26);
  EXPECT_TRUE(is_short_step(10, 2, 104));
  EXPECT_FALSE(is_short_step(10, -3, 104));
  EXPECT_TRUE(is_oscillation(100, -50, -110, 60));
  EXPECT_FALSE(is_oscillation(100, -50, -111, 50));
  EXPECT_EQ(half_step(-3), -2);
}

/// Divisors of few and of many bits, and dividends that are nearly halfway between two quotients' products.
TEST(TrackSolve, QuotientsHaveTheBitsOfADivision) {
  std::uint64_t state = 1;
  const auto random = [&](int bits) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(static_cast<std::int64_t>(state >> 1) >> (63 - bits));
  };
  for (int i = 0; i < 200'000; ++i) {
    const double divisor = random(1 + i % 62) * (i % 3 == 0 ? 1e15 : 1) + 1;
    const double near = random(1 + i % 53) * divisor, half = divisor * 0x1p-54 * static_cast<double>(i % 5);
    for (const double dividend : {random(62) - 0x1p61, near, near + half, -near - random(10), 0.0})
      ASSERT_EQ(quotient(dividend, divisor, 1 / divisor), dividend / divisor) << dividend << " / " << divisor;
  }
}

TEST(TrackSolve, Texture) {
  // Eigenvalues 5 and 15: twice the smaller one is 10.
  EXPECT_FALSE(is_textureless(10, 5, 10, 9.999));
  EXPECT_FALSE(is_textureless(10, 5, 10, 10));
  EXPECT_TRUE(is_textureless(10, 5, 10, 10.001));
  EXPECT_TRUE(is_textureless(10, 5, 10, 1000));
  // An edge alone, and nothing at all, even where nothing is asked for.
  EXPECT_TRUE(is_textureless(100, 10, 1, 0));
  EXPECT_TRUE(is_textureless(0, 0, 0, 0));
  EXPECT_FALSE(is_textureless(100, 9, 1, 0));
}

TEST(TrackGainOffset, GainAndOffset) {
  // 1, 2, 3 and 10, 20, 30: nine times the variances are 6 and 600.
  EXPECT_EQ(n2_variance(3, 6, 14), 6);
  EXPECT_EQ(n2_variance(3, 60, 1400), 600);
  EXPECT_EQ(squared_gain(6, 600), 0.015625);  // 1/100 is less than a gain of 1/8 allows
  EXPECT_EQ(squared_gain(6, 24), 0.25);
  EXPECT_EQ(squared_gain(600, 6), 64.0);
  EXPECT_EQ(squared_gain(600, 0), 1.0);
  EXPECT_EQ(n2_covariance(3, 14, 6, 5), 12);
  EXPECT_EQ(compensated_sum(9, 90, 40, 2.0), 10.0 / 9);
  EXPECT_EQ(fixed_gain(8.0), 131072);
  struct Row {
    std::int64_t n, of_template, of_target;
    int gain, offset;
  };
  for (const Row& row :
       std::vector<Row>{{9, 900, 450, 32768, 0}, {441, 100000, 300000, 8192, -113}, {441, -5, 123456, 16384, -280}})
    EXPECT_EQ(fixed_offset(row.n, row.of_template, row.of_target, row.gain), row.offset);
  EXPECT_EQ(compensated_sample(100, 32768, -3), 197);
  EXPECT_EQ(compensated_sample(3, 8192, 0), 2);  // 1.5
}

TEST(TrackCorner, Scores) {
  struct Row {
    std::int64_t xx, xy, yy, spread;
    double eigen;
    std::vector<std::int64_t> harris;  // k = 1, 4, 25
  };
  for (const Row& row :
       std::vector<Row>{{10, 0, 10, 0, 20.0, {384, 336, 0}},
                        {5, 4, 5, 64, 2.0, {-4, -16, -100}},
                        {821675025, 0, 821675025, 0, 1643350050.0, {4050899070392403456, 3544536686593353024, 0}},
                        {821675025,
                         821675025,
                         821675025,
                         2700599386835002500,
                         0.0,
                         {-168787461266350144, -675149845065400576, -4219686531658753600}},
                        {123456789,
                         -98765432,
                         222222222,
                         48773052988263985,
                         124832790.77365339,
                         {103033069872275596, 80627949265051084, -76207894985520500}}}) {
    EXPECT_EQ(eigen_spread(row.xx, row.xy, row.yy), row.spread);
    EXPECT_EQ(eigen_score(row.xx, row.xy, row.yy), row.eigen);
    EXPECT_EQ(harris_score(row.xx, row.xy, row.yy, 1), row.harris[0]);
    EXPECT_EQ(harris_score(row.xx, row.xy, row.yy, 4), row.harris[1]);
    EXPECT_EQ(harris_score(row.xx, row.xy, row.yy, 25), row.harris[2]);
  }
}

}  // namespace
}  // namespace vergence::definitions
