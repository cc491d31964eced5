// SPDX-License-Identifier: Apache-2.0
// PNG rows whose filter does not exist are an error, wherever they stand, and so are pixels beyond the palette; nothing
// else is one. And the unpacking that finds them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/codec.hpp"
#include "io/file_support.hpp"
#include "io/inflate.hpp"
#include "io/plain_png.hpp"
#include "io/video.hpp"

extern "C" {
#include <libavutil/adler32.h>
#include <libavutil/crc.h>
}

namespace vergence {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text.push_back(static_cast<char>(value >> shift & 255));
  return text;
}

const std::uint8_t* bytes_of(const std::string& text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

std::string chunk(const std::string& type, const std::string& data) {
  const std::string both = type + data;
  const std::uint32_t crc = ~av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), ~0u, bytes_of(both), both.size());
  return big_endian(static_cast<std::uint32_t>(data.size())) + both + big_endian(crc);
}

/// A zlib stream of one stored block.
std::string stored(const std::string& data) {
  std::string out = "\x78\x01\x01";
  for (const std::size_t half : {data.size(), ~data.size()}) {
    out.push_back(static_cast<char>(half & 255));
    out.push_back(static_cast<char>(half >> 8 & 255));
  }
  return out + data +
         big_endian(
             static_cast<std::uint32_t>(av_adler32_update(1, bytes_of(data), static_cast<unsigned>(data.size()))));
}

/// How the pixels of a PNG are packed.
struct RowKind {
  const char* name;
  int depth, colour;
  std::vector<int> rows;  ///< Bytes of each, without the filter.
  bool interlaced = false;
  std::string more{};  ///< A chunk before the pixels.
};

/// 5x5 pixels, all bytes `value`; `row` has this filter, and `odd` at its fourth byte where that is no negative number.
std::string png(const RowKind& kind, std::size_t row, int filter, int value = 7, int odd = -1) {
  std::string packed;
  for (std::size_t i = 0; i < kind.rows.size(); ++i) {
    packed.push_back(static_cast<char>(i == row ? filter : 0));
    packed += std::string(static_cast<std::size_t>(kind.rows[i]), static_cast<char>(value));
    if (i == row && odd >= 0)
      packed[packed.size() - static_cast<std::size_t>(kind.rows[i]) + 3] = static_cast<char>(odd);
  }
  std::string head = big_endian(5) + big_endian(5);
  for (const int byte : {kind.depth, kind.colour, 0, 0, kind.interlaced ? 1 : 0})
    head.push_back(static_cast<char>(byte));
  const std::string data = stored(packed);
  const std::size_t half = data.size() / 2;  // chunks may end anywhere
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + kind.more + chunk("IDAT", data.substr(0, half)) +
         chunk("IDAT", data.substr(half)) + chunk("IEND", "");
}

io::Raster decode_rows(const std::string& bytes) {
  io::ByteReader reader("x", test::as_bytes(bytes));
  return io::decode_picture(reader, io::PictureCodec::png, io::Want::grey);
}

std::vector<RowKind> row_kinds() {
  const std::vector<int> adam7{1, 1, 2, 1, 1, 3, 2, 2, 2, 5, 5};
  return {{"grey", 8, 0, {5, 5, 5, 5, 5}},
          {"grey of 16 bits", 16, 0, {10, 10, 10, 10, 10}},
          {"colour", 8, 2, {15, 15, 15, 15, 15}},
          {"colour with a key", 8, 2, {15, 15, 15, 15, 15}, false, chunk("tRNS", std::string("\0\1\0\2\0\3", 6))},
          {"grey and alpha", 8, 4, {10, 10, 10, 10, 10}},
          {"colour and alpha, 16 bits", 16, 6, {40, 40, 40, 40, 40}},
          {"palette", 8, 3, {5, 5, 5, 5, 5}, false, chunk("PLTE", std::string(3 * 256, '\x40'))},
          {"palette of 2 bits", 2, 3, {2, 2, 2, 2, 2}, false, chunk("PLTE", std::string(12, '\x40'))},
          {"one bit", 1, 0, {1, 1, 1, 1, 1}},
          {"interlaced", 8, 0, adam7, true}};
}

