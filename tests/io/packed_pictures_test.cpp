// SPDX-License-Identifier: Apache-2.0
// Packed pictures whose data end early although the file's structure is whole: strips of TIFF, scans of progressive
// JPEG.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "io/codec.hpp"
#include "io/codec_check.hpp"
#include "io/file_support.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;

std::string little_endian(std::size_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> 8 * i & 255));
  return text;
}

constexpr int width = 4;
constexpr int height = 6;

/// Two strips of three rows; the value of a pixel is its number.
std::string strip_of(std::size_t first_row, std::size_t rows) {
  std::string pixels;
  for (std::size_t i = 0; i < width * rows; ++i) pixels.push_back(static_cast<char>(width * first_row + i));
  return pixels;
}

/// A zlib stream of one block that is stored as it is.
std::string deflated(const std::string& pixels) {
  std::uint32_t low = 1, high = 0;
  for (const char byte : pixels) {
    low = (low + static_cast<unsigned char>(byte)) % 65521;
    high = (high + low) % 65521;
  }
  std::string sum;
  for (int i = 3; i >= 0; --i) sum.push_back(static_cast<char>((high << 16 | low) >> 8 * i & 255));
  return "\x78\x01\x01"s + little_endian(pixels.size(), 2) + little_endian(~pixels.size(), 2) + pixels + sum;
}

struct Strips {
  std::string first, second;
  int compression = 8;
  int count = 2;               ///< As the directory says it.
  std::string more_entries{};  ///< Of tags above all others.
};

std::string tiff(const Strips& strips) {
  const std::size_t begin = 8, second = begin + strips.first.size(), lists = second + strips.second.size();
  const auto entry = [](int tag, int type, int count, std::size_t value) {
    return little_endian(static_cast<std::size_t>(tag), 2) + little_endian(static_cast<std::size_t>(type), 2) +
           little_endian(static_cast<std::size_t>(count), 4) + little_endian(value, 4);
  };
  const std::string entries =
      entry(256, 4, 1, width) + entry(257, 4, 1, height) + entry(258, 3, 1, 8) +
      entry(259, 3, 1, static_cast<std::size_t>(strips.compression)) + entry(262, 3, 1, 1) +
      entry(273, 4, strips.count, strips.count == 1 ? begin : lists) + entry(277, 3, 1, 1) + entry(278, 4, 1, 3) +
      entry(279, 4, strips.count, strips.count == 1 ? strips.first.size() : lists + 8) + strips.more_entries;
  const std::string places = little_endian(begin, 4) + little_endian(second, 4);
  const std::string lengths = little_endian(strips.first.size(), 4) + little_endian(strips.second.size(), 4);
  return "II*\0"s + little_endian(lists + 16, 4) + strips.first + strips.second + places + lengths +
         little_endian(entries.size() / 12, 2) + entries + std::string(4, '\0');
}

Image<std::uint8_t> decode(const std::string& bytes) {
  io::ByteReader reader("x", test::as_bytes(bytes));
  return std::get<Image<std::uint8_t>>(io::decode_picture(reader, io::PictureCodec::tiff, io::Want::grey).pixels);
}

TEST(TiffStrips, AreRead) {
  for (const int kind : {8, 32946}) {
    const Image<std::uint8_t> image = decode(tiff({deflated(strip_of(0, 3)), deflated(strip_of(3, 3)), kind}));
    ASSERT_EQ(image.size(), (Size{width, height}));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) EXPECT_EQ(image(x, y), width * y + x);
  }
  EXPECT_EQ(decode(tiff({strip_of(0, 3), strip_of(3, 3), 1}))(3, 5), 23);
}

TEST(TiffStrips, ThatEndEarlyAreAnError) {
  const std::string first = deflated(strip_of(0, 3)), second = deflated(strip_of(3, 3));
  const std::string says = "the TIFF file is damaged (strip 1, which begins with row 3, is damaged or ends too early)";
  EXPECT_ERROR(decode(tiff({first, deflated(strip_of(3, 2))})), ErrorCode::bad_data, says);  // a row lacks
  for (std::size_t bytes = 1; bytes < second.size(); ++bytes)
    EXPECT_ERROR(decode(tiff({first, second.substr(0, bytes)})), ErrorCode::bad_data, says);
  std::string other = second;
  other[10] ^= 4;  // a pixel: the checksum tells
  EXPECT_ERROR(decode(tiff({first, other})), ErrorCode::bad_data, says);
}

