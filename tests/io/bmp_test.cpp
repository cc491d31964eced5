// SPDX-License-Identifier: Apache-2.0
// BMP with run lengths and with palettes: what its data do not give is an error.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "io/codec.hpp"
#include "io/file_support.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;

std::string little_endian(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> 8 * i & 255));
  return text;
}

struct Form {
  int width, height;
  std::uint32_t bits = 8, compression = 1;
  std::uint32_t colours = 0;  ///< As the header says it.
};

/// The colour of index i is the grey i (of 4 bits: 16 i).
std::string bmp(const Form& form, const std::string& pixels) {
  std::string palette;
  for (std::uint32_t i = 0; i < (form.colours > 0 ? form.colours : 1u << form.bits); ++i)
    palette += std::string(3, static_cast<char>(form.bits == 8 ? i : 16 * i)) + '\0';
  const auto size = [](const std::string& text) { return static_cast<std::uint32_t>(text.size()); };
  const std::string information = little_endian(40, 4) + little_endian(static_cast<std::uint32_t>(form.width), 4) +
                                  little_endian(static_cast<std::uint32_t>(form.height), 4) + little_endian(1, 2) +
                                  little_endian(form.bits, 2) + little_endian(form.compression, 4) +
                                  little_endian(size(pixels), 4) + std::string(8, '\0') +
                                  little_endian(form.colours, 4) + std::string(4, '\0');
  const std::uint32_t start = 14 + 40 + size(palette);
  return "BM" + little_endian(start + size(pixels), 4) + std::string(4, '\0') + little_endian(start, 4) + information +
         palette + pixels;
}

Image<std::uint8_t> decode(const std::string& bytes) {
  io::ByteReader reader("x", test::as_bytes(bytes));
  return std::get<Image<std::uint8_t>>(io::decode_picture(reader, io::PictureCodec::bmp, io::Want::grey).pixels);
}

using Rows = std::vector<std::vector<int>>;

Rows rows_of(const Image<std::uint8_t>& image) {
  Rows rows;
  for (int y = 0; y < image.height(); ++y) rows.emplace_back(image.row(y), image.row(y) + image.width());
  return rows;
}

// The lowest row comes first: a run of 5; 3 pixels as they are, filled up to two bytes, and a run of 2.
const std::string two_rows = "\5\x09\0\0\0\3\1\2\3\0\2\7\0\1"s;

TEST(BmpRuns, AreUnpacked) {
  EXPECT_EQ(rows_of(decode(bmp({5, 2}, two_rows))), (Rows{{1, 2, 3, 7, 7}, {9, 9, 9, 9, 9}}));
  // The end of the last row may stand before the end of the picture, which may be missing behind it.
  EXPECT_NO_THROW(decode(bmp({5, 2}, "\5\x09\0\0\5\7\0\0\0\1"s)));
  EXPECT_NO_THROW(decode(bmp({5, 2}, "\5\x09\0\0\5\7\0\0"s)));
  EXPECT_NO_THROW(decode(bmp({5, 2}, "\5\x09\0\0\5\7"s)));
  // Rows that are filled up to four bytes.
  EXPECT_EQ(rows_of(decode(bmp({5, 2}, "\x08\x09\0\0\x08\7\0\1"s))), (Rows{{7, 7, 7, 7, 7}, {9, 9, 9, 9, 9}}));
  // Pixels that are skipped are those of index 0.
  EXPECT_EQ(rows_of(decode(bmp({5, 3}, "\1\x09\0\2\2\1\1\7\0\0\5\3\0\1"s))),
            (Rows{{3, 3, 3, 3, 3}, {0, 0, 0, 7, 0}, {9, 0, 0, 0, 0}}));
  // Of 4 bits: a run of 5 pixels that are 1 and 2 in turn; 5 pixels as they are in 3 bytes and one more.
  EXPECT_EQ(rows_of(decode(bmp({5, 2, 4, 2}, "\5\x12\0\0\0\5\x34\x56\x70\0\0\1"s))),
            (Rows{{48, 64, 80, 96, 112}, {16, 32, 16, 32, 16}}));
}

