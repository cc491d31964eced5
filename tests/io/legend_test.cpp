// SPDX-License-Identifier: Apache-2.0
// The legend of coloured maps: every word can be read, the numbers are those of the scale, and nothing is explained
// that the map does not have.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/legend_text.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

const float invalid = std::numeric_limits<float>::infinity();

Image<Rgb> constant(Size size, float value, const ColourOptions& options) {
  return colour_map(Image<float>(size, value).view(), options);
}

TEST(Legend, HasNameUnitAndNumbers) {
  const Image<std::int16_t> disparity(300, 3, 80);
  const LegendText text = read_legend(colour_map(disparity.view(), -16, {.low = 0, .high = 64}), 3);
  EXPECT_EQ(text.title, "disparity in px");
  EXPECT_EQ(text.numbers, "0 10 20 30 40 50 60");
  EXPECT_EQ(text.beside, "");
  const LegendText large = read_legend(constant({1920, 3}, 5, {.high = 3, .unit = "m", .name = "depth"}), 3, 3);
  EXPECT_EQ(large.title, "depth in m");
  EXPECT_EQ(large.numbers, "0.0 0.2 0.4 0.6 0.8 1.0 1.2 1.4 1.6 1.8 2.0 2.2 2.4 2.6 2.8 >= 3");
  EXPECT_EQ(read_legend(constant({300, 3}, 5, {.high = 8, .name = "confidence"}), 3).title, "confidence");
  EXPECT_EQ(read_legend(constant({300, 3}, 5, {.high = 8, .unit = "grey levels"}), 3).title, "grey levels");
}

TEST(Legend, ANoteStandsAtTheRight) {
  const LegendText text =
      read_legend(constant({300, 3}, 5, {.high = 8, .unit = "frames", .name = "age", .note = "x lost"}), 3);
  EXPECT_EQ(text.title, "age in frames x lost");
  const Image<Rgb> narrow =
      constant({1, 3}, 5, {.high = 8, .name = "a rather long name of a map", .note = "and a note as long as it"});
  EXPECT_EQ(read_legend(narrow, 3).title, "a rather long name of a map and a note as long as it");
}

TEST(Legend, ItsLastNumberSaysWhatLiesBeyond) {
  Image<float> map(300, 3, 5.0f);
  const ColourOptions options{.low = 0, .high = 16, .unit = "px", .name = "length"};
  EXPECT_EQ(read_legend(colour_map(map.view(), options), 3).numbers, "0 2 4 6 8 10 12 14 16");
  map(7, 1) = 16.5f;
  EXPECT_EQ(read_legend(colour_map(map.view(), options), 3).numbers, "0 2 4 6 8 10 12 >= 16");
  map(8, 1) = -0.5f;
  EXPECT_EQ(read_legend(colour_map(map.view(), options), 3).numbers, "<= 0 2 4 6 8 10 12 >= 16");
  map(7, 1) = map(8, 1) = invalid;
  EXPECT_EQ(read_legend(colour_map(map.view(), options), 3).numbers, "0 2 4 6 8 10 12 14 16");
}

TEST(Legend, HasTwoNumbersAtLeastAndAllCanBeRead) {
  for (const int width : {1, 300, 1300})
    for (const float value : {-2e9f, 0.0f, 2e9f})
      for (const auto& [low, high] : std::vector<std::pair<double, double>>{{3, 8},
                                                                            {4.5, 9.7},
                                                                            {-0.7, 0.6},
                                                                            {0, 1e-6},
                                                                            {-1e9, 1e9},
                                                                            {999999, 1000000},
                                                                            {0, 255.9375},
                                                                            {11, 19},
                                                                            {0.0305, 0.0309}}) {
        const Image<Rgb> picture = constant({width, 2}, value, {.low = low, .high = high, .name = "map"});
        const std::string row = read_legend(picture, 2, legend_unit(width)).numbers;
        ASSERT_EQ(row.find('?'), std::string::npos) << row;
        const std::vector<double> numbers = numbers_of(row);
        ASSERT_GE(numbers.size(), 2u) << row << " of " << low << " .. " << high;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          EXPECT_NEAR(numbers[i], std::clamp(numbers[i], low, high), (high - low) / 100) << row;
          EXPECT_GT(numbers[i], i > 0 ? numbers[i - 1] : -1e10) << row;
        }
        EXPECT_EQ(row.find("<=") != std::string::npos, value < low) << row;
        EXPECT_EQ(row.find(">=") != std::string::npos, value > high) << row;
      }
}