TEST(TiffStrips, ThatAreTooFewAreAnError) {
  EXPECT_ERROR(decode(tiff({strip_of(0, 3), strip_of(3, 3), 1, 1})), ErrorCode::bad_data,
               "the TIFF file is damaged (it has 1 strips, and its rows need 2)");
}

/// Pixels of another width would shear the picture.
TEST(TiffStrips, ThatHoldMoreThanTheirRowsAreAnError) {
  const std::string says =
      "the TIFF file is damaged (strip 0 holds more than its rows of 4 pixels: the width or height";
  const std::string wider = strip_of(0, 4);  // three rows of five pixels, and one
  EXPECT_ERROR(decode(tiff({wider, strip_of(3, 3), 1})), ErrorCode::bad_data, says);
  EXPECT_ERROR(decode(tiff({deflated(wider), deflated(strip_of(3, 3))})), ErrorCode::bad_data, says);
  for (const std::string& filled : {strip_of(0, 3) + "\0"s, strip_of(0, 3) + "\0\0\0"s}) {
    EXPECT_EQ(decode(tiff({filled, strip_of(3, 3), 1}))(3, 5), 23);
    EXPECT_EQ(decode(tiff({deflated(filled), deflated(strip_of(3, 3))}))(3, 5), 23);
  }
}

/// The number of its entries would be a part of where it begins.
TEST(TiffStrips, DirectoriesWithinTheHeaderAreAnError) {
  for (std::size_t begin = 0; begin < 8; ++begin) {
    std::string bytes = tiff({strip_of(0, 3), strip_of(3, 3), 1});
    bytes.replace(4, 4, little_endian(begin, 4));
    EXPECT_ERROR(decode(bytes), ErrorCode::bad_data,
                 fmt::format("the TIFF file is damaged (its directory begins at byte {}, within the header)", begin));
  }
}

TEST(TiffStrips, RawFilesOfCamerasAreRefused) {
  const auto entry = [](int tag, int value) {
    return little_endian(static_cast<std::size_t>(tag), 2) + little_endian(4, 2) + little_endian(1, 4) +
           little_endian(static_cast<std::size_t>(value), 4);
  };
  const auto with = [&](int tag, int value) {
    return decode(tiff({strip_of(0, 3), strip_of(3, 3), 1, 2, entry(tag, value)}));
  };
  EXPECT_ERROR(with(254, 1), ErrorCode::unsupported, "it is a TIFF whose first picture is a preview");
  EXPECT_ERROR(with(262, 32803), ErrorCode::unsupported, "it is a TIFF with a mosaic of colours, as cameras' raw");
  EXPECT_EQ(with(254, 2)(3, 5), 23);  // a page of several
}

TEST(TiffStrips, TilesAreRefusedByName) {
  const std::string tile_width =
      little_endian(322, 2) + little_endian(4, 2) + little_endian(1, 4) + little_endian(16, 4);
  EXPECT_ERROR(decode(tiff({strip_of(0, 3), strip_of(3, 3), 1, 2, tile_width})), ErrorCode::unsupported,
               "it is a TIFF of tiles, which is not read here: save it as PNG");
}

/// A scan of component 1 (and more of them): coefficients, and the lowest bit that it gives.
std::string scan(std::size_t components, int first, int last, int low) {
  std::string segment = little_endian(components, 1);
  for (std::size_t i = 1; i <= components; ++i) segment += little_endian(i, 1) + "\0"s;
  segment += std::string{static_cast<char>(first), static_cast<char>(last), static_cast<char>(low)};
  return "\xFF\xDA\0"s + little_endian(segment.size() + 2, 1) + segment + "data"s;
}