TEST(PngRows, AFilterThatDoesNotExistIsAnError) {
  for (const RowKind& kind : row_kinds()) {
    SCOPED_TRACE(kind.name);
    for (int filter = 0; filter <= 4; ++filter) EXPECT_NO_THROW(decode_rows(png(kind, 2, filter))) << filter;
    for (const int filter : {5, 255})
      for (std::size_t row = 0; row < kind.rows.size(); ++row)
        EXPECT_ERROR(decode_rows(png(kind, row, filter)), ErrorCode::bad_data,
                     "row " + std::to_string(row) + (kind.interlaced ? " as they are packed" : "") +
                         " has the filter " + std::to_string(filter) + ", and there are 0 .. 4");
  }
}

/// What is not as it should be behind sums that are right.
TEST(PngRows, OnlyUsualKindsThatAreWholeDoWithoutFfmpeg) {
  const auto plain = [](const std::string& file) {
    return io::read_plain_png({bytes_of(file), file.size()}).has_value();
  };
  for (const RowKind& kind : row_kinds()) {
    const bool usual = kind.name == std::string("grey") || kind.name == std::string("grey of 16 bits") ||
                       kind.name == std::string("colour");
    for (int filter = 0; filter <= 4; ++filter) EXPECT_EQ(plain(png(kind, 2, filter)), usual) << kind.name;
    EXPECT_FALSE(plain(png(kind, 2, 5))) << kind.name;
  }
  RowKind kind = row_kinds().front();
  for (const int rows : {4, 6}) {
    kind.rows.assign(static_cast<std::size_t>(rows), 5);
    EXPECT_FALSE(plain(png(kind, 2, 0))) << rows;
  }
  kind = row_kinds().front();
  const auto with = [&](const std::string& more) {
    kind.more = more;
    return plain(png(kind, 2, 0));
  };
  EXPECT_TRUE(with(chunk("pHYs", std::string(9, '\1')) + chunk("tEXt", std::string("a\0b", 3))));
  EXPECT_FALSE(with(chunk("pHYs", std::string(8, '\1'))));
  EXPECT_FALSE(with(chunk("tEXt", "no end of the keyword")));
  EXPECT_FALSE(with(chunk("acTL", std::string(8, '\1'))));
  EXPECT_FALSE(with(chunk("IHDR", std::string(13, '\1'))));
  kind.more.clear();
  std::string behind = png(kind, 2, 0);
  behind.insert(behind.size() - 12, chunk("IDAT", "x"));
  EXPECT_FALSE(plain(behind));
}

/// FFmpeg makes black of pixels without a palette.
TEST(PngRows, PalettesAreOneBeforeThePixels) {
  const std::string palette = chunk("PLTE", std::string(3 * 256, '\x40'));
  RowKind kind{"palette", 8, 3, {5, 5, 5, 5, 5}, false, palette};
  EXPECT_NO_THROW(decode_rows(png(kind, 2, 0)));
  const auto refused = [&kind](const std::string& chunks, const std::string& why) {
    kind.more = chunks;
    EXPECT_ERROR(decode_rows(png(kind, 2, 0)), ErrorCode::bad_data, "the PNG file is damaged (" + why);
  };
  refused(palette + palette, "it has two palettes");
  refused(chunk("PLTE", std::string(3 * 256 + 1, '\x40')), "its palette has 769 bytes");
  refused(chunk("PLTE", std::string(31, '\x40')), "its palette has 31 bytes");
  refused(chunk("PLTE", ""), "its palette has 0 bytes");
  kind.more = "";
  std::string late = png(kind, 2, 0);
  late.insert(late.size() - chunk("IEND", "").size(), palette);
  EXPECT_ERROR(decode_rows(late), ErrorCode::bad_data, "its palette lies behind the pixels");
}

