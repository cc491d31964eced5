// SPDX-License-Identifier: Apache-2.0
// PNG, JPEG, TIFF and BMP: values, depths, and that an incomplete or damaged file is always an error.
#include "io/codec.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/file_support.hpp"
#include "io/libav.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;
using test::encode_picture;
using test::set_sample;

constexpr int width = 19;
constexpr int height = 11;

io::Raster decode_picture(const std::string& bytes, io::Want want = io::Want::grey) {
  io::ByteReader reader("x", test::as_bytes(bytes));
  const auto codec = io::picture_codec(reader.peek(16));
  if (!codec) throw Error(ErrorCode::bad_data, "no codec");
  return io::decode_picture(reader, *codec, want);
}

std::uint8_t grey_at(int x, int y) { return test::pattern<std::uint8_t>(x, y); }

void fill_grey(AVFrame& frame, int) {
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) set_sample(frame, 0, x, y, grey_at(x, y));
}

void fill_deep(AVFrame& frame, int) {
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) set_sample(frame, 0, x, y, test::pattern<std::uint16_t>(x, y), 2);
}

void fill_rgb(AVFrame& frame, int) {
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < 3 * frame.width; ++x) set_sample(frame, 0, x, y, grey_at(x, y));
}

// A smooth picture, so that a lossy codec keeps it nearly.
void fill_smooth(AVFrame& frame, int) {
  test::neutral_chroma(frame);
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) set_sample(frame, 0, x, y, 4 * x + 6 * y);
}

std::string grey_file(AVCodecID codec) { return encode_picture(codec, AV_PIX_FMT_GRAY8, width, height, fill_grey); }

TEST(Codec, Grey8KeepsEveryValue) {
  for (const AVCodecID codec : {AV_CODEC_ID_PNG, AV_CODEC_ID_TIFF, AV_CODEC_ID_BMP}) {
    SCOPED_TRACE(avcodec_get_name(codec));
    const io::Raster raster = decode_picture(grey_file(codec));
    ASSERT_EQ(raster.channels, 1);
    ASSERT_EQ(raster.size(), (Size{width, height}));
    EXPECT_EQ(raster.max_value, 255);
    const auto& image = std::get<Image<std::uint8_t>>(raster.pixels);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) ASSERT_EQ(image(x, y), grey_at(x, y));
  }
}

TEST(Codec, Grey16KeepsEveryValue) {
  const std::pair<AVCodecID, AVPixelFormat> kinds[] = {{AV_CODEC_ID_TIFF, AV_PIX_FMT_GRAY16LE}};
  for (const auto& [codec, format] : kinds) {
    const io::Raster raster = decode_picture(encode_picture(codec, format, width, height, fill_deep));
    const auto& image = std::get<Image<std::uint16_t>>(raster.pixels);
    EXPECT_EQ(raster.max_value, 65535);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) ASSERT_EQ(image(x, y), (test::pattern<std::uint16_t>(x, y)));
  }
}

TEST(Codec, RgbKeepsEveryValueAndGivesTheStatedGrey) {
  const std::pair<AVCodecID, AVPixelFormat> kinds[] = {
      {AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24}, {AV_CODEC_ID_TIFF, AV_PIX_FMT_RGB24}, {AV_CODEC_ID_BMP, AV_PIX_FMT_BGR24}};
  for (const auto& [codec, format] : kinds) {
    SCOPED_TRACE(avcodec_get_name(codec));
    const bool swapped = format == AV_PIX_FMT_BGR24;
    const std::string bytes = encode_picture(codec, format, width, height, fill_rgb);
    const Image<Rgb> colour = io::to_rgb(decode_picture(bytes, io::Want::colour), "x");
    const GreyPicture grey = io::to_grey(decode_picture(bytes), "x");
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int r = grey_at(3 * x + (swapped ? 2 : 0), y);
        const int g = grey_at(3 * x + 1, y);
        const int b = grey_at(3 * x + (swapped ? 0 : 2), y);
        ASSERT_EQ(colour(x, y),
                  (Rgb{static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), static_cast<std::uint8_t>(b)}));
        ASSERT_EQ(grey.u8(x, y), (9798 * r + 19235 * g + 3735 * b + 16384) >> 15);
      }
  }
}