io::CodecFacts look_at(const std::vector<std::string>& scans, char kind = '\xC2', std::size_t components = 2,
                       char table_number = '\0') {
  std::string frame = "\x08\0\x08\0\x08"s + little_endian(components, 1);
  for (std::size_t i = 1; i <= components; ++i) frame += little_endian(i, 1) + "\x11\0"s;
  const std::string table = "\xFF\xDB\0\x43"s + table_number + std::string(64, '\1');
  std::string bytes = "\xFF\xD8"s + table + "\xFF"s + kind + "\0"s + little_endian(frame.size() + 2, 1) + frame;
  for (const std::string& one : scans) bytes += one;
  bytes += "\xFF\xD9"s;
  return io::check_structure(io::PictureCodec::jpeg, std::vector<std::uint8_t>(bytes.begin(), bytes.end()), "x");
}

TEST(JpegScans, ThatGiveAllBitsAreEnough) {
  EXPECT_NO_THROW(look_at(
      {scan(2, 0, 0, 1), scan(1, 1, 63, 0), scan(2, 1, 5, 2), scan(2, 6, 63, 0), scan(2, 0, 0, 0), scan(2, 1, 5, 0)}));
  EXPECT_NO_THROW(look_at({scan(2, 0, 63, 0)}, '\xC0'));
  EXPECT_NO_THROW(look_at({scan(2, 0, 0, 1)}, '\xC0'));  // these numbers say nothing in a JPEG of one scan
}

TEST(JpegScans, ThatAreMissingAreAnError) {
  const auto refused = [](const std::vector<std::string>& scans, const std::string& lacking) {
    EXPECT_ERROR(look_at(scans), ErrorCode::bad_data,
                 "the JPEG file is damaged (scans are missing: " + lacking + " coefficients lack bits)");
  };
  refused({scan(2, 0, 0, 0)}, "126 of 128");                    // only means of blocks
  refused({scan(2, 0, 0, 0), scan(2, 1, 62, 0)}, "2 of 128");   // a coefficient of each component
  refused({scan(2, 0, 0, 0), scan(1, 1, 63, 0)}, "63 of 128");  // a component
  refused({scan(2, 0, 0, 1), scan(2, 1, 63, 0)}, "2 of 128");   // the lowest bit of a mean
}

/// Decoders put what lies between two restarts where the count of them says.
TEST(JpegScans, RestartsOutOfTheirOrderAreAnError) {
  const auto with = [](const std::string& data) { return look_at({scan(2, 0, 63, 0) + data}, '\xC0'); };
  std::string nine;
  for (int i = 0; i < 9; ++i) nine += "ab\xFF"s + static_cast<char>('\xD0' + i % 8);
  EXPECT_NO_THROW(with(nine + "ab"));
  EXPECT_NO_THROW(look_at({scan(2, 0, 63, 0) + "\xFF\xD0"s, scan(1, 0, 63, 0) + "\xFF\xD0"s}, '\xC0'));
  const std::string says = "the JPEG file is damaged (restart ";
  EXPECT_ERROR(with("\xFF\xD1"s), ErrorCode::bad_data, says + "1 lies where 0 should)");
  EXPECT_ERROR(with("\xFF\xD0 a \xFF\xD2"s), ErrorCode::bad_data, says + "2 lies where 1 should)");
  EXPECT_ERROR(with("\xFF\xD0 a \xFF\xD0"s), ErrorCode::bad_data, says + "0 lies where 1 should)");
  EXPECT_ERROR(with(nine + "\xFF\xD0"s), ErrorCode::bad_data, says + "0 lies where 1 should)");
}

/// Without it FFmpeg gives a grey picture.
TEST(JpegScans, ATableOfQuantisationThatIsMissingIsAnError) {
  for (const char kind : {'\xC0', '\xC1', '\xC2'})
    EXPECT_ERROR(look_at({scan(2, 0, 63, 0)}, kind, 2, '\1'), ErrorCode::bad_data,
                 "the JPEG file is damaged (its table of quantisation 0 is missing)");
}

}  // namespace
}  // namespace vergence
