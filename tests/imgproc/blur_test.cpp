// SPDX-License-Identifier: Apache-2.0
// The blur by hand, and against direct sums of 25 pixels.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/expect_error.hpp"
#include "imgproc/picture_oracle.hpp"
#include "vergence/filter.hpp"

namespace vergence {
namespace {

constexpr int weights[5] = {1, 4, 6, 4, 1};

TEST(PictureBlur, AnImpulse) {
  Image<std::uint8_t> picture(7, 7, 0);
  picture(3, 3) = 255;
  Image<std::uint8_t> out(7, 7);
  PictureFilter filter(Device("reference"), {7, 7});
  filter.blur(picture, out);
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 7; ++x) {
      const bool is_near = x >= 1 && x <= 5 && y >= 1 && y <= 5;
      const int weight = is_near ? weights[x - 1] * weights[y - 1] : 0;
      EXPECT_EQ(out(x, y), (255 * weight + 128) / 256) << x << "," << y;
    }
}

TEST(PictureBlur, EveryBorderOfARow) {
  // Five pixels in a row: 16, 32, 48, 64, 80; down, only zero and blank differ.
  Image<float> row(5, 1);
  for (int x = 0; x < 5; ++x) row(x, 0) = static_cast<float>(16 + 16 * x);
  Image<float> out(5, 1);
  PictureFilter filter(Device("reference"), {5, 1});
  filter.blur(row, out, FilterBorder::edge);
  EXPECT_EQ(out(0, 0), 16.0F * (1 + 4 + 6) / 16 + 32.0F * 4 / 16 + 48.0F / 16);
  EXPECT_EQ(out(2, 0), 48);
  filter.blur(row, out, FilterBorder::mirror);
  EXPECT_EQ(out(0, 0), (6 * 16 + 8 * 32 + 2 * 48) / 16.0F);
  EXPECT_EQ(out(4, 0), (6 * 80 + 8 * 64 + 2 * 48) / 16.0F);
  filter.blur(row, out, FilterBorder::zero);
  EXPECT_EQ(out(0, 0), (6 * 16 + 4 * 32 + 48) / 16.0F * 6 / 16);
  filter.blur(row, out, FilterBorder::blank);
  for (int x = 0; x < 5; ++x) EXPECT_EQ(out(x, 0), 0);
}

TEST(PictureBlur, BlankDarkensItsEdge) {
  const Image<float> flat(9, 9, 16);
  Image<float> out(9, 9);
  PictureFilter(Device("reference"), {9, 9}).blur(flat, out, FilterBorder::blank);
  const std::vector<float> column{0, 0, 11, 15, 16, 15, 11, 0, 0};
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 9; ++x)
      EXPECT_EQ(out(x, y), x < 2 || x > 6 ? 0 : column[static_cast<std::size_t>(y)]) << x << "," << y;
}

TEST(PictureBlur, DirectSums) {
  for (const Size size : {Size{1, 1}, Size{2, 3}, Size{13, 8}}) {
    const Image<std::uint8_t> bytes = test::noise<std::uint8_t>(size, 5, 255);
    const Image<float> floats = test::float_noise(size, 6);
    Image<std::uint8_t> blurred_bytes(size);
    Image<float> blurred_floats(size);
    PictureFilter filter(Device("reference"), size);
    for (const FilterBorder border : {FilterBorder::zero, FilterBorder::edge, FilterBorder::mirror}) {
      filter.blur(bytes, blurred_bytes, border);
      filter.blur(floats, blurred_floats, border);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          double byte_sum = 0, float_sum = 0;
          for (int v = 0; v < 5; ++v)
            for (int u = 0; u < 5; ++u) {
              byte_sum += weights[u] * weights[v] * test::around(bytes, x + u - 2, y + v - 2, border);
              float_sum += weights[u] * weights[v] * test::around(floats, x + u - 2, y + v - 2, border);
            }
          EXPECT_EQ(blurred_bytes(x, y), static_cast<int>(std::floor(byte_sum / 256 + 0.5)));
          EXPECT_NEAR(static_cast<double>(blurred_floats(x, y)), float_sum / 256, 1e-3);
        }
    }
  }
}

TEST(PictureFilter, RefusesWhatDoesNotFit) {
  for (const Size size : {Size{0, 5}, Size{5, -1}, Size{1 << 21, 1}})
    EXPECT_ERROR(PictureFilter(Device("cpu"), size), ErrorCode::invalid_argument, "picture size is");
  PictureFilter filter(Device("cpu"), {8, 6});
  EXPECT_EQ(filter.half_size(), (Size{4, 3}));
  EXPECT_GT(filter.memory(), 0u);
  Image<float> picture(8, 6, 1), small(7, 6, 0);
  const ImageView<const float> in = picture;
  EXPECT_ERROR(filter.blur(in, small.view()), ErrorCode::invalid_argument, "the filtered picture is 7x6");
  EXPECT_ERROR(filter.blur(in, ImageView<float>()), ErrorCode::invalid_argument, "the filtered picture");
  EXPECT_ERROR(filter.blur(ImageView<const float>(), small.view()), ErrorCode::invalid_argument, "the picture");
  EXPECT_ERROR(filter.blur(in, picture.view()), ErrorCode::invalid_argument, "the filtered picture");
  EXPECT_ERROR(filter.half(in, small.view()), ErrorCode::invalid_argument, "the filtered picture is 7x6");
  EXPECT_ERROR(filter.sobel(in, {}, {}), ErrorCode::invalid_argument, "neither dx nor dy");
  EXPECT_ERROR(filter.scharr(in, small.view(), {}), ErrorCode::invalid_argument, "dx is 7x6");
  Image<float> out(8, 6);
  EXPECT_ERROR(filter.blur(in, out.view(), static_cast<FilterBorder>(4)), ErrorCode::invalid_argument,
               "border has the unknown value 4");
}

TEST(PictureFilter, RefusesPixelsOfAnotherType) {
  PictureFilter filter(Device("cpu"), {8, 6});
  Image<std::uint8_t> bytes(8, 6, 1), bytes_out(8, 6, 7), small_bytes(filter.half_size());
  Image<float> floats(8, 6, 1), floats_out(8, 6), small(filter.half_size());
  Image<std::int16_t> shorts(8, 6, 7);
  EXPECT_ERROR(filter.blur(floats, bytes_out), ErrorCode::invalid_argument,
               "the filtered picture does not fit the picture, which has pixels of type float: give a view of float");
  EXPECT_ERROR(filter.blur(bytes, floats_out), ErrorCode::invalid_argument, "pixels of type u8: give a view of u8");
  EXPECT_ERROR(filter.half(bytes, small), ErrorCode::invalid_argument, "pixels of type u8: give a view of u8");
  EXPECT_ERROR(filter.half(floats, small_bytes), ErrorCode::invalid_argument, "give a view of float");
  EXPECT_ERROR(filter.sobel(bytes, floats_out, {}), ErrorCode::invalid_argument,
               "dx does not fit the picture, which has pixels of type u8: give a view of i16");
  EXPECT_ERROR(filter.scharr(floats, floats_out, shorts), ErrorCode::invalid_argument,
               "dy does not fit the picture, which has pixels of type float: give a view of float");
  EXPECT_EQ(bytes_out(3, 3), 7) << "nothing was written";
  EXPECT_EQ(shorts(3, 3), 7);
  EXPECT_NO_THROW(filter.sobel(bytes, {}, shorts));
}

}  // namespace
}  // namespace vergence