TEST(Codec, AlphaIsDroppedAndSixteenBitColourIsExact) {
  const auto fill_rgba = [](AVFrame& frame, int) {
    for (int y = 0; y < frame.height; ++y)
      for (int x = 0; x < 4 * frame.width; ++x) set_sample(frame, 0, x, y, x % 4 == 3 ? 1 : 50 * (x % 4) + y);
  };
  const GreyPicture grey =
      io::to_grey(decode_picture(encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_RGBA, 5, 3, fill_rgba)), "x");
  EXPECT_EQ(grey.u8(2, 1), (9798 * 1 + 19235 * 51 + 3735 * 101 + 16384) >> 15);
  const auto fill_deep_rgb = [](AVFrame& frame, int) {
    for (int x = 0; x < 6 * frame.width; ++x) set_sample(frame, 0, x, 0, 255);  // 65535 in any byte order
  };
  const GreyPicture white =
      io::to_grey(decode_picture(encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_RGB48BE, 2, 1, fill_deep_rgb)), "x");
  EXPECT_EQ(white.depth, Depth::u16);
  EXPECT_EQ(white.u16(1, 0), 65535);
  const auto fill_grey_alpha = [](AVFrame& frame, int) {
    for (int x = 0; x < 2 * frame.width; ++x) set_sample(frame, 0, x, 0, x % 2 == 1 ? 9 : 200 + x);
  };
  const GreyPicture plain =
      io::to_grey(decode_picture(encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_YA8, 3, 1, fill_grey_alpha)), "x");
  EXPECT_EQ(plain.u8(2, 0), 204);
}

TEST(Codec, AlphaIsSaid) {
  const auto grey = encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_GRAY8, width, height, fill_grey);
  EXPECT_FALSE(io::to_values(decode_picture(grey)).alpha);
  const auto fill_opaque = [](AVFrame& frame, int) {
    for (int x = 0; x < 4 * frame.width; ++x) set_sample(frame, 0, x, 0, x);
  };
  EXPECT_TRUE(io::to_values(decode_picture(encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_RGBA, 5, 1, fill_opaque))).alpha);
  EXPECT_TRUE(io::to_values(decode_picture(encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_YA8, 5, 1, fill_opaque))).alpha);
}

TEST(Codec, TiffsWithJpegCompressionAreRefusedByName) {
  std::string tiff = encode_picture(AV_CODEC_ID_TIFF, AV_PIX_FMT_GRAY8, width, height, fill_grey);
  const std::size_t entry = tiff.rfind("\x03\x01\x03\0\x01\0\0\0"s);  // compression, one number of 16 bits
  ASSERT_NE(entry, std::string::npos);
  EXPECT_EQ(decode_picture(tiff).size(), (Size{width, height}));
  for (const char kind : {'\6', '\7'}) {
    tiff[entry + 8] = kind;
    tiff[entry + 9] = 0;
    EXPECT_ERROR(decode_picture(tiff), ErrorCode::unsupported, "TIFF with JPEG compression");
  }
}

TEST(Codec, PixelsBeyondThePaletteOfATiffAreAnError) {
  const auto fill = [](AVFrame& frame, int) {
    for (int y = 0; y < frame.height; ++y)
      for (int x = 0; x < frame.width; ++x) set_sample(frame, 0, x, y, x == 4 && y == 2 ? 20 : 19 - x);
  };
  std::string tiff = encode_picture(AV_CODEC_ID_TIFF, AV_PIX_FMT_PAL8, width, height, fill);
  const std::size_t entry = tiff.rfind("\x40\x01\x03\0\0\x03\0\0"s);  // the palette, 768 numbers of 16 bits
  ASSERT_NE(entry, std::string::npos);
  EXPECT_NO_THROW(decode_picture(tiff));
  tiff[entry + 5] = 0;
  tiff[entry + 4] = 3 * 21;
  EXPECT_NO_THROW(decode_picture(tiff));
  tiff[entry + 4] = 3 * 20;
  EXPECT_ERROR(decode_picture(tiff), ErrorCode::bad_data,
               "the TIFF file is damaged (pixel (4, 2) has the index 20, and the palette has 20 colours)");
}

TEST(Codec, PalettesAndBitsAreExpanded) {
  const auto fill_palette = [](AVFrame& frame, int) {
    for (std::uint32_t i = 0; i < 256; ++i) {
      const std::uint32_t entry = 0xFF000000u | i << 16 | (255 - i) << 8 | 7;
      std::memcpy(frame.data[1] + 4 * i, &entry, 4);
    }
    for (int x = 0; x < frame.width; ++x) set_sample(frame, 0, x, 0, 40 * x);
  };
  const Image<Rgb> colour = io::to_rgb(
      decode_picture(encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_PAL8, 3, 1, fill_palette), io::Want::colour), "x");
  EXPECT_EQ(colour(2, 0), (Rgb{80, 175, 7}));
  const auto fill_bits = [](AVFrame& frame, int) { set_sample(frame, 0, 0, 0, 0xA0); };
  const GreyPicture bits =
      io::to_grey(decode_picture(encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_MONOBLACK, 4, 1, fill_bits)), "x");
  EXPECT_EQ(bits.u8(0, 0), 255);
  EXPECT_EQ(bits.u8(1, 0), 0);
  EXPECT_EQ(bits.u8(2, 0), 255);
  const GreyPicture inverse =
      io::to_grey(decode_picture(encode_picture(AV_CODEC_ID_TIFF, AV_PIX_FMT_MONOWHITE, 4, 1, fill_bits)), "x");
  EXPECT_EQ(inverse.u8(0, 0), 0);
  EXPECT_EQ(inverse.u8(1, 0), 255);
}

