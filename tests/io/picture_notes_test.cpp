// SPDX-License-Identifier: Apache-2.0
// Orientations and further pictures of a file: they are found, and nothing that is damaged or a preview is.
#include "io/picture_notes.hpp"

#include <gtest/gtest.h>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/codec.hpp"
#include "io/file_support.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;

std::string number(std::uint32_t value, int bytes, bool big) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> 8 * (big ? bytes - 1 - i : i) & 255u));
  return text;
}

/// A TIFF of one directory: a tag that is not meant, then the orientation.
std::string exif(int orientation, bool big) {
  const auto entry = [&](std::uint32_t tag, std::uint32_t value) {
    return number(tag, 2, big) + number(3, 2, big) + number(1, 4, big) + number(value, 2, big) + "\0\0"s;
  };
  return (big ? "MM"s : "II"s) + number(42, 2, big) + number(8, 4, big) + number(2, 2, big) + entry(271, 6) +
         entry(274, static_cast<std::uint32_t>(orientation)) + number(0, 4, big);
}

std::string encode(AVCodecID codec, AVPixelFormat format, int width) {
  return test::encode_picture(codec, format, width, 16, [](AVFrame& frame, int) {
    if (frame.format == AV_PIX_FMT_YUVJ420P) test::neutral_chroma(frame);
    for (int y = 0; y < frame.height; ++y)
      for (int x = 0; x < frame.width; ++x) test::set_sample(frame, 0, x, y, 5 * x + 3 * y);
  });
}
std::string jpeg(int width = 16) { return encode(AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, width); }
std::string png() { return encode(AV_CODEC_ID_PNG, AV_PIX_FMT_GRAY8, 16); }

std::string with_segment(const std::string& file, char marker, const std::string& content) {
  return file.substr(0, 2) + "\xFF" + marker + number(static_cast<std::uint32_t>(content.size()) + 2, 2, true) +
         content + file.substr(2);
}
/// Behind the header; FFmpeg looks at the checksums of such chunks, too.
std::string with_chunk(const std::string& file, const std::string& type_and_content) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : type_and_content) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
  }
  return file.substr(0, 33) + number(static_cast<std::uint32_t>(type_and_content.size()) - 4, 4, true) +
         type_and_content + number(~crc, 4, true) + file.substr(33);
}

io::PictureNotes notes_of(const std::string& bytes) {
  io::ByteReader reader("x", test::as_bytes(bytes));
  return io::decode_picture(reader, *io::picture_codec(reader.peek(16)), io::Want::grey).notes;
}

TEST(PictureNotes, Orientation) {
  for (int orientation = 1; orientation <= 8; ++orientation)
    for (const bool big : {false, true}) {
      const std::string content = exif(orientation, big);
      EXPECT_EQ(notes_of(with_segment(jpeg(), '\xE1', "Exif\0\0"s + content)).orientation, orientation);
      EXPECT_EQ(notes_of(with_chunk(png(), "eXIf" + content)).orientation, orientation);
    }
  EXPECT_EQ(notes_of(jpeg()).orientation, 1);
  EXPECT_EQ(notes_of(png()).orientation, 1);
  EXPECT_EQ(notes_of(with_segment(jpeg(), '\xE1', "Exif\0\0"s + exif(0, true))).orientation, 1) << "some cameras";
  EXPECT_EQ(notes_of(with_segment(jpeg(), '\xE1', "Exif\0\0"s + exif(9, true))).orientation, 1);
  EXPECT_EQ(notes_of(with_segment(jpeg(), '\xE1', "XMP"s + exif(6, true))).orientation, 1);
}