TEST(Legend, CountsAreWhole) {
  EXPECT_EQ(read_legend(constant({1300, 2}, 1, {.high = 3, .name = "age", .whole = true}), 2, 2).numbers, "0 1 2 3");
  EXPECT_EQ(read_legend(constant({1300, 2}, 1, {.high = 1, .name = "age", .whole = true}), 2, 2).numbers, "0 1");
}

TEST(Legend, ExplainsWhatTheMapHas) {
  Image<float> map(300, 3, 5.0f);
  Image<std::uint8_t> mask(300, 3, 1);
  const ColourOptions options{.high = 8, .name = "map", .mask = mask.view()};
  const Image<Rgb> all = colour_map(map.view(), options);
  EXPECT_EQ(read_legend(all, 3).beside, "");
  mask(9, 1) = 2;
  EXPECT_EQ(read_legend(colour_map(map.view(), options), 3).beside, "filled");
  map(5, 1) = invalid;
  const Image<Rgb> both = colour_map(map.view(), options);
  EXPECT_EQ(read_legend(both, 3).beside, "filled invalid");
  mask(9, 1) = 1;
  EXPECT_EQ(read_legend(colour_map(map.view(), options), 3).beside, "invalid");
  // Pictures of one video: the bar and the numbers stay where they are.
  ASSERT_EQ(all.size(), both.size());
  for (int x = 0; x < 160; ++x)
    for (int y = 3; y < all.height(); ++y) ASSERT_EQ(all(x, y), both(x, y)) << x << ' ' << y;
}

TEST(Legend, FitsEveryMap) {
  for (const Size size : {Size{1, 1}, Size{1, 900}, Size{2000, 8}, Size{217, 8}}) {
    const int unit = legend_unit(size.width);
    for (const float value : {invalid, 7.0f}) {
      const Image<Rgb> picture = constant(size, value, {.high = 20, .unit = "m", .name = "depth"});
      const LegendText text = read_legend(picture, size.height, unit);
      EXPECT_EQ(text.title, "depth in m") << size.width;
      EXPECT_EQ(text.beside, value == invalid ? "invalid" : "") << size.width;
      const std::vector<double> numbers = numbers_of(text.numbers);
      EXPECT_EQ(numbers.front(), 0) << text.numbers;
      EXPECT_EQ(numbers.back(), 20) << text.numbers;
    }
  }
}

/// As a printer without colours shows it: stripes of two greys, or dark dots on a ground that is lighter than both.
TEST(Legend, FilledAndInvalidDifferInPrint) {
  Image<float> map(120, 40);
  Image<std::uint8_t> mask(120, 40, 2);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 120; ++x) map(x, y) = static_cast<float>(x);
  const ColourOptions options{.low = 0, .high = 119, .legend = false, .mask = mask.view()};
  const Image<std::uint8_t> filled = luma_of(colour_map(map.view(), options));
  const Image<std::uint8_t> grey = luma_of(constant({120, 40}, invalid, {.legend = false}));
  int lightest_grey = 0;
  for (int x = 0; x < 120; ++x) lightest_grey = std::max<int>(lightest_grey, grey(x, 0));
  for (int left = 0; left < 120; left += 12) {
    int ground = 0, least = 255, most = 0;
    for (int y = 0; y < 12; ++y)
      for (int x = left; x < left + 12; ++x) {
        ground += filled(x, y) > lightest_grey + 15 ? 1 : 0;
        least = std::min<int>(least, filled(x, y));
        most = std::max<int>(most, filled(x, y));
      }
    EXPECT_GE(ground, 144 * 7 / 10) << left;
    EXPECT_GE(most - least, 80) << left;
  }
}

}  // namespace
}  // namespace vergence