TEST(Codec, BmpOfSixteenBitsIsScaledTo8) {
  const auto fill = [](AVFrame& frame, int) {
    for (int x = 0; x < 3; ++x) set_sample(frame, 0, x, 0, x == 0 ? 0x1F << 11 : x == 1 ? 0x3F << 5 : 0x10, 2);
  };
  const Image<Rgb> colour = io::to_rgb(
      decode_picture(encode_picture(AV_CODEC_ID_BMP, AV_PIX_FMT_RGB565LE, 3, 1, fill), io::Want::colour), "x");
  EXPECT_EQ(colour(0, 0), (Rgb{255, 0, 0}));
  EXPECT_EQ(colour(1, 0), (Rgb{0, 255, 0}));
  EXPECT_EQ(colour(2, 0), (Rgb{0, 0, (16 * 255 + 15) / 31}));
}

TEST(Codec, JpegGivesItsLuminanceUntouched) {
  const std::string bytes =
      encode_picture(AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, width, height, fill_smooth, "qmin=1:qmax=1");
  const io::Raster raster = decode_picture(bytes);
  const auto& image = std::get<Image<std::uint8_t>>(raster.pixels);
  ASSERT_EQ(raster.size(), (Size{width, height}));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      ASSERT_NEAR(image(x, y), 4 * x + 6 * y, 3);  // a rescaled range would be off by up to 16
  EXPECT_LE(image(0, 0), 3);
  const Image<Rgb> colour = io::to_rgb(decode_picture(bytes, io::Want::colour), "x");
  EXPECT_EQ(colour(9, 5).r, image(9, 5));
  EXPECT_EQ(colour(9, 5).b, image(9, 5));
}

TEST(Codec, JpegColourIsConverted) {
  const auto fill_red = [](AVFrame& frame, int) {
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) set_sample(frame, 0, x, y, 76);
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) {
        set_sample(frame, 1, x, y, 85);
        set_sample(frame, 2, x, y, 255);
      }
  };
  const std::string bytes = encode_picture(AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, 16, 16, fill_red, "qmin=1:qmax=1");
  const Image<Rgb> colour = io::to_rgb(decode_picture(bytes, io::Want::colour), "x");
  EXPECT_NEAR(colour(7, 7).r, 254, 4);
  EXPECT_NEAR(colour(7, 7).g, 0, 4);
  EXPECT_NEAR(colour(7, 7).b, 0, 4);
}

// Each byte cut off the end must be noticed. TIFF alone may end in bytes that belong to nothing.
void expect_no_beginning_decodes(const std::string& bytes) {
  EXPECT_NO_THROW(decode_picture(bytes));
  test::for_every_beginning(bytes, [&](const std::string& part) {
    EXPECT_THROW(decode_picture(part), Error) << part.size() << " of " << bytes.size() << " bytes";
  });
}

TEST(Codec, EveryTruncationIsAnError) {
  for (const AVCodecID codec : {AV_CODEC_ID_PNG, AV_CODEC_ID_TIFF, AV_CODEC_ID_BMP}) {
    SCOPED_TRACE(avcodec_get_name(codec));
    expect_no_beginning_decodes(grey_file(codec));
  }
  for (const char* compression : {"compression_algo=raw", "compression_algo=lzw", "compression_algo=packbits"})
    expect_no_beginning_decodes(
        encode_picture(AV_CODEC_ID_TIFF, AV_PIX_FMT_GRAY8, width, height, fill_grey, compression));
  SCOPED_TRACE("jpeg");
  expect_no_beginning_decodes(encode_picture(AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, width, height, fill_smooth));
}

TEST(Codec, AJpegWithoutItsMiddleIsAnError) {
  const auto fill = [](AVFrame& frame, int) {
    test::neutral_chroma(frame);
    fill_grey(frame, 0);
  };
  const std::string bytes = encode_picture(AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, 64, 64, fill);
  EXPECT_NO_THROW(decode_picture(bytes));
  const std::string cut = bytes.substr(0, bytes.size() / 2) + "\xFF\xD9";
  EXPECT_ERROR(decode_picture(cut), ErrorCode::bad_data, "JPEG");
}

TEST(Codec, APngOfMissingRowsIsAnError) {
  // The pixels of a lower picture under the header of a higher one: chunk lengths, checksums and the end are in order.
  const std::string high = encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_GRAY8, width, height, fill_grey);
  const std::string low = encode_picture(AV_CODEC_ID_PNG, AV_PIX_FMT_GRAY8, width, height - 1, fill_grey);
  const std::string mixed = high.substr(0, 33) + low.substr(33);
  EXPECT_ERROR(decode_picture(mixed), ErrorCode::bad_data, "PNG");
}

