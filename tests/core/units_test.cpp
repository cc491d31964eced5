// SPDX-License-Identifier: Apache-2.0
// disparity_to_pixels and pixels_to_depth.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/expect_error.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Units, PixelsAreSixteenthsAndInvalidIsInfinite) {
  const std::int16_t narrow[6] = {-16, 0, 1, 24, -32768, 32760};
  Image<float> pixels(3, 2, -1.0f);
  disparity_to_pixels(ImageView<const std::int16_t>(narrow, 3, 2), -16, pixels);
  EXPECT_EQ(pixels(0, 0), infinity);
  EXPECT_EQ(pixels(1, 0), 0.0f);
  EXPECT_EQ(pixels(2, 0), 0.0625f);
  EXPECT_EQ(pixels(0, 1), 1.5f);
  EXPECT_EQ(pixels(1, 1), -2048.0f);
  EXPECT_EQ(pixels(2, 1), 2047.5f);

  const std::int32_t wide[2] = {16777200, 16777217};
  Image<float> two(2, 1);
  disparity_to_pixels(ImageView<const std::int32_t>(wide, 2, 1), 16777200, two);
  EXPECT_EQ(two(0, 0), infinity);
  EXPECT_EQ(two(1, 0), 1048576.0625f);
}

TEST(Units, DepthIsFocalTimesBaselineOverDisparity) {
  const float px[6] = {10.0f, infinity, 0.0f, -4.0f, 2.5f, std::numeric_limits<float>::quiet_NaN()};
  const ImageView<const float> pixels(px, 6, 1);
  Image<float> metres(6, 1, -1.0f);
  pixels_to_depth(pixels, 1000.0, 0.1, 0.0, metres);
  EXPECT_EQ(metres(0, 0), 10.0f);
  EXPECT_EQ(metres(1, 0), infinity);
  EXPECT_EQ(metres(2, 0), infinity);
  EXPECT_EQ(metres(3, 0), infinity);
  EXPECT_EQ(metres(4, 0), 40.0f);
  EXPECT_EQ(metres(5, 0), infinity);
  pixels_to_depth(pixels, 1000.0, 0.1, 10.0, metres);
  EXPECT_EQ(metres(0, 0), 5.0f);
  EXPECT_EQ(metres(1, 0), infinity);
  EXPECT_EQ(metres(2, 0), 10.0f);
  EXPECT_EQ(metres(3, 0), static_cast<float>(100.0 / 6.0));
}

TEST(Units, DeviationIsSquaredDepthTimesErrorOverFocalTimesBaseline) {
  const float m[5] = {10.0f, 2.0f, infinity, 0.0f, -1.0f};
  Image<float> deviation(5, 1, -1.0f);
  depth_deviation(ImageView<const float>(m, 5, 1), 1000.0, 0.1, 0.25, deviation);
  EXPECT_EQ(deviation(0, 0), 0.25f);  // 100 * 0.25 / 100
  EXPECT_EQ(deviation(1, 0), 0.01f);
  for (int x = 2; x < 5; ++x) EXPECT_EQ(deviation(x, 0), infinity) << x;
  EXPECT_ERROR(depth_deviation(ImageView<const float>(m, 5, 1), 1000.0, 0.1, 0.0, deviation),
               ErrorCode::invalid_argument, "error_px is 0");
}

TEST(Units, WrongArgumentsAreRefused) {
  const Image<float> pixels(3, 2, 1.0f);
  Image<float> metres(3, 2);
  Image<float> small(2, 2);
  EXPECT_ERROR(pixels_to_depth(pixels, 0.0, 0.1, 0.0, metres), ErrorCode::invalid_argument, "focal_px is 0");
  EXPECT_ERROR(pixels_to_depth(pixels, 1.0, -0.1, 0.0, metres), ErrorCode::invalid_argument, "baseline_m is -0.1");
  EXPECT_ERROR(pixels_to_depth(pixels, 1.0, std::nan(""), 0.0, metres), ErrorCode::invalid_argument,
               "baseline_m is nan");
  EXPECT_ERROR(pixels_to_depth(pixels, 1.0, 1.0, HUGE_VAL, metres), ErrorCode::invalid_argument, "offset_px is inf");
  EXPECT_ERROR(pixels_to_depth(pixels, 1.0, 1.0, 0.0, small), ErrorCode::invalid_argument, "2x2");
  EXPECT_ERROR(disparity_to_pixels(ImageView<const std::int16_t>(), -16, small), ErrorCode::invalid_argument, "null");
}

}  // namespace
}  // namespace vergence