TEST(PictureNotes, ExifThatIsCutOffSaysNothing) {
  const std::string content = exif(6, true);
  const auto span = [](const std::string& text) {
    return std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  EXPECT_EQ(io::tiff_orientation(span(content)), 6);
  for (std::size_t size = 0; size < content.size() - 6; ++size)
    EXPECT_EQ(io::tiff_orientation(span(content.substr(0, size))), 1) << size;
  EXPECT_EQ(io::tiff_orientation(span("MM\0*\xFF\xFF\xFF\xFF"s)), 1);
}

TEST(PictureNotes, JoinedJpegs) {
  EXPECT_EQ(notes_of(jpeg()).pictures, 1);
  EXPECT_EQ(notes_of(jpeg() + jpeg(24)).pictures, 2);
  EXPECT_EQ(notes_of(jpeg() + jpeg(24) + jpeg()).pictures, 3);
  EXPECT_EQ(notes_of(jpeg() + jpeg(24).substr(0, 200)).pictures, 1) << "no picture";
  EXPECT_EQ(notes_of(jpeg() + "thumbs").pictures, 1);
}

TEST(PictureNotes, ViewsOfMpoCountAndPreviewsDoNot) {
  const std::string several = with_segment(jpeg(), '\xE2', "MPF\0II*\0"s);
  EXPECT_EQ(notes_of(several).pictures, 1);
  EXPECT_EQ(notes_of(several + "\0\0\0"s + jpeg()).pictures, 2);
  EXPECT_EQ(notes_of(several + jpeg(8)).pictures, 1) << "a preview";
  EXPECT_EQ(notes_of(several + jpeg() + jpeg(8)).pictures, 2);
  const std::string phone = with_segment(jpeg(), '\xE1', "xmp http://ns.google.com/photos/1.0/container/ ");
  EXPECT_EQ(notes_of(phone + jpeg(8)).pictures, 1) << "a map of gains";
}

TEST(PictureNotes, AnimatedPng) {
  EXPECT_EQ(notes_of(with_chunk(png(), "acTL\0\0\0\x05\0\0\0\0"s)).pictures, 5);
  EXPECT_EQ(notes_of(with_chunk(png(), "acTL\0\0\0\x01\0\0\0\0"s)).pictures, 1);
}

/// Directories of an uncompressed grey TIFF of 2x1 pixels, which lie at byte 8.
std::string tiff(const std::vector<std::pair<int, int>>& width_and_kind, int orientation, bool circle = false) {
  std::string file = "II*\0\x0A\0\0\0\x55\x77"s;
  for (std::size_t i = 0; i < width_and_kind.size(); ++i) {
    const auto [width, kind] = width_and_kind[i];
    const std::vector<std::pair<int, int>> tags{{254, kind}, {256, width},       {257, 1}, {258, 8}, {259, 1}, {262, 1},
                                                {273, 8},    {274, orientation}, {277, 1}, {278, 1}, {279, 2}};
    file += number(static_cast<std::uint32_t>(tags.size()), 2, false);
    for (const auto& [tag, value] : tags)
      file += number(static_cast<std::uint32_t>(tag), 2, false) + number(4, 2, false) + number(1, 4, false) +
              number(static_cast<std::uint32_t>(value), 4, false);
    const bool last = i + 1 == width_and_kind.size();
    file += number(last ? circle ? 10 : 0 : static_cast<std::uint32_t>(file.size()) + 4, 4, false);
  }
  return file;
}

TEST(PictureNotes, PagesOfATiff) {
  EXPECT_EQ(notes_of(tiff({{2, 0}}, 1)).pictures, 1);
  EXPECT_EQ(notes_of(tiff({{2, 0}}, 1)).orientation, 1);
  EXPECT_EQ(notes_of(tiff({{2, 0}}, 3)).orientation, 3);
  EXPECT_EQ(notes_of(tiff({{2, 0}, {2, 0}, {2, 2}}, 1)).pictures, 3);
  EXPECT_EQ(notes_of(tiff({{2, 0}, {1, 0}, {2, 1}, {2, 4}}, 1)).pictures, 1) << "a preview, a small one and a mask";
  EXPECT_EQ(notes_of(tiff({{2, 0}, {2, 0}}, 1, true)).pictures, 1) << "in a circle";
}

}  // namespace
}  // namespace vergence
