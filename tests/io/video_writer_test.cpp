// SPDX-License-Identifier: Apache-2.0
// Videos that are written are read again: Y4M number for number, MP4 nearly; and what is left without commit().
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "io/atomic_file.hpp"
#include "io/file_support.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

/// A plane of slow waves, which survives coding.
GreyPicture plane(Size size, int max_value, int seed) {
  GreyPicture picture;
  picture.max_value = max_value;
  picture.depth = max_value > 255 ? Depth::u16 : Depth::u8;
  if (picture.depth == Depth::u8)
    picture.u8 = Image<std::uint8_t>(size);
  else
    picture.u16 = Image<std::uint16_t>(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int value = max_value / 4 + (2 * x + y + 5 * seed) % 64 * (max_value / 255);
      if (picture.depth == Depth::u8)
        picture.u8(x, y) = static_cast<std::uint8_t>(value);
      else
        picture.u16(x, y) = static_cast<std::uint16_t>(value);
    }
  return picture;
}

Size chroma_size(Size luma, ChromaFormat chroma) {
  const Size half{(luma.width + 1) / 2, (luma.height + 1) / 2};
  if (chroma == ChromaFormat::c420) return half;
  return chroma == ChromaFormat::c422 ? Size{half.width, luma.height} : luma;
}

YuvFrame frame_of(const VideoFormat& format, int index) {
  YuvFrame frame;
  frame.chroma = format.chroma;
  frame.luma = plane(format.size, format.max_value, index);
  if (format.chroma == ChromaFormat::none) return frame;
  frame.cb = plane(chroma_size(format.size, format.chroma), format.max_value, index + 1);
  frame.cr = plane(chroma_size(format.size, format.chroma), format.max_value, index + 2);
  return frame;
}

int at(const GreyPicture& picture, int x, int y) {
  return picture.depth == Depth::u8 ? picture.u8(x, y) : picture.u16(x, y);
}

/// The largest difference within the part that both have.
int difference(const GreyPicture& a, const GreyPicture& b) {
  int most = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) most = std::max(most, std::abs(at(a, x, y) - at(b, x, y)));
  return most;
}

std::vector<YuvFrame> read_all(const std::string& path) {
  FrameSourceOptions options;
  options.chroma = true;
  FrameSource source(path, {}, options);
  std::vector<YuvFrame> frames;
  while (std::optional<YuvFrame> frame = source.next_yuv()) frames.push_back(std::move(*frame));
  return frames;
}

constexpr int count = 3;

void write_all(const std::string& path, const VideoFormat& format) {
  VideoWriter writer(path, format);
  for (int i = 0; i < count; ++i) writer.write(frame_of(format, i));
  writer.commit();
}

TEST(VideoWriter, Y4mHoldsTheVeryNumbers) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "clip.y4m";
  for (const ChromaFormat chroma : {ChromaFormat::none, ChromaFormat::c420, ChromaFormat::c422, ChromaFormat::c444})
    for (const int max_value : {255, 1023, 4095}) {
      VideoFormat format;
      format.size = {33, 17};
      format.chroma = chroma;
      format.max_value = max_value;
      format.depth = max_value > 255 ? Depth::u16 : Depth::u8;
      write_all(path, format);
      const std::vector<YuvFrame> frames = read_all(path);
      ASSERT_EQ(frames.size(), static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) {
        const YuvFrame expected = frame_of(format, i);
        const YuvFrame& frame = frames[static_cast<std::size_t>(i)];
        ASSERT_EQ(frame.luma.size(), format.size);
        EXPECT_EQ(frame.luma.max_value, max_value);
        EXPECT_EQ(difference(expected.luma, frame.luma), 0);
        ASSERT_EQ(frame.chroma, chroma);
        if (chroma == ChromaFormat::none) continue;
        EXPECT_EQ(difference(expected.cb, frame.cb), 0);
        EXPECT_EQ(difference(expected.cr, frame.cr), 0);
      }
    }
}

TEST(VideoWriter, Mp4IsCloseAndKeepsRateAndOddSizes) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "clip.mp4";
  for (const Size size : {Size{64, 48}, Size{33, 17}})
    for (const ChromaFormat chroma : {ChromaFormat::none, ChromaFormat::c420}) {
      VideoFormat format;
      format.size = size;
      format.chroma = chroma;
      format.rate = 30000.0 / 1001;
      write_all(path, format);
      EXPECT_NEAR(FrameSource(path).rate(), format.rate, 0.01);
      const std::vector<YuvFrame> frames = read_all(path);
      ASSERT_EQ(frames.size(), static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) {
        const YuvFrame& frame = frames[static_cast<std::size_t>(i)];
        ASSERT_EQ(frame.luma.size(), (Size{(size.width + 1) / 2 * 2, (size.height + 1) / 2 * 2}));
        EXPECT_LE(difference(frame_of(format, i).luma, frame.luma), 24);
        if (chroma == ChromaFormat::none) {
          EXPECT_NEAR(frame.cb.u8(5, 5), 128, 2);
        }
      }
    }
}

