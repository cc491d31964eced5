// SPDX-License-Identifier: Apache-2.0
// Sobel and Scharr by hand, and against direct sums of nine pixels.
#include <gtest/gtest.h>

#include <cstdint>

#include "imgproc/picture_oracle.hpp"
#include "vergence/filter.hpp"

namespace vergence {
namespace {

TEST(PictureGradients, ARamp) {
  Image<std::uint8_t> picture(9, 7);
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 9; ++x) picture(x, y) = static_cast<std::uint8_t>(3 * x + 5 * y);
  Image<std::int16_t> dx(9, 7), dy(9, 7);
  PictureFilter filter(Device("reference"), {9, 7});
  filter.sobel(picture, dx, dy);
  EXPECT_EQ(dx(4, 3), 24);
  EXPECT_EQ(dy(4, 3), 40);
  EXPECT_EQ(dx(0, 3), 0);
  filter.scharr(picture, dx, dy, FilterBorder::edge);
  EXPECT_EQ(dx(4, 3), 96);
  EXPECT_EQ(dy(4, 3), 160);
  EXPECT_EQ(dx(0, 3), 48);
  filter.scharr(picture, dx, dy, FilterBorder::blank);
  EXPECT_EQ(dx(0, 3), 0);
  EXPECT_EQ(dx(4, 1), 6 * 13);  // the row above is blank: 3 + 10 of 16
  EXPECT_EQ(dx(4, 0), 0);
}

TEST(PictureGradients, DirectSums) {
  for (const Size size : {Size{1, 1}, Size{2, 3}, Size{13, 8}}) {
    const Image<std::uint8_t> bytes = test::noise<std::uint8_t>(size, 5, 255);
    const Image<float> floats = test::float_noise(size, 6);
    Image<std::int16_t> dx(size), dy(size);
    Image<float> fx(size), fy(size);
    PictureFilter filter(Device("reference"), size);
    for (const FilterBorder border : {FilterBorder::zero, FilterBorder::edge, FilterBorder::mirror})
      for (const bool scharr : {false, true}) {
        if (scharr) {
          filter.scharr(bytes, dx, dy, border);
          filter.scharr(floats, fx, fy, border);
        } else {
          filter.sobel(bytes, dx, dy, border);
          filter.sobel(floats, fx, fy, border);
        }
        for (int y = 0; y < size.height; ++y)
          for (int x = 0; x < size.width; ++x) {
            const auto sum = [&](const auto& picture, int ax, int ay) {
              double total = 0;
              for (int k = -1; k <= 1; ++k)
                total += (k == 0 ? (scharr ? 10 : 2) : (scharr ? 3 : 1)) *
                         (test::around(picture, x + ax + k * ay, y + ay + k * ax, border) -
                          test::around(picture, x - ax + k * ay, y - ay + k * ax, border));
              return total;
            };
            EXPECT_EQ(dx(x, y), sum(bytes, 1, 0));
            EXPECT_EQ(dy(x, y), sum(bytes, 0, 1));
            EXPECT_NEAR(static_cast<double>(fx(x, y)), sum(floats, 1, 0), 0.02);
            EXPECT_NEAR(static_cast<double>(fy(x, y)), sum(floats, 0, 1), 0.02);
          }
      }
  }
}

}  // namespace
}  // namespace vergence
