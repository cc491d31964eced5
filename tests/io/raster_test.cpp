// SPDX-License-Identifier: Apache-2.0
// From numbers to grey, colour and float maps; which files are recognised and which are refused.
#include "io/raster.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Raster, EqualChannelsKeepTheirGrey) {
  Image<std::uint8_t> colour(3 * 256, 1);
  for (int i = 0; i < 3 * 256; ++i) colour(i, 0) = static_cast<std::uint8_t>(i / 3);
  io::Raster raster;
  raster.channels = 3;
  raster.max_value = 255;
  raster.pixels = std::move(colour);
  const GreyPicture grey = io::to_grey(std::move(raster), "x");
  for (int i = 0; i < 256; ++i) EXPECT_EQ(grey.u8(i, 0), i);
}

TEST(Raster, WholeNumbersOfOtherTypesArePictures) {
  const test::TemporaryDirectory directory;
  Image<float> map(3, 1);
  map(0, 0) = 0;
  map(1, 0) = 255;
  map(2, 0) = 65535;
  write_pfm(directory / "a.pfm", map);
  const GreyPicture grey = read_grey(directory / "a.pfm");
  EXPECT_EQ(grey.depth, Depth::u16);
  EXPECT_EQ(grey.u16(1, 0), 255);
  EXPECT_EQ(grey.u16(2, 0), 65535);
  for (const float bad : {-1.0f, 0.5f, 65536.0f, infinity, std::nanf("")}) {
    map(1, 0) = bad;
    write_pfm(directory / "a.pfm", map);
    EXPECT_ERROR(read_grey(directory / "a.pfm"), ErrorCode::bad_data, "at (1, 0) is no grey value");
  }
  const Image<std::int16_t> negative(2, 2, -1);
  write_npy(directory / "a.npy", negative);
  EXPECT_ERROR(read_grey(directory / "a.npy"), ErrorCode::bad_data, "value -1");
}

TEST(Raster, ColourIsScaledToEightBits) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "a.ppm", "P6 1 1 15 \0\7\xF"s);
  EXPECT_EQ(read_rgb(directory / "a.ppm")(0, 0), (Rgb{0, 119, 255}));
  test::write_bytes(directory / "b.pgm", "P5 1 1 65535 \x80\x80"s);
  EXPECT_EQ(read_rgb(directory / "b.pgm")(0, 0), (Rgb{128, 128, 128}));
  write_pfm(directory / "c.pfm", Image<float>(1, 1, 1.0f).view());
  EXPECT_ERROR(read_rgb(directory / "c.pfm"), ErrorCode::unsupported, "f32");
}

TEST(FloatMap, PicturesAreScaledAndZeroIsUnknown) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "a.pgm", "P5 3 1 255 \0\x18\x9E"s);
  const Image<float> map = read_float_map(directory / "a.pgm", {.scale = 8});
  EXPECT_EQ(map(0, 0), infinity);
  EXPECT_EQ(map(1, 0), 3.0f);
  EXPECT_EQ(map(2, 0), 19.75f);
  EXPECT_EQ(read_float_map(directory / "a.pgm", {.scale = 8, .unknown = std::nan("")})(0, 0), 0.0f);
  const Image<float> other = read_float_map(directory / "a.pgm", {.scale = 1, .unknown = 24.0});
  EXPECT_EQ(other(0, 0), 0.0f);
  EXPECT_EQ(other(1, 0), infinity);
}

TEST(FloatMap, ArraysKnowZeroAndLoseWhatIsNoNumber) {
  const test::TemporaryDirectory directory;
  Image<float> map(4, 1);
  map(0, 0) = 0;
  map(1, 0) = std::nanf("");
  map(2, 0) = -infinity;
  map(3, 0) = -5;
  write_pfm(directory / "a.pfm", map);
  const Image<float> read = read_float_map(directory / "a.pfm");
  EXPECT_EQ(read(0, 0), 0.0f);
  EXPECT_EQ(read(1, 0), infinity);
  EXPECT_EQ(read(2, 0), infinity);
  EXPECT_EQ(read(3, 0), -5.0f);
  EXPECT_EQ(read_float_map(directory / "a.pfm", {.scale = 1, .unknown = 0.0})(0, 0), infinity);
}

TEST(FloatMap, ColourOnlyWhereAllChannelsAgree) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "a.ppm", "P6 2 1 255 \5\5\5\6\6\6"s);
  EXPECT_EQ(read_float_map(directory / "a.ppm")(1, 0), 6.0f);
  test::write_bytes(directory / "a.ppm", "P6 2 1 255 \5\5\5\6\7\6"s);
  EXPECT_ERROR(read_float_map(directory / "a.ppm"), ErrorCode::bad_data, "differ at (1, 0)");
}

TEST(FloatMap, TheScaleMustBePositive) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "a.pgm", "P5 1 1 255 a");
  for (const double scale : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_ERROR(read_float_map(directory / "a.pgm", {.scale = scale}), ErrorCode::invalid_argument, "scale");
}

TEST(Read, RefusesWhatIsNoPicture) {
  const test::TemporaryDirectory directory;
  EXPECT_ERROR(read_grey(directory / "none.png"), ErrorCode::not_found, "none.png");
  EXPECT_ERROR(read_grey(directory / "two\nlines.png"), ErrorCode::not_found, "two\\x0alines.png");
  EXPECT_ERROR(read_grey(directory / ""), ErrorCode::io, "directory");
  test::write_bytes(directory / "empty.png", "");
  EXPECT_ERROR(read_grey(directory / "empty.png"), ErrorCode::bad_data, "empty");
  test::write_bytes(directory / "text.png", "just text");
  EXPECT_ERROR(read_grey(directory / "text.png"), ErrorCode::bad_data, "not a picture that can be read: give PNG");
  test::write_bytes(directory / "flow.flo", "PIEH\1\0\0\0\1\0\0\0abcdefgh"s);
  EXPECT_ERROR(read_grey(directory / "flow.flo"), ErrorCode::bad_data, "flow field");
  EXPECT_ERROR(read_rgb(directory / "flow.flo"), ErrorCode::unsupported, "f32");
  EXPECT_ERROR(read_grey("/dev/null"), ErrorCode::io, "device, not a file");
  EXPECT_ERROR(read_grey("/dev/zero"), ErrorCode::io, "device, not a file");
}

TEST(Write, TheEndingTellsTheFormat) {
  const test::TemporaryDirectory directory;
  const Image<std::uint8_t> grey(2, 2, 7);
  const Image<Rgb> colour(2, 2, Rgb{1, 2, 3});
  for (const char* name : {"a.jpg", "a", "a.png.txt", ".png", "a."}) {
    EXPECT_ERROR(write_picture(directory / name, grey), ErrorCode::unsupported, ".png, .pgm or .npy");
    EXPECT_ERROR(write_picture(directory / name, colour), ErrorCode::unsupported, ".png or .ppm");
  }
  write_picture(directory / "A.PNG", grey);
  EXPECT_EQ(read_grey(directory / "A.PNG").u8(1, 1), 7);
  EXPECT_ERROR(write_picture(directory / "b.png", ImageView<const std::uint8_t>{}), ErrorCode::invalid_argument,
               "empty");
  EXPECT_EQ(directory.entries(), std::vector<std::string>{"A.PNG"});
}

}  // namespace
}  // namespace vergence