TEST(BmpRuns, ThatLeaveThePictureAreAnError) {
  const auto refused = [](const Form& form, const std::string& pixels, const std::string& why) {
    EXPECT_ERROR(decode(bmp(form, pixels)), ErrorCode::bad_data,
                 "the BMP file is damaged (" + why + "): copy or create");
  };
  refused({5, 2}, "\x09\x09\0\0\5\7\0\1"s, "its RLE8 data leave the picture behind 0 of 2 rows");
  refused({5, 2}, "\5\x09\0\0\3\7\0\6\1\2\3\4\5\6\0\1"s, "its RLE8 data leave the picture behind 1 of 2 rows");
  refused({5, 2}, "\5\x09\0\0\5\7\0\0\5\7\0\1"s, "its RLE8 data leave the picture behind 2 of 2 rows");
  refused({5, 2}, "\0\2\5\0\0\1"s, "its RLE8 data leave the picture behind 0 of 2 rows");
  refused({5, 2}, "\0\2\0\2\1\1\0\1"s, "its RLE8 data leave the picture behind 2 of 2 rows");
  refused({5, 2, 4, 2}, "\7\x12\0\0\5\7\0\1"s, "its RLE4 data leave the picture behind 0 of 2 rows");
  refused({5, 2, 4, 2}, "\0\6\x12\x34\x56\0\0\0\5\7\0\1"s, "its RLE4 data leave the picture behind 0 of 2 rows");
}

TEST(BmpRuns, ThatEndEarlyAreAnError) {
  const auto refused = [](const std::string& pixels, int rows) {
    EXPECT_ERROR(decode(bmp({5, 3}, pixels)), ErrorCode::bad_data,
                 "its RLE8 data end behind " + std::to_string(rows) + " of 3 rows");
  };
  refused("\0\1"s, 0);
  refused("\5\x09\0\0\0\1"s, 1);
  refused("\5\x09\0\0\5\7\0\0\0\1"s, 2);
  refused("\5\x09\0\0\5\7\0\0\4\1"s, 2);
  refused("\5\x09\0\0\5"s, 1);
  refused("\5\x09\0\0\5\7\0\0\0\5\1\2\3"s, 2);
  refused("\5\x09\0\2\1"s, 0);
  refused("", 0);
}

/// Plain pixels under a header that says RLE: whatever they are.
TEST(BmpRuns, ThatAreNoneAreAnError) {
  for (const int kind : {0, 1, 2, 3, 4}) {
    std::string pixels(std::size_t{40} * 30, '\0');
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const std::size_t x = i % 40, y = i / 40;
      const std::size_t value = kind == 0   ? 0
                                : kind == 1 ? 1
                                : kind == 2 ? 255
                                : kind == 3 ? x + y
                                            : x * 7919 ^ y * 1047;
      pixels[i] = static_cast<char>(value & 255);
    }
    EXPECT_NO_THROW(decode(bmp({40, 30, 8, 0}, pixels))) << kind;
    EXPECT_THROW(decode(bmp({40, 30, 8, 1}, pixels)), Error) << kind;
    EXPECT_NO_THROW(decode(bmp({80, 30, 4, 0}, pixels))) << kind;
    EXPECT_THROW(decode(bmp({80, 30, 4, 2}, pixels)), Error) << kind;
  }
  EXPECT_ERROR(decode(bmp({5, 2, 4, 1}, two_rows)), ErrorCode::bad_data, "it says RLE8, and has 4 bits per pixel");
  EXPECT_ERROR(decode(bmp({5, 2, 8, 2}, two_rows)), ErrorCode::bad_data, "it says RLE4, and has 8 bits per pixel");
}

TEST(BmpPalette, PixelsBeyondItAreAnError) {
  const std::string pixels = "\1\2\3\4\5\0\0\0\5\4\3\2\1\0\0\0"s;
  EXPECT_NO_THROW(decode(bmp({5, 2, 8, 0, 6}, pixels)));
  EXPECT_ERROR(decode(bmp({5, 2, 8, 0, 5}, pixels)), ErrorCode::bad_data,
               "the BMP file is damaged (pixel (0, 0) has the index 5, and the palette has 5 colours)");
  EXPECT_NO_THROW(decode(bmp({5, 2, 8, 1, 10}, two_rows)));
  EXPECT_ERROR(decode(bmp({5, 2, 8, 1, 9}, two_rows)), ErrorCode::bad_data,
               "pixel (0, 1) has the index 9, and the palette has 9 colours");
}

TEST(Bmp, PixelsThatBeginWithinThePaletteAreAnError) {
  std::string bytes = bmp({4, 2, 8, 0}, std::string(8, '\3'));
  EXPECT_EQ(rows_of(decode(bytes)), (Rows{{3, 3, 3, 3}, {3, 3, 3, 3}}));
  for (const std::uint32_t start : {54u, 14u, 14u + 40 + 4 * 255}) {
    bytes.replace(10, 4, little_endian(start, 4));
    EXPECT_ERROR(decode(bytes), ErrorCode::bad_data,
                 "and header and palette end at byte 1078): copy or create it again");
  }
}

}  // namespace
}  // namespace vergence
