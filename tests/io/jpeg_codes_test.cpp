// SPDX-License-Identifier: Apache-2.0
// The coded pixels of a JPEG: they end with the last block, and no block is brighter than pixels can be.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/av_support.hpp"
#include "io/file_support.hpp"
#include "io/jpeg_codes.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A table of two codes, 0 and 10.
Bytes table(int kind, std::uint8_t of_zero, std::uint8_t of_ten) {
  Bytes segment(17, 0);
  segment[0] = static_cast<std::uint8_t>(kind << 4);
  segment[1] = segment[2] = 1;
  segment.insert(segment.end(), {of_zero, of_ten});
  return segment;
}

/// Grey, with steps of 16. Means: 0 is the one before, 10 and 8 bits another one. Then 0 ends a block, and 10 is the
/// next coefficient, of two bits.
io::JpegCodes grey(std::uint8_t width, std::uint8_t height) {
  io::JpegCodes codes;
  codes.define_codes(table(0, 0, 8));
  codes.define_codes(table(1, 0, 2));
  Bytes steps(65, 16);
  steps[0] = 0;
  codes.define_quantisation(steps);
  codes.begin(Bytes{8, 0, height, 0, width, 1, 1, 0x11, 0});
  return codes;
}
const Bytes scan{1, 1, 0, 0, 63, 0};
std::string problem(const io::JpegCodes& codes, const Bytes& data) { return codes.problem(scan, data); }

TEST(JpegCodes, EndWithTheLastBlock) {
  const io::JpegCodes one = grey(8, 8), three = grey(20, 5);
  EXPECT_EQ(problem(one, {0b00111111}), "");
  EXPECT_EQ(problem(three, {0b00000011}), "");
  EXPECT_EQ(problem(three, {}), "its codes break off after 0 % of the picture");
  EXPECT_EQ(problem(three, {0b00001001}), "its codes break off after 66 % of the picture");
  EXPECT_EQ(problem(one, {0b11111111, 0}), "its codes break off after 0 % of the picture") << "no code";
  EXPECT_EQ(problem(one, {0b00111111, 1, 2, 3, 4, 5}), "5 bytes are left behind the last pixels");
  EXPECT_EQ(problem(one, {0b00111111, 1, 2, 3, 4}), "") << "encoders are known for that";
  EXPECT_EQ(problem(one, {0b00111111, 0, 0, 0, 0, 0, 0}), "") << "filling";
}

TEST(JpegCodes, BlocksHoldSixtyFourCoefficients) {
  // The mean, and 63 codes of 4 bits each: 10 and two bits. One more does not fit.
  const auto with = [](int coefficients) {
    std::string bits = "0";
    for (int i = 0; i < coefficients; ++i) bits += "1011";
    Bytes data((bits.size() + 7) / 8, 0);
    for (std::size_t i = 0; i < 8 * data.size(); ++i)
      if (i >= bits.size() || bits[i] == '1') data[i / 8] = static_cast<std::uint8_t>(data[i / 8] | 128 >> i % 8);
    return data;
  };
  EXPECT_EQ(problem(grey(8, 8), with(63)), "");
  EXPECT_EQ(problem(grey(8, 8), with(62)), "its codes break off after 0 % of the picture") << "neither full nor ended";
}

TEST(JpegCodes, MeansStayWithinPixels) {
  // 10, 8 bits of the mean, 0, and two bits of filling: 65 times 16 is 1040, the most that rounding leaves of 1024.
  const auto mean = [](unsigned bits) {
    return Bytes{static_cast<std::uint8_t>(0x80 | bits >> 2), static_cast<std::uint8_t>((bits & 3) << 6 | 0x1F)};
  };
  EXPECT_EQ(problem(grey(8, 8), mean(128)), "at 0 % of the picture a block is brighter or darker than pixels can be");
  EXPECT_EQ(problem(grey(8, 8), mean(127)), "at 0 % of the picture a block is brighter or darker than pixels can be")
      << "-128";
  io::JpegCodes fine = grey(8, 8);
  fine.define_quantisation(Bytes(65, 7) /* of table 7 & 3 */);
  Bytes steps(65, 8);
  steps[0] = 0;
  fine.define_quantisation(steps);
  EXPECT_EQ(problem(fine, mean(128)), "") << "128 times 8 is 1024";
  EXPECT_EQ(problem(fine, mean(129)), "") << "one step more, by rounding";
  EXPECT_NE(problem(fine, mean(130)), "");
}

