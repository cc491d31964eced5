// SPDX-License-Identifier: Apache-2.0
// Disparity, depth and cost maps as files.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// 0, 1/16, 5, 255.9375 px and one invalid pixel.
template <class T>
Image<T> sample_map(int invalid) {
  Image<T> map(5, 1);
  const int values[] = {0, 1, 80, 4095, invalid};
  for (int x = 0; x < 5; ++x) map(x, 0) = static_cast<T>(values[x]);
  return map;
}

template <class T>
class Disparity : public testing::Test {};
using Types = testing::Types<std::int16_t, std::int32_t>;
TYPED_TEST_SUITE(Disparity, Types);

TYPED_TEST(Disparity, KittiPngHoldsExactly256Times) {
  const test::TemporaryDirectory directory;
  write_disparity(directory / "d.png", sample_map<TypeParam>(-16).view(), -16);
  const GreyPicture stored = read_grey(directory / "d.png");
  ASSERT_EQ(stored.depth, Depth::u16);
  const int expected[] = {1, 16, 1280, 65520, 0};
  for (int x = 0; x < 5; ++x) EXPECT_EQ(stored.u16(x, 0), expected[x]);
  const Image<float> read = read_disparity(directory / "d.png");
  EXPECT_EQ(read(1, 0), 1.0f / 16);
  EXPECT_EQ(read(3, 0), 4095.0f / 16);
  EXPECT_EQ(read(4, 0), infinity);
}

TYPED_TEST(Disparity, KittiPngRefusesWhatItCannotHold) {
  const test::TemporaryDirectory directory;
  EXPECT_ERROR(write_disparity(directory / "d.png", Image<TypeParam>(2, 2, -80).view(), -1040), ErrorCode::unsupported,
               "-64 px");
  EXPECT_ERROR(write_disparity(directory / "d.png", Image<TypeParam>(2, 2, -8).view(), -16), ErrorCode::unsupported,
               "-0.5 px");
  EXPECT_ERROR(write_disparity(directory / "d.png", Image<TypeParam>(2, 2, 4096).view(), -16), ErrorCode::unsupported,
               "256 px");
  // Wherever it is in a row; the first one is named.
  for (int x = 0; x < 37; ++x) {
    Image<TypeParam> map(40, 2, 80);
    if (x % 2 == 0) map(39, 1) = -80;
    map(x, 1) = 5000;
    EXPECT_ERROR(write_disparity(directory / "d.png", map.view(), -16), ErrorCode::unsupported, "312.5 px");
  }
  EXPECT_TRUE(directory.entries().empty());
}

TYPED_TEST(Disparity, PfmAndNpyHoldEverything) {
  const test::TemporaryDirectory directory;
  const Image<TypeParam> map = sample_map<TypeParam>(-1040);
  for (const char* name : {"d.pfm", "d.npy"}) {
    write_disparity(directory / name, map.view(), -1040);
    const Image<float> read = read_disparity(directory / name);
    for (int x = 0; x < 4; ++x) EXPECT_EQ(read(x, 0), static_cast<float>(map(x, 0) / 16.0)) << name;
    EXPECT_EQ(read(4, 0), infinity) << name;
  }
  EXPECT_EQ(read_values(directory / "d.npy").type, sizeof(TypeParam) == 2 ? "i16" : "i32");
  EXPECT_EQ(read_values(directory / "d.npy").values(4, 0), -1040) << "the raw values stay";
}

TYPED_TEST(Disparity, ForeignNpyNeedsTheInvalidValue) {
  const test::TemporaryDirectory directory;
  write_npy(directory / "d.npy", sample_map<TypeParam>(-16).view());
  EXPECT_ERROR(read_disparity(directory / "d.npy"), ErrorCode::invalid_argument, "invalid value");
  EXPECT_EQ(read_disparity(directory / "d.npy", -16)(4, 0), infinity);
  EXPECT_EQ(read_disparity(directory / "d.npy", 80)(2, 0), infinity);
  EXPECT_EQ(read_disparity(directory / "d.npy", 80)(4, 0), -1.0f);
}

