// SPDX-License-Identifier: Apache-2.0
// PFM: both byte orders, untouched values, row order, hostile headers.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "io/pnm.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;

io::Raster parse_pfm(const std::string& bytes) {
  io::ByteReader reader("x.pfm", test::as_bytes(bytes));
  return io::read_pfm(reader);
}

// 1.0f is 3F800000, 2.0f is 40000000.
const std::string one_little = "\0\0\x80\x3F"s;
const std::string two_little = "\0\0\0\x40"s;
const std::string one_big = "\x3F\x80\0\0"s;
const std::string two_big = "\x40\0\0\0"s;

TEST(Pfm, ReadsBothByteOrdersBottomFirst) {
  for (const std::string& bytes :
       {"Pf\n1 2\n-1.0\n" + one_little + two_little, "Pf\n1 2\n1\n" + one_big + two_big,
        "Pf 1 2 -1e0 " + one_little + two_little, "Pf\r\n1 2\r\n-1.0\r\n" + one_little + two_little}) {
    ASSERT_TRUE(io::looks_like_pfm(bytes));
    const io::Raster raster = parse_pfm(bytes);
    const auto& map = std::get<Image<float>>(raster.pixels);
    ASSERT_EQ(raster.size(), (Size{1, 2}));
    EXPECT_EQ(map(0, 0), 2.0f);
    EXPECT_EQ(map(0, 1), 1.0f);
    EXPECT_FALSE(raster.picture);
  }
}

TEST(Pfm, TheScaleChangesNoValue) {
  for (const char* scale : {"-0.0039", "-255", "-1e-30", "-3.5"}) {
    const io::Raster raster = parse_pfm("Pf\n1 1\n" + std::string(scale) + "\n" + two_little);
    EXPECT_EQ(std::get<Image<float>>(raster.pixels)(0, 0), 2.0f) << scale;
  }
}

TEST(Pfm, ReadsColour) {
  const io::Raster raster = parse_pfm("PF\n1 1\n-1\n" + one_little + two_little + one_little);
  EXPECT_EQ(raster.channels, 3);
  EXPECT_EQ(raster.size(), (Size{1, 1}));
}

TEST(Pfm, RefusesBadFiles) {
  const std::pair<std::string, const char*> cases[] = {
      {"Pf\n", "the width"},
      {"Pf\n0 1\n-1\n", "0x1"},
      {"Pf\n-3 1\n-1\n", "-3x1"},
      {"Pf\n1 x\n-1\n", "the height"},
      {"Pf\n1 1\n0\n" + one_little, "scale"},
      {"Pf\n1 1\nnan\n" + one_little, "scale"},
      {"Pf\n1 1\ninf\n" + one_little, "scale"},
      {"Pf\n1 1\n-1.0x\n" + one_little, "the scale"},
      {"Pf\n2147483647 2147483647\n-1\nabcd", "need more"},
      {"PF\n2147483647 1\n-1\nabcd", "allowed are 1x1 .. "},
      {"Pf\n3000000000 1\n-1\nabcd", "the width"},
      {"Pf\n1 1\n-1\n" + one_little + "x", "5 bytes follow"},
      {"Pf\n" + std::string(1000, '1') + " 1\n-1\n", "never ends"},
  };
  for (const auto& [bytes, text] : cases) {
    SCOPED_TRACE(bytes.substr(0, 40));
    EXPECT_ERROR(parse_pfm(bytes), ErrorCode::bad_data, text);
  }
}

TEST(Pfm, EveryTruncationIsAnError) {
  test::for_every_beginning("Pf\n1 2\n-1.0\n" + one_little + two_little,
                            [](const std::string& part) { EXPECT_THROW(parse_pfm(part), Error) << part.size(); });
}

TEST(Pfm, RoundTripKeepsEveryBit) {
  const test::TemporaryDirectory directory;
  test::GuardedImage<float> map(3, 5);
  const float values[] = {0.0f,
                          -0.0f,
                          1.0f / 3,
                          -123456.78f,
                          std::numeric_limits<float>::denorm_min(),
                          std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::max()};
  for (int i = 0; i < 15; ++i) map.view()(i % 3, i / 3) = values[i % 7];
  write_pfm(directory / "a.pfm", std::as_const(map).view());
  const RawValues read = read_values(directory / "a.pfm");
  EXPECT_EQ(read.type, "f32");
  for (int i = 0; i < 15; ++i) {
    const float value = static_cast<float>(read.values(i % 3, i / 3));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(values[i % 7])) << i;
  }
}

}  // namespace
}  // namespace vergence