TEST(JpegCodes, MeansStayWithinPixelsOfTheFinestTableWhereThereIsNone) {
  io::JpegCodes codes;
  codes.define_codes(table(0, 0, 11));
  codes.define_codes(table(1, 0, 2));
  codes.begin(Bytes{8, 0, 8, 0, 8, 1, 1, 0x11, 0});
  // 10, 11 bits of the mean, 0, and two bits of filling.
  EXPECT_EQ(problem(codes, {0b10100000, 0b00001011}), "") << "1025";
  EXPECT_EQ(problem(codes, {0b10100000, 0b00010011}),
            "at 0 % of the picture a block is brighter or darker than pixels can be")
      << "1026";
}

TEST(JpegCodes, RestartsBeginAnew) {
  io::JpegCodes codes = grey(16, 8);
  codes.set_restarts(Bytes{0, 1});
  EXPECT_EQ(problem(codes, {0b00111111, 0xFF, 0xD0, 0b00111111}), "");
  EXPECT_EQ(problem(codes, {0b00001111}), "its codes break off after 50 % of the picture");
  // A mean of 128 twice, which is 1024: with restarts it is not 2048.
  const Bytes twice{0b10100000, 0b00011111, 0xFF, 0xD0, 0b10100000, 0b00011111};
  codes.define_quantisation([] {
    Bytes steps(65, 8);
    steps[0] = 0;
    return steps;
  }());
  EXPECT_EQ(problem(codes, twice), "");
}

TEST(JpegCodes, WhatIsNotKnownHasNoProblem) {
  EXPECT_EQ(problem(io::JpegCodes(), {1, 2, 3}), "");
  io::JpegCodes deep = grey(8, 8);
  deep.begin(Bytes{12, 0, 8, 0, 8, 1, 1, 0x11, 0});
  EXPECT_EQ(problem(deep, {1, 2, 3, 4, 5, 6, 7}), "") << "12 bits";
  EXPECT_EQ(grey(8, 8).problem(Bytes{1, 9, 0, 0, 63, 0}, Bytes{1, 2, 3, 4, 5, 6, 7}), "") << "no such component";
  EXPECT_EQ(grey(8, 8).problem(Bytes{1, 1, 0x11, 0, 63, 0}, Bytes{1, 2, 3, 4, 5, 6, 7}), "") << "no such table";
}

// ----------------------------------------------------------------------------------------------------------- files

std::string textured_jpeg(AVPixelFormat format, int width, int height, const char* options = "") {
  const auto fill = [](AVFrame& frame, int) {
    test::neutral_chroma(frame);
    std::uint32_t state = 1;
    for (int y = 0; y < frame.height; ++y)
      for (int x = 0; x < frame.width; ++x) {
        state = state * 1664525u + 1013904223u;
        frame.data[0][y * frame.linesize[0] + x] =
            static_cast<std::uint8_t>((x / 8 * 29 + y / 8 * 47) % 190 + static_cast<int>(state >> 26));
      }
  };
  return test::encode_picture(AV_CODEC_ID_MJPEG, format, width, height, fill, options);
}

/// Nothing where it is refused.
std::optional<Image<std::uint8_t>> pixels(const std::string& bytes) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "p.jpg", bytes);
  try {
    return read_grey(directory / "p.jpg").u8.clone();
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::bad_data) << error.what();
    return std::nullopt;
  }
}

TEST(JpegCodes, GoodPicturesAreRead) {
  for (const AVPixelFormat format : {AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P})
    for (const int width : {1, 8, 17, 95})
      for (const int height : {1, 16, 33})
        for (const char* options : {"", "huffman=default"})
          EXPECT_TRUE(pixels(textured_jpeg(format, width, height, options))) << format << ' ' << width << 'x' << height;
}

TEST(JpegCodes, DamageThatSpoilsMoreThanABlockIsToldMostly) {
  const std::string good = textured_jpeg(AV_PIX_FMT_YUVJ420P, 200, 200);
  const Image<std::uint8_t> wanted = std::move(*pixels(good));
  int refused = 0, spoilt = 0;
  const auto try_it = [&](const std::string& bad) {
    const std::optional<Image<std::uint8_t>> found = pixels(bad);
    if (!found) {
      ++refused;
      return;
    }
    int others = 0;
    for (int y = 0; y < wanted.height(); ++y)
      for (int x = 0; x < wanted.width(); ++x) others += std::abs((*found)(x, y) - wanted(x, y)) > 8 ? 1 : 0;
    spoilt += others > 1000 ? 1 : 0;
  };
  for (std::size_t at = good.find("\xFF\xDA") + 14; at + 100 < good.size(); at += 151) {
    std::string bad = good;
    bad.erase(at, 1);
    try_it(bad);
    bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x5A);
    try_it(bad);
  }
  EXPECT_GE(refused, 50);
  EXPECT_GE(refused, 4 * spoilt) << spoilt << " are read, and are other pictures";
}

}  // namespace
}  // namespace vergence
