// SPDX-License-Identifier: Apache-2.0
// The coloured map: its scale is even, its limits are fixed, invalid pixels are told apart, the legend tells the truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

constexpr double pi = 3.14159265358979323846;
using Lab = std::array<double, 3>;

double distance(const Lab& a, const Lab& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

double linear(double c) {
  c /= 255;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Lab to_oklab(const Rgb& colour) {
  const double r = linear(colour.r);
  const double g = linear(colour.g);
  const double b = linear(colour.b);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

std::uint8_t encode(double c) {
  c = std::clamp(c, 0.0, 1.0);
  return static_cast<std::uint8_t>(
      std::lround(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055)));
}

Rgb to_rgb(const Lab& lab) {
  const double l = std::pow(lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2], 3);
  const double m = std::pow(lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2], 3);
  const double s = std::pow(lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2], 3);
  return {encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

// The path that the scale's comment describes.
Lab path(double t) {
  const double chroma = 0.02 + 0.16 * std::sin(pi * (0.06 + 0.82 * t));
  const double hue = (275 + 185 * t) * pi / 180;
  return {0.20 + 0.75 * t, chroma * std::cos(hue), chroma * std::sin(hue)};
}

TEST(Scale, IsTheDescribedPathInStepsOfEqualLength) {
  constexpr int pieces = 20000;
  std::vector<double> length{0};
  for (int i = 0; i < pieces; ++i)
    length.push_back(length.back() + distance(path(i / double{pieces}), path((i + 1) / double{pieces})));
  for (int k = 0; k <= 32; ++k) {
    const auto at = std::lower_bound(length.begin(), length.end(), length.back() * k / 32 - 1e-12);
    const Rgb expected = to_rgb(path(static_cast<double>(at - length.begin()) / pieces));
    const Rgb colour = scale_colour(k / 32.0);
    EXPECT_NEAR(colour.r, expected.r, 1) << k;
    EXPECT_NEAR(colour.g, expected.g, 1) << k;
    EXPECT_NEAR(colour.b, expected.b, 1) << k;
  }
}

TEST(Scale, EqualStepsLookEqual) {
  double least = 1;
  double most = 0;
  for (int k = 0; k < 16; ++k) {
    const Lab a = to_oklab(scale_colour(k / 16.0));
    const Lab b = to_oklab(scale_colour((k + 1) / 16.0));
    EXPECT_GT(b[0], a[0]) << "lightness must rise";
    least = std::min(least, distance(a, b));
    most = std::max(most, distance(a, b));
  }
  EXPECT_LT(most / least, 1.15);
}

TEST(Scale, EndsAreFixed) {
  EXPECT_EQ(scale_colour(-5), scale_colour(0));
  EXPECT_EQ(scale_colour(7), scale_colour(1));
  EXPECT_EQ(scale_colour(std::nan("")), scale_colour(0));
  EXPECT_NE(scale_colour(0), scale_colour(1));
}

bool is_grey(const Rgb& colour) { return colour.r == colour.g && colour.g == colour.b; }

TEST(ColourMap, ColoursByFixedLimitsAndHatchesInvalidPixels) {
  Image<std::int16_t> map(9, 1);
  for (int x = 0; x < 9; ++x) map(x, 0) = static_cast<std::int16_t>(16 * x);
  map(8, 0) = -16;
  const Image<Rgb> picture = colour_map(map.view(), -16, {.low = 0, .high = 8, .legend = false});
  ASSERT_EQ(picture.size(), map.size());
  for (int x = 0; x < 8; ++x) EXPECT_EQ(picture(x, 0), scale_colour(x / 8.0));
  EXPECT_TRUE(is_grey(picture(8, 0)));
  for (int k = 0; k <= 1000; ++k) EXPECT_FALSE(is_grey(scale_colour(k / 1000.0))) << "grey means invalid";
}

TEST(ColourMap, AllTypesAgree) {
  Image<std::int16_t> narrow(20, 10);
  Image<std::int32_t> wide(20, 10);
  Image<float> pixels(20, 10);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x) {
      const int value = 3 * x + 40 * y - 16;
      narrow(x, y) = static_cast<std::int16_t>(value);
      wide(x, y) = value;
      pixels(x, y) = value == -16 ? std::numeric_limits<float>::infinity() : static_cast<float>(value) / 16;
    }
  const ColourOptions options{.low = 1, .high = 20, .unit = "px", .name = "disparity"};
  const Image<Rgb> a = colour_map(narrow.view(), -16, options);
  const Image<Rgb> b = colour_map(wide.view(), -16, options);
  const Image<Rgb> c = colour_map(pixels.view(), options);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.size(), c.size());
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      ASSERT_EQ(a(x, y), b(x, y));
      ASSERT_EQ(a(x, y), c(x, y));
    }
}

