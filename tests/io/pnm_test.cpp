// SPDX-License-Identifier: Apache-2.0
// PBM, PGM and PPM: every form, odd maxvals, hostile headers, every truncation.
#include "io/pnm.hpp"

#include <gtest/gtest.h>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;

io::Raster parse_pnm(const std::string& bytes) {
  io::ByteReader reader("x.pnm", test::as_bytes(bytes));
  return io::read_pnm(reader);
}

// All samples, row by row.
std::vector<int> samples(const io::Raster& raster) {
  std::vector<int> all;
  std::visit(
      [&](const auto& image) {
        for (int y = 0; y < image.height(); ++y)
          for (int x = 0; x < image.width(); ++x) all.push_back(static_cast<int>(image(x, y)));
      },
      raster.pixels);
  return all;
}

struct Good {
  const char* what;
  std::string bytes;
  Size size;
  int channels;
  const char* type;
  int max_value;
  std::vector<int> samples;
};

TEST(Pnm, ReadsEveryForm) {
  const Good cases[] = {
      {"plain bits, black is 0", "P1\n3 2\n1 0 1\n0 1 0\n", {3, 2}, 1, "u8", 255, {0, 255, 0, 255, 0, 255}},
      {"plain bits without blanks", "P1 3 2 101010", {3, 2}, 1, "u8", 255, {0, 255, 0, 255, 0, 255}},
      {"plain grey with comments", "P2 # a\n# b\n2 1 # c\n255\n# d\n7 # e\n255", {2, 1}, 1, "u8", 255, {7, 255}},
      {"plain grey, small maxval", "P2\n2 2\n15\n0 1 14 15\n", {2, 2}, 1, "u8", 15, {0, 1, 14, 15}},
      {"plain grey, 16 bits", "P2 2 1 1000 999 1000", {2, 1}, 1, "u16", 1000, {999, 1000}},
      {"plain colour", "P3\n1 2\n255\n1 2 3 4 5 6", {1, 2}, 3, "u8", 255, {1, 2, 3, 4, 5, 6}},
      {"raw bits, padded rows",
       "P4\n9 2\n\xAA\x80\x55\x00"s,
       {9, 2},
       1,
       "u8",
       255,
       {0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255}},
      {"raw grey whose first sample looks like a blank", "P5\n2 1\n255\n\n "s, {2, 1}, 1, "u8", 255, {10, 32}},
      {"raw grey, maxval 1", "P5 2 1 1\n\0\1"s, {2, 1}, 1, "u8", 1, {0, 1}},
      {"raw grey, maxval 256 is big endian", "P5 2 1 256 \0\1\1\0"s, {2, 1}, 1, "u16", 256, {1, 256}},
      {"raw grey, 16 bits", "P5 1 2 65535\n\x12\x34\xFF\xFF"s, {1, 2}, 1, "u16", 65535, {0x1234, 0xFFFF}},
      {"raw colour", "P6\t1\r1\v255\f\1\2\3"s, {1, 1}, 3, "u8", 255, {1, 2, 3}},
      {"raw colour, 16 bits", "P6 1 1 300 \0\1\0\2\1\x2C"s, {1, 1}, 3, "u16", 300, {1, 2, 300}},
      {"a header with CR LF", "P5\r\n2 1\r\n255\r\n\1\2"s, {2, 1}, 1, "u8", 255, {1, 2}},
      {"a header with CR, and a sample like LF", "P5\r2 1\r255\r\n\2"s, {2, 1}, 1, "u8", 255, {10, 2}},
      {"bits behind CR LF", "P4\r\n8 1\r\n\x0F"s, {8, 1}, 1, "u8", 255, {255, 255, 255, 255, 0, 0, 0, 0}},
      {"a comment that ends the header", "P5 2 1 255# a\n\1\2"s, {2, 1}, 1, "u8", 255, {1, 2}},
      {"a blank behind the comment", "P5 2 1 255# a\n\n\1\2"s, {2, 1}, 1, "u8", 255, {1, 2}},
      {"16 bits behind CR LF", "P5 1 1 300\r\n\1\2"s, {1, 1}, 1, "u16", 300, {258}},
      {"a line end behind the picture", "P5 2 1 255\n\1\2\n"s, {2, 1}, 1, "u8", 255, {1, 2}},
      {"a line end between pictures", "P5 1 1 255\n\5\nP5 1 1 255\n\6"s, {1, 1}, 1, "u8", 255, {5}},
      {"a second picture follows", "P5 1 1 255 \5P5 1 1 255 \6"s, {1, 1}, 1, "u8", 255, {5}},
  };
  for (const Good& good : cases) {
    SCOPED_TRACE(good.what);
    ASSERT_TRUE(io::looks_like_pnm(good.bytes));
    const io::Raster raster = parse_pnm(good.bytes);
    EXPECT_EQ(raster.size(), good.size);
    EXPECT_EQ(raster.channels, good.channels);
    EXPECT_STREQ(raster.type(), good.type);
    EXPECT_EQ(raster.max_value, good.max_value);
    EXPECT_EQ(samples(raster), good.samples);
    EXPECT_TRUE(raster.picture);
  }
}