TEST(VideoWriter, ColoursComeBack) {
  const test::TemporaryDirectory dir;
  VideoFormat format;
  format.size = {32, 32};
  Image<Rgb> picture(32, 32);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) picture(x, y) = x < 16 ? Rgb{255, 255, 255} : y < 16 ? Rgb{255, 0, 0} : Rgb{0, 0, 255};
  for (const char* name : {"c.mp4", "c.y4m"}) {
    format.chroma = std::string(name) == "c.mp4" ? ChromaFormat::c420 : ChromaFormat::c444;
    VideoWriter writer(dir / name, format);
    writer.write(picture.view());
    writer.commit();
    const YuvFrame frame = std::move(read_all(dir / name)[0]);
    const int half = format.chroma == ChromaFormat::c420 ? 2 : 1;
    // ITU-R BT.601's own table: white 235 128 128, red 81 90 240, blue 41 240 110.
    EXPECT_NEAR(frame.luma.u8(8, 8), 235, 3);
    EXPECT_NEAR(frame.luma.u8(24, 8), 81, 3);
    EXPECT_NEAR(frame.cb.u8(24 / half, 8 / half), 90, 3);
    EXPECT_NEAR(frame.cr.u8(24 / half, 8 / half), 240, 3);
    EXPECT_NEAR(frame.luma.u8(24, 24), 41, 3);
    EXPECT_NEAR(frame.cb.u8(24 / half, 24 / half), 240, 3);
    EXPECT_NEAR(frame.cr.u8(24 / half, 24 / half), 110, 3);
  }
}

TEST(VideoWriter, WithoutCommitTheFramesStayReadable) {
  const test::TemporaryDirectory dir;
  for (const char* name : {"c.mp4", "c.y4m"}) {
    VideoFormat format;
    format.size = {64, 48};
    {
      VideoWriter writer(dir / name, format);
      for (int i = 0; i < count; ++i) writer.write(frame_of(format, i));
    }
    EXPECT_FALSE(std::filesystem::exists(dir / name));
    EXPECT_EQ(read_all(dir / (std::string(name) + ".partial")).size(), static_cast<std::size_t>(count)) << name;
  }
}

TEST(VideoWriter, FullDiskIsAnError) {
  const test::TemporaryDirectory dir;
  for (const char* name : {"c.mp4", "c.y4m"}) {
    VideoFormat format;
    format.size = {64, 48};
    const auto write = [&] {
      const io::FullDisk full(2000);
      write_all(dir / name, format);
    };
    EXPECT_ERROR(write(), ErrorCode::io, name);
    EXPECT_FALSE(std::filesystem::exists(dir / name));
  }
}

TEST(VideoWriter, WhatAFormatCannotHoldIsRefused) {
  const test::TemporaryDirectory dir;
  VideoFormat format;
  format.size = {32, 32};
  EXPECT_ERROR(VideoWriter(dir / "c.avi", format), ErrorCode::unsupported, ".mp4 or .y4m");
  format.rate = 0;
  EXPECT_ERROR(VideoWriter(dir / "c.mp4", format), ErrorCode::invalid_argument, "rate of 0");
  format.rate = 25;
  format.size = {0, 32};
  EXPECT_ERROR(VideoWriter(dir / "c.mp4", format), ErrorCode::invalid_argument, "0x32");
  format.size = {32, 32};
  format.depth = Depth::u16;
  format.max_value = 4095;
  EXPECT_ERROR(VideoWriter(dir / "c.mp4", format), ErrorCode::unsupported, "4095");
  format.depth = Depth::u8;
  format.max_value = 255;
  VideoWriter writer(dir / "c.y4m", format);
  VideoFormat other = format;
  other.size = {30, 32};
  EXPECT_ERROR(writer.write(frame_of(other, 0)), ErrorCode::invalid_argument, "30x32");
}

TEST(NpyWriter, HeaderIsTrueAfterEveryEntry) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "v.npy";
  NpyWriter writer(path, {2, 3});
  const std::vector<std::int16_t> entry{1, -2, 3, 4, 5, -32768};
  for (int i = 0; i < 12; ++i) {
    writer.write(entry);
    const std::string bytes = test::read_bytes(path + ".partial");
    EXPECT_EQ(bytes.size(), 128u + 12 * static_cast<std::size_t>(i + 1));
    EXPECT_NE(bytes.find("'shape': (" + std::to_string(i + 1) + ", 2, 3), }"), std::string::npos)
        << bytes.substr(0, 128);
    EXPECT_EQ(bytes[127], '\n');
  }
  EXPECT_ERROR(writer.write({1}), ErrorCode::invalid_argument, "entry of 1 values");
  writer.commit();
  EXPECT_EQ(test::read_bytes(path).substr(128, 4), std::string("\x01\x00\xfe\xff", 4));
  EXPECT_ERROR(NpyWriter(dir / "w.npy", {2, 0}), ErrorCode::invalid_argument, "empty");
}

TEST(NpyWriter, GrowsByAnyNumberOfFloats) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "f.npy";
  NpyWriter writer(path, {3}, NpyWriter::Type::f64);
  writer.write_entries({1, 2, 3, 4, 5, 0.5});
  writer.write_entries({});
  writer.write_entries({7, 8, 9});
  EXPECT_ERROR(writer.write_entries({1, 2}), ErrorCode::invalid_argument, "2 values were given, entries have 3");
  EXPECT_ERROR(writer.write({1, 2, 3}), ErrorCode::invalid_argument, "holds float64");
  EXPECT_ERROR(NpyWriter(dir / "i.npy", {3}).write_entries({1, 2, 3}), ErrorCode::invalid_argument, "holds int16");
  writer.commit();
  const std::string bytes = test::read_bytes(path);
  EXPECT_EQ(bytes.size(), 128u + 9 * 8);
  EXPECT_NE(bytes.find("'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }"), std::string::npos);
  EXPECT_EQ(bytes.substr(128 + 5 * 8, 8), std::string("\0\0\0\0\0\0\xe0\x3f", 8));
}

}  // namespace
}  // namespace vergence