TEST(ColourMap, TheLegendHasTheWholeScaleAndTicks) {
  for (const int width : {1, 50, 434, 1920}) {
    const Image<std::int16_t> map(width, 3, 80);
    const Image<Rgb> picture = colour_map(map.view(), -16, {.low = 0, .high = 64});
    EXPECT_GE(picture.width(), width);
    EXPECT_GT(picture.height(), 3);
    int ink = 0;
    bool lowest = false;
    bool highest = false;
    for (int y = 3; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        ink += picture(x, y) == Rgb{0, 0, 0} ? 1 : 0;
        lowest = lowest || picture(x, y) == scale_colour(0);
        highest = highest || picture(x, y) == scale_colour(1);
      }
    EXPECT_GT(ink, 100) << width;
    EXPECT_TRUE(lowest && highest) << width;
  }
}

TEST(ColourMap, FilledPixelsArePaleAndDotted) {
  Image<std::int16_t> map(300, 40, 80);
  Image<std::uint8_t> mask(300, 40, 1);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 300; ++x) {
      if (x < 100) mask(x, y) = 2;
      if (x >= 200) mask(x, y) = 0, map(x, y) = -16;
    }
  const Image<Rgb> plain = colour_map(map.view(), -16, {.low = 0, .high = 64});
  const Image<Rgb> told = colour_map(map.view(), -16, {.low = 0, .high = 64, .mask = mask.view()});
  ASSERT_EQ(told.size(), plain.size());
  int kinds = 0, dots = 0;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 300; ++x) {
      if (x >= 100) {
        ASSERT_EQ(told(x, y), plain(x, y));
        continue;
      }
      const bool dot = told(x, y).r < plain(x, y).r;
      ASSERT_EQ(told(x, y).g < plain(x, y).g, dot);
      ASSERT_EQ(told(x, y).b < plain(x, y).b, dot);
      dots += dot ? 1 : 0;
      ASSERT_FALSE(is_grey(told(x, y))) << "grey means invalid";
      kinds += x > 0 && told(x, y) != told(x - 1, y) ? 1 : 0;
    }
  EXPECT_GT(kinds, 40 * 100 / 8) << "dots";
  EXPECT_NEAR(dots, 40 * 100 * 2 / 9, 40) << "two ninths";
  const Image<std::uint8_t> small(2, 2, 1);
  EXPECT_ERROR(colour_map(map.view(), -16, {.mask = small.view()}), ErrorCode::invalid_argument, "mask is 2x2");
}

TEST(ColourMap, OddLimitsDrawWithoutHarm) {
  const Image<float> map(30, 20, 1.0f);
  for (const auto& [low, high] :
       {std::pair{-1e9, 1e9}, {0.0, 1e-6}, {-1.0, -0.5}, {999999.0, 1000000.0}, {0.0, 255.9375}})
    EXPECT_NO_THROW(colour_map(map.view(), {.low = low, .high = high})) << low << " " << high;
}

TEST(ColourMap, RefusesBadLimits) {
  const Image<float> map(2, 2, 1.0f);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [low, high] : {std::pair{1.0, 1.0}, {2.0, 1.0}, {0.0, infinity}, {std::nan(""), 1.0}, {0.0, 2e9}})
    EXPECT_ERROR(colour_map(map.view(), {.low = low, .high = high}), ErrorCode::invalid_argument, "colour limits");
  EXPECT_ERROR(colour_map(ImageView<const float>{}, {}), ErrorCode::invalid_argument, "empty");
}

}  // namespace
}  // namespace vergence