/// What memory holds before a frame is decoded may be the picture, too.
TEST(PngRows, RowsThatLookUntouchedAreNone) {
  for (const RowKind& kind : row_kinds()) {
    SCOPED_TRACE(kind.name);
    EXPECT_NO_THROW(decode_rows(png(kind, 2, 0, 0xA7)));
    EXPECT_ERROR(decode_rows(png(kind, 2, 6, 0xA7)), ErrorCode::bad_data, "has the filter 6");
  }
}

TEST(PngPalette, PixelsBeyondItAreAnError) {
  const auto palette_of = [](int colours) {
    return chunk("PLTE", std::string(static_cast<std::size_t>(3 * colours), '\x40'));
  };
  const std::vector<int> rows(5, 5);
  for (const int colours : {1, 8, 200, 255}) {
    const RowKind kind{"palette", 8, 3, rows, false, palette_of(colours)};
    const int value = std::min(colours - 1, 7);
    EXPECT_NO_THROW(decode_rows(png(kind, 2, 0, value, colours - 1))) << colours;
    EXPECT_ERROR(decode_rows(png(kind, 2, 0, value, colours)), ErrorCode::bad_data,
                 "the PNG file is damaged (pixel (3, 2) has the index " + std::to_string(colours) +
                     ", and the palette has " + std::to_string(colours) + (colours == 1 ? " colour)" : " colours)"));
  }
  // 0x1B is 0, 1, 2, 3 in pixels of 2 bits; of the last byte only the first pixel belongs to the row.
  const RowKind small{"2 bits", 2, 3, {2, 2, 2, 2, 2}, false, palette_of(3)};
  EXPECT_NO_THROW(decode_rows(png(small, 0, 0, 0x15)));
  EXPECT_ERROR(decode_rows(png(small, 0, 0, 0x1B)), ErrorCode::bad_data,
               "pixel (3, 0) has the index 3, and the palette has 3");
  // A palette that only suggests colours.
  EXPECT_NO_THROW(decode_rows(png({"colour", 8, 2, {15, 15, 15, 15, 15}, false, palette_of(2)}, 0, 0)));
}

/// A video of such PNGs, three frames, of which the middle one may be another.
std::string error_of_video(const std::string& path, const std::string& good, const std::string& middle) {
  EXPECT_TRUE(test::write_packets(path, AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24, 5, 5, {good, middle, good}));
  int frames = 0;
  try {
    io::VideoReader reader(path);
    while (reader.next()) ++frames;
  } catch (const Error& error) {
    EXPECT_EQ(frames, 1);
    return error.what();
  }
  EXPECT_EQ(frames, 3);
  return "";
}

TEST(PngRows, AreLookedAtInVideosToo) {
  const test::TemporaryDirectory directory;
  const RowKind colour{"colour", 8, 2, {15, 15, 15, 15, 15}};
  const RowKind palette{"palette", 8, 3, {5, 5, 5, 5, 5}, false, chunk("PLTE", std::string(24, '\x40'))};
  for (const char* name : {"a.avi", "a.mkv", "a.mov"}) {
    SCOPED_TRACE(name);
    const std::string path = directory / name;
    EXPECT_EQ(error_of_video(path, png(colour, 0, 0), png(colour, 3, 4)), "");
    EXPECT_EQ(error_of_video(path, png(colour, 0, 0), png(colour, 3, 9)),
              "cannot read \"" + path +
                  "\": the video is damaged at frame 1 (row 3 has the filter 9, and there are 0 .. 4): copy or create "
                  "it again");
    EXPECT_EQ(error_of_video(path, png(palette, 0, 0), png(palette, 4, 0)), "");
    EXPECT_THAT(error_of_video(path, png(palette, 0, 0), png(palette, 4, 0, 7, 8)),
                testing::HasSubstr("damaged at frame 1 (pixel (3, 4) has the index 8, and the palette has 8 colours)"));
  }
}

