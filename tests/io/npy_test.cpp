// SPDX-License-Identifier: Apache-2.0
// NPY: types, orders, versions, hostile headers, our note of the invalid disparity.
#include "io/npy.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;

std::string file(const std::string& header, const std::string& data, int version = 1) {
  const std::size_t n = header.size();
  std::string bytes =
      "\x93NUMPY"s + static_cast<char>(version) + '\0' + static_cast<char>(n & 0xFF) + static_cast<char>(n >> 8);
  if (version > 1) bytes += "\0\0"s;
  return bytes + header + data;
}

std::string dictionary(const std::string& type, const std::string& shape, const char* fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

io::NpyArray parse(const std::string& bytes) {
  io::ByteReader reader("x.npy", test::as_bytes(bytes));
  return io::read_npy(reader);
}

double value(const io::NpyArray& array, int x, int y) {
  return std::visit([&](const auto& image) { return static_cast<double>(image(x, y)); }, array.raster.pixels);
}

TEST(Npy, ReadsEveryTypeInBothByteOrders) {
  struct Case {
    const char* type;
    std::string data;
    const char* name;
    double expected;
  };
  const Case cases[] = {
      {"|u1", "\xFE"s, "u8", 254},
      {"<u1", "\xFE"s, "u8", 254},
      {"<u2", "\x34\x12"s, "u16", 0x1234},
      {">u2", "\x12\x34"s, "u16", 0x1234},
      {"<i2", "\xF0\xFF"s, "i16", -16},
      {">i2", "\xFF\xF0"s, "i16", -16},
      {"<u4", "\xFF\xFF\xFF\xFF"s, "u32", 4294967295.0},
      {">i4", "\xFF\xFF\xFF\xFE"s, "i32", -2},
      {"<f4", "\0\0\x80\x3F"s, "f32", 1},
      {">f8", "\x3F\xF8\0\0\0\0\0\0"s, "f64", 1.5},
  };
  for (const Case& c : cases)
    for (const int version : {1, 2, 3}) {
      const io::NpyArray array = parse(file(dictionary(c.type, "(1, 1)"), c.data, version));
      EXPECT_STREQ(array.raster.type(), c.name) << c.type;
      EXPECT_EQ(value(array, 0, 0), c.expected) << c.type;
      EXPECT_FALSE(array.invalid.has_value());
    }
}

TEST(Npy, ReadsFortranOrder) {
  const io::NpyArray array = parse(file(dictionary("|u1", "(2, 3)", "True"), "\1\2\3\4\5\6"));
  ASSERT_EQ(array.raster.size(), (Size{3, 2}));
  EXPECT_EQ(value(array, 0, 1), 2);
  EXPECT_EQ(value(array, 2, 0), 5);
}

TEST(Npy, ReadsColourAndSingleChannel) {
  EXPECT_EQ(parse(file(dictionary("|u1", "(1, 2, 3)"), "abcdef")).raster.channels, 3);
  EXPECT_EQ(parse(file(dictionary("|u1", "(1, 2, 1)"), "ab")).raster.channels, 1);
}

TEST(Npy, TakesOtherSpellings) {
  EXPECT_NO_THROW(parse(file("{\"shape\":(1,1),\"descr\":\"|u1\",\"fortran_order\":False}", "a")));
  EXPECT_NO_THROW(parse(file("  { 'shape' : ( 1 , 1 , ) , 'fortran_order' : True , 'descr' : '=u1' }   \n", "a")));
}

TEST(Npy, RefusesWhatItCannotHold) {
  const std::pair<std::string, const char*> cases[] = {
      {file(dictionary("|b1", "(1, 1)"), "a"), "\"b1\""},
      {file(dictionary("<c8", "(1, 1)"), "abcdefgh"), "\"c8\""},
      {file(dictionary("<i8", "(1, 1)"), "abcdefgh"), "\"i8\""},
      {file("{'descr': [('a', '<u1')], 'fortran_order': False, 'shape': (1, 1), }", "a"), "records"},
      {file(dictionary("<u\n\x1B", "(1, 1)"), "a"), "\"u\\x0a\\x1b\""},
      {file(dictionary("|u1", "(1,)"), "a"), "1 dimensions"},
      {file(dictionary("|u1", "()"), "a"), "0 dimensions"},
      {file(dictionary("|u1", "(1, 1, 4)"), "abcd"), "3 dimensions"},
      {file(dictionary("|u1", "(1, 1, 3)", "True"), "abc"), "Fortran"},
      {file(dictionary("|u1", "(1, 1)"), "a", 9), "version 9"},
  };
  for (const auto& [bytes, text] : cases) EXPECT_ERROR(parse(bytes), ErrorCode::unsupported, text);
}

TEST(Npy, RefusesBadFiles) {
  const std::pair<std::string, const char*> cases[] = {
      {file(dictionary("|u1", "(0, 1)"), ""), "1x0"},
      {file(dictionary("|u1", "(1, 0)"), ""), "0x1"},
      {file(dictionary("<f8", "(2147483647, 2147483647)"), "a"), "need more"},
      {file(dictionary("|u1", "(1, 18446744073709551615)"), "a"), "allowed are 1x1 .. "},
      {file(dictionary("|u1", "(18446744073709551616, 1)"), "a"), "shape"},
      {file(dictionary("|u1", "(1, 1, 18446744073709551615)"), "a"), ""},
      {file(dictionary("|u1", "(-1, 1)"), "a"), "shape"},
      {file(dictionary("|u1", "(1, 2"), "ab"), "shape"},
      {file(dictionary("|u1", "(1, 1)"), "ab"), "2 bytes follow"},
      {file("{'descr': '|u1', 'shape': (1, 1)}", "a"), "a key is missing"},
      {file("{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (1, 1)}", "a"), "repeated"},
      {file("{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1, 1)}", "a"), "fortran_order"},
      {file("{'descr': '|u1", "a"), "never ends"},
      {file("", ""), "no dictionary"},
      {"\x93NUMPY\2\0\xFF\xFF\xFF\xFF{"s, "claims 4294967295 bytes"},
  };
  for (const auto& [bytes, text] : cases) {
    SCOPED_TRACE(text);
    if (std::string_view(text).empty())
      EXPECT_THROW(parse(bytes), Error);
    else
      EXPECT_ERROR(parse(bytes), ErrorCode::bad_data, text);
  }
}

TEST(Npy, EveryTruncationIsAnError) {
  test::for_every_beginning(file(dictionary("<u2", "(1, 2)"), "abcd"),
                            [](const std::string& part) { EXPECT_THROW(parse(part), Error) << part.size(); });
}

template <class T>
void check_round_trip(const char* type) {
  const test::TemporaryDirectory directory;
  test::GuardedImage<T> map(7, 3);
  test::fill_pattern(map.view());
  write_npy(directory / "a.npy", std::as_const(map).view());
  const std::string bytes = test::read_bytes(directory / "a.npy");
  EXPECT_EQ(bytes.size() % 64, (7 * 3 * sizeof(T)) % 64) << "the data must start at a multiple of 64";
  const RawValues read = read_values(directory / "a.npy");
  EXPECT_EQ(read.type, type);
  ASSERT_EQ(read.values.size(), (Size{7, 3}));
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 7; ++x) EXPECT_EQ(read.values(x, y), static_cast<double>(test::pattern<T>(x, y)));
}

TEST(Npy, RoundTrips) {
  check_round_trip<std::uint8_t>("u8");
  check_round_trip<std::uint16_t>("u16");
  check_round_trip<std::int16_t>("i16");
  check_round_trip<std::uint32_t>("u32");
  check_round_trip<std::int32_t>("i32");
  check_round_trip<float>("f32");
}

TEST(Npy, NotesTheInvalidValueAsAComment) {
  const test::TemporaryDirectory directory;
  const Image<std::int16_t> map(2, 2, -1040);
  io::write_npy_noted(directory / "a.npy", map, -1040);
  const std::string bytes = test::read_bytes(directory / "a.npy");
  EXPECT_NE(bytes.find("}  # invalid -1040 "), std::string::npos) << "Python must see a comment";
  EXPECT_EQ(parse(bytes).invalid, -1040);
}

}  // namespace
}  // namespace vergence