TEST(DisparityFile, RefusesOtherPictures) {
  const test::TemporaryDirectory directory;
  write_picture(directory / "a.png", Image<std::uint8_t>(2, 2, 7).view());
  EXPECT_ERROR(read_disparity(directory / "a.png"), ErrorCode::bad_data, "16-bit grey PNG");
  write_npy(directory / "a.npy", Image<std::uint8_t>(2, 2, 7).view());
  EXPECT_ERROR(read_disparity(directory / "a.npy"), ErrorCode::unsupported, "u8");
  EXPECT_ERROR(write_disparity(directory / "a.tif", Image<std::int16_t>(1, 1, 0).view(), -16), ErrorCode::unsupported,
               "KITTI");
}

TEST(DisparityFile, TheNameIsCheckedBeforeAnyWork) {
  EXPECT_NO_THROW(check_disparity_path("a.png", 0, 256));
  EXPECT_NO_THROW(check_disparity_path("a.PFM", -64, 4000));
  EXPECT_NO_THROW(check_disparity_path("a.npy", -64, 4000));
  EXPECT_ERROR(check_disparity_path("a.png", 0, 257), ErrorCode::unsupported, "256 px");
  EXPECT_ERROR(check_disparity_path("a.png", -1, 64), ErrorCode::unsupported, "-1 px");
  EXPECT_ERROR(check_disparity_path("a.jpg", 0, 64), ErrorCode::unsupported, "a.jpg");
}

TEST(Depth, MillimetresSaturateAndAreCounted) {
  const test::TemporaryDirectory directory;
  Image<float> metres(8, 1);
  const float values[] = {1.0f, 0.0005f, 0.0002f, 65.535f, 70.0f, infinity, std::nanf(""), -1.0f};
  for (int x = 0; x < 8; ++x) metres(x, 0) = values[x];
  EXPECT_EQ(write_depth(directory / "z.png", metres), 2);  // 0.2 mm and 70 m
  const GreyPicture stored = read_grey(directory / "z.png");
  const int expected[] = {1000, 1, 1, 65535, 65535, 0, 0, 0};
  for (int x = 0; x < 8; ++x) EXPECT_EQ(stored.u16(x, 0), expected[x]) << x;
  EXPECT_EQ(write_depth(directory / "z.pfm", metres), 0);
  EXPECT_EQ(read_float_map(directory / "z.pfm")(3, 0), 65.535f);
  EXPECT_EQ(write_depth(directory / "z.npy", metres), 0);
  EXPECT_ERROR(write_depth(directory / "z.jpg", metres), ErrorCode::unsupported, "millimetres");
  EXPECT_EQ(write_depth(directory / "tum.png", metres, 5000), 2);  // 65.535 and 70 m
  EXPECT_EQ(read_grey(directory / "tum.png").u16(0, 0), 5000);
  EXPECT_EQ(read_grey(directory / "tum.png").u16(1, 0), 3);  // 2.5 steps
  EXPECT_ERROR(write_depth(directory / "z.png", metres, 0), ErrorCode::invalid_argument, "0 steps per metre");
}

TEST(Cost, IsWrittenExactly) {
  const test::TemporaryDirectory directory;
  Image<std::uint32_t> cost(3, 1);
  cost(0, 0) = 0;
  cost(1, 0) = 1u << 24;
  cost(2, 0) = no_cost;
  write_cost(directory / "c.npy", cost);
  EXPECT_EQ(read_values(directory / "c.npy").values(2, 0), 4294967295.0);
  write_cost(directory / "c.pfm", cost);
  EXPECT_EQ(read_float_map(directory / "c.pfm")(1, 0), 16777216.0f);
  EXPECT_EQ(read_float_map(directory / "c.pfm")(2, 0), infinity);
  cost(1, 0) = (1u << 24) + 1;
  EXPECT_ERROR(write_cost(directory / "c.pfm", cost), ErrorCode::unsupported, "16777217");
  EXPECT_ERROR(write_cost(directory / "c.png", cost), ErrorCode::unsupported, ".npy or .pfm");
}

}  // namespace
}  // namespace vergence