/// FFmpeg's encoder as the other implementation: rows without prediction are the pixels.
class Packed : public testing::Test {
 protected:
  static constexpr int width = 300, height = 200;  // more than the window holds
  static int pixel(int x, int y) { return (x / 4 + y / 8 + x * y / 2000 % 3) & 255; }
  void SetUp() override {
    const std::string file = test::encode_picture(
        AV_CODEC_ID_PNG, AV_PIX_FMT_GRAY8, width, height,
        [](AVFrame& frame, int) {
          for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) test::set_sample(frame, 0, x, y, pixel(x, y));
        },
        "pred=none");
    for (std::size_t at = 8; at + 12 <= file.size();) {
      std::size_t length = 0;
      for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<std::uint8_t>(file[at + i]);
      if (file.compare(at + 4, 4, "IDAT") == 0)
        packed.insert(packed.end(), file.begin() + static_cast<std::ptrdiff_t>(at) + 8,
                      file.begin() + static_cast<std::ptrdiff_t>(at + 8 + length));
      at += length + 12;
    }
  }
  static bool unpack(std::span<const std::uint8_t> from, Bytes& to) {
    return io::inflate(from, [&to](std::span<const std::uint8_t> bytes) {
      to.insert(to.end(), bytes.begin(), bytes.end());
      return to.size() < std::size_t{1} << 20;
    });
  }
  Bytes packed;
};

TEST_F(Packed, IsUnpacked) {
  Bytes bytes;
  ASSERT_TRUE(unpack(packed, bytes));
  ASSERT_EQ(bytes.size(), std::size_t{height} * (width + 1));
  ASSERT_LT(packed.size(), bytes.size() / 2);  // not stored
  for (int y = 0; y < height; ++y)
    for (int x = -1; x < width; ++x)
      ASSERT_EQ(bytes[static_cast<std::size_t>(y * (width + 1) + x + 1)], x < 0 ? 0 : pixel(x, y)) << x << ' ' << y;
}

TEST_F(Packed, IsGivenUntilItIsEnough) {
  std::size_t calls = 0;
  EXPECT_TRUE(io::inflate(packed, [&calls](std::span<const std::uint8_t>) { return ++calls < 1; }));
  EXPECT_EQ(calls, 1u);
}

TEST_F(Packed, MayBeDamagedAnywhere) {
  for (std::size_t length = 0; length + 4 < packed.size(); length += packed.size() / 40 + 1) {
    Bytes bytes;
    EXPECT_FALSE(unpack(std::span(packed).first(length), bytes)) << length;
  }
  for (std::size_t at = 0; at < packed.size(); at += packed.size() / 100 + 1) {
    Bytes damaged = packed, bytes;
    damaged[at] ^= static_cast<std::uint8_t>(1 + at % 255);
    unpack(damaged, bytes);  // whatever it gives, it ends
  }
}

/// One block of fixed codes: the literal 'a', then a match of length 258 at distance 1, by hand from RFC 1951.
TEST(Inflate, FixedCodes) {
  // 78 01; bits: final 1, kind 01, 'a' = 0x91 (10010001), 285 = 11000101, distance 0 = 00000, end 0000000.
  const std::string bits =
      "1"
      "10"
      "10010001"
      "11000101"
      "00000"
      "0000000";
  Bytes packed{0x78, 0x01};
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (i % 8 == 0) packed.push_back(0);
    if (bits[i] == '1') packed.back() = static_cast<std::uint8_t>(packed.back() | 1 << i % 8);
  }
  // Adler-32: 1 + 259 * 97 = 0x6224, and the sum of 1 + 97 i for i to 259, modulo 65521, 0xD9A8.
  packed.insert(packed.end(), {0xD9, 0xA8, 0x62, 0x24});
  std::string text;
  const auto take = [&text](std::span<const std::uint8_t> bytes) {
    text.append(bytes.begin(), bytes.end());
    return true;
  };
  EXPECT_TRUE(io::inflate(packed, take));
  EXPECT_EQ(text, std::string(259, 'a'));
  packed.back() ^= 1;
  EXPECT_FALSE(io::inflate(packed, take));
  packed.pop_back();
  EXPECT_FALSE(io::inflate(packed, take));
}

}  // namespace
}  // namespace vergence