TEST(Pnm, RefusesBadFiles) {
  const std::pair<std::string, const char*> cases[] = {
      {"P5", "the width"},
      {"P5 x", "the width"},
      {"P5 -1 1 255 ", "the width"},
      {"P5 0 1 255 ", "0x1"},
      {"P5 1 0 255 ", "1x0"},
      {"P5 1 1 0 \1", "maximum value is 0"},
      {"P5 1 1 65536 \1", "exceeds 65535"},
      {"P5 99999999999999999999 1 255 ", "exceeds"},
      {"P5 2147483647 2147483647 255 a", "need more"},
      {"P5 2147483647 2147483647 65535 a", "need more"},
      {"P6 1000000000 1 255 a", "allowed are 1x1 .. "},
      {"P4 2147483647 2147483647\na", "need more"},
      {"P2 60000 60000 255 1 1 1", "need more"},
      {"P1 60000 60000 1 1 1", "need more"},
      {"P5 1 1 255x\1", "no blank"},
      {"P5 1 1 15 \x10", "above the header's maximum of 15"},
      {std::string("P5 1 1 4095 \x10\x0f", 14),
       "is 4111, above the header's maximum of 4095: write the upper byte of each"},
      {std::string("P5 1 1 4095 \xff\xff", 14), "is 65535, above the header's maximum of 4095: the file is damaged"},
      {"P2 1 1 15 16", "above the header's maximum of 15"},
      {"P2 1 1 4095 4111", "is 4111, above the header's maximum of 4095: the file is damaged"},
      {"P2 1 1 15 1.5", "no blank"},
      {"P2 2 1 15 1 -1", "is not a number"},
      {"P1 2 1 1 2", "neither 0 nor 1"},
      {"P5 1 1 300 \2\1", "513"},
      {"P5 2 1 255 \n\1\2"s, "1 byte is left over"},
      {"P5 2 1 255\n # a\n\1\2"s, "5 bytes are left over"},
      {"P5 2 1 255 # a\n\1\2"s, "4 bytes are left over"},
      {"P5 1 1 255\r\n\5P5 1 1 255\r\n\6"s, "left over"},
      {"P6 1 1 255 \1\2\3\4"s, "1 byte is left over"},
      {"P2 1 1 255\n# only a comment", "ends where a sample"},
      {"P2 2 1 255 1 2 3", "more follows behind its last sample"},
      {"P2 2 1 255 1 2\n\n# a\n3", "more follows behind its last sample"},
      {"P1 2 1 101", "more follows behind its last sample"},
      {"P3 1 1 255 1 2 3 P", "more follows behind its last sample"},
  };
  for (const auto& [bytes, text] : cases) {
    SCOPED_TRACE(bytes);
    EXPECT_ERROR(parse_pnm(bytes), ErrorCode::bad_data, text);
    EXPECT_ERROR(parse_pnm(bytes), ErrorCode::bad_data, "x.pnm");
  }
}

TEST(Pnm, WhatMayFollowAPlainPicture) {
  for (const char* behind : {"", " \n", "\n# the end", "\nP2 1 1 255 7", "\nP5 1 1 255 a"})
    EXPECT_EQ(samples(parse_pnm("P2 2 1 255 1 2"s + behind)), (std::vector<int>{1, 2})) << behind;
}

TEST(Pnm, EveryTruncationIsAnError) {
  const std::string whole[] = {"P1 3 1 101",      "P2 3 1 255 1 2 3",   "P3 1 1 9 1 2 3", "P4 9 1\n\xFF\xFF"s,
                               "P5 3 1 255 abc"s, "P5 1 2 65535 abcd"s, "P6 1 1 255 abc"s};
  for (const std::string& bytes : whole) {
    EXPECT_NO_THROW(parse_pnm(bytes));
    test::for_every_beginning(bytes, [](const std::string& part) { EXPECT_THROW(parse_pnm(part), Error) << part; });
  }
}

TEST(Pnm, MagicNeedsABlank) {
  for (const char* start : {"", "P", "P5", "P0 ", "P7 ", "Pf ", "P55", "p5 "})
    EXPECT_FALSE(io::looks_like_pnm(start)) << start;
}

template <class T>
void check_round_trip(int width, int height) {
  const test::TemporaryDirectory directory;
  test::GuardedImage<T> image(width, height);
  test::fill_pattern(image.view());
  write_picture(directory / "a.pgm", std::as_const(image).view());
  const GreyPicture read = read_grey(directory / "a.pgm");
  ASSERT_EQ(read.size(), (Size{width, height}));
  EXPECT_EQ(read.max_value, sizeof(T) == 1 ? 255 : 65535);
  EXPECT_EQ(read.depth, sizeof(T) == 1 ? Depth::u8 : Depth::u16);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      ASSERT_EQ(sizeof(T) == 1 ? read.u8(x, y) : read.u16(x, y), (test::pattern<T>(x, y))) << x << "," << y;
}

TEST(Pnm, GreyRoundTrip) {
  for (const Size size : {Size{1, 1}, Size{1, 7}, Size{13, 1}, Size{65, 33}}) {
    check_round_trip<std::uint8_t>(size.width, size.height);
    check_round_trip<std::uint16_t>(size.width, size.height);
  }
}

TEST(Pnm, ColourRoundTrip) {
  const test::TemporaryDirectory directory;
  Image<Rgb> image(5, 3);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x)
      image(x, y) = {test::pattern<std::uint8_t>(x, y), static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  write_picture(directory / "a.ppm", image);
  const Image<Rgb> read = read_rgb(directory / "a.ppm");
  ASSERT_EQ(read.size(), image.size());
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) EXPECT_EQ(read(x, y), image(x, y));
}

}  // namespace
}  // namespace vergence