TEST(Codec, ADamagedPngIsAnError) {
  const std::string bytes = grey_file(AV_CODEC_ID_PNG);
  for (std::size_t at = 8; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    try {
      decode_picture(damaged);  // a changed ancillary chunk's name may pass; it must not crash
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}

// Little-endian TIFF of one row, 4 samples of 8 bits, with one more tag.
std::string tiff_with(std::uint32_t tag, std::uint32_t value) {
  const auto number = [](std::uint32_t n, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(n >> (8 * i) & 0xFF);
    return text;
  };
  const std::pair<std::uint32_t, std::uint32_t> tags[] = {{256, 4}, {257, 1}, {258, 8}, {259, 1}, {262, 1},
                                                          {273, 8}, {277, 1}, {278, 1}, {279, 4}, {tag, value}};
  std::string bytes = "II*\0"s + number(12, 4) + "abcd" + number(10, 2);
  for (const auto& [name, content] : tags) bytes += number(name, 2) + number(3, 2) + number(1, 4) + number(content, 4);
  return bytes + number(0, 4);
}

TEST(Codec, TiffTagsThatDoNotMatterAreIgnored) {
  for (const std::uint32_t tag : {280u, 296u, 338u, 700u, 65000u}) {
    const io::Raster raster = decode_picture(tiff_with(tag, 1));
    EXPECT_EQ(std::get<Image<std::uint8_t>>(raster.pixels)(3, 0), 'd') << tag;
  }
  EXPECT_NO_THROW(decode_picture(tiff_with(339, 1)));
  for (const std::uint32_t format : {2u, 3u})
    EXPECT_ERROR(decode_picture(tiff_with(339, format)), ErrorCode::unsupported, "signed or float");
}

TEST(Codec, BytesBehindAPictureAreIgnored) {
  EXPECT_NO_THROW(decode_picture(grey_file(AV_CODEC_ID_PNG) + "appendix"));
  const std::string jpeg = encode_picture(AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, width, height, fill_smooth);
  EXPECT_NO_THROW(decode_picture(jpeg + std::string(100, '\xFF')));
  EXPECT_NO_THROW(decode_picture(jpeg + jpeg));
}

TEST(Codec, SizesBeyondFfmpegAreRefusedByName) {
  std::string bytes = grey_file(AV_CODEC_ID_PNG);
  bytes.replace(16, 8, "\0\0\x75\x30\0\0\x75\x30"s);  // 30000 x 30000
  EXPECT_ERROR(decode_picture(bytes), ErrorCode::unsupported, "30000x30000");
  EXPECT_ERROR(decode_picture(bytes), ErrorCode::unsupported, ".npy, .pgm or .pfm");
  bytes.replace(16, 8, "\0\0\0\0\0\0\0\5"s);
  EXPECT_ERROR(decode_picture(bytes), ErrorCode::bad_data, "0x5");
}

template <class T>
void check_png_round_trip(int columns, int rows) {
  const test::TemporaryDirectory directory;
  test::GuardedImage<T> image(columns, rows);
  test::fill_pattern(image.view());
  write_picture(directory / "a.png", std::as_const(image).view());
  EXPECT_EQ(directory.entries(), std::vector<std::string>{"a.png"});
  const GreyPicture read = read_grey(directory / "a.png");
  ASSERT_EQ(read.size(), (Size{columns, rows}));
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      ASSERT_EQ(sizeof(T) == 1 ? read.u8(x, y) : read.u16(x, y), (test::pattern<T>(x, y)));
}

TEST(Codec, PngRoundTrip) {
  for (const Size size : {Size{1, 1}, Size{1, 9}, Size{33, 1}, Size{65, 17}}) {
    check_png_round_trip<std::uint8_t>(size.width, size.height);
    check_png_round_trip<std::uint16_t>(size.width, size.height);
  }
  const test::TemporaryDirectory directory;
  Image<Rgb> image(7, 3, Rgb{1, 2, 3});
  image(6, 2) = {250, 251, 252};
  write_picture(directory / "a.png", image);
  const Image<Rgb> read = read_rgb(directory / "a.png");
  EXPECT_EQ(read(6, 2), (Rgb{250, 251, 252}));
  EXPECT_EQ(read(0, 0), (Rgb{1, 2, 3}));
}

TEST(Codec, ReadsRealPictures) {
  const std::string path = VERGENCE_TEST_DATA "/stereo/venus/left.png";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  EXPECT_EQ(read_grey(path).size(), (Size{434, 383}));
}

}  // namespace
}  // namespace vergence
