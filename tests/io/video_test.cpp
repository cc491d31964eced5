// SPDX-License-Identifier: Apache-2.0
// Video: the Y plane untouched, ranges exact, damaged and truncated files refused.
#include <gtest/gtest.h>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/file_support.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

constexpr int width = 34;
constexpr int height = 18;
constexpr int frames = 7;

int sample(int x, int y, int index) { return (7 * x + 11 * y + 31 * index) % 256; }

void fill_video(AVFrame& frame, int index) {
  test::neutral_chroma(frame);
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) test::set_sample(frame, 0, x, y, sample(x, y, index));
}

void fill_deep(AVFrame& frame, int index) {
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) test::set_sample(frame, 0, x, y, 4 * sample(x, y, index) + 3, 2);
}

void expect_frame(const GreyPicture& frame, int index) {
  ASSERT_EQ(frame.size(), (Size{width, height}));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) ASSERT_EQ(frame.u8(x, y), sample(x, y, index)) << index << ": " << x << "," << y;
}

TEST(Video, GivesTheLuminanceOfEveryFrameUntouched) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "odd:name.mkv";
  ASSERT_TRUE(test::write_video(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, width, height, frames, fill_video));
  FrameSource source(path);
  EXPECT_TRUE(source.is_stream());
  EXPECT_EQ(source.rate(), 25);
  for (int i = 0; i < frames; ++i) {
    const auto frame = source.next();
    ASSERT_TRUE(frame.has_value());
    expect_frame(*frame, i);
  }
  EXPECT_FALSE(source.next().has_value());
  EXPECT_FALSE(source.next().has_value());
}

TEST(Video, RangesAreExact) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.avi";
  ASSERT_TRUE(test::write_video(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, width, height, frames, fill_video));
  FrameSource source(path, {2, 4});
  EXPECT_EQ(source.count(), 3);
  for (int i = 2; i <= 4; ++i) expect_frame(*source.next(), i);
  EXPECT_FALSE(source.next().has_value());
  FrameSource beyond(path, {6, 20});
  expect_frame(*beyond.next(), 6);
  EXPECT_FALSE(beyond.next().has_value());
  EXPECT_ERROR(FrameSource(path, {7, -1}), ErrorCode::invalid_argument, "it has 7 frames");
}

TEST(Video, TenBitsComeAsSixteen) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.mkv";
  ASSERT_TRUE(test::write_video(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P10, width, height, 1, fill_deep));
  const auto frame = FrameSource(path).next();
  ASSERT_EQ(frame->depth, Depth::u16);
  EXPECT_EQ(frame->max_value, 1023);
  EXPECT_EQ(frame->u16(5, 3), 4 * sample(5, 3, 0) + 3);
}

TEST(Video, MotionJpegKeepsItsFullRange) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.avi";
  const auto black_and_white = [](AVFrame& frame, int) {
    test::neutral_chroma(frame);
    for (int y = 0; y < frame.height; ++y)
      for (int x = 0; x < frame.width; ++x) test::set_sample(frame, 0, x, y, x < 16 ? 0 : 255);
  };
  ASSERT_TRUE(
      test::write_video(path, AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, 32, 16, 2, black_and_white, "qmin=1:qmax=1"));
  const auto frame = FrameSource(path).next();
  EXPECT_LE(frame->u8(4, 4), 2);
  EXPECT_GE(frame->u8(28, 4), 253);
}

TEST(Video, SideBySide) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.mkv";
  ASSERT_TRUE(test::write_video(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, width, height, 3, fill_video));
  StereoSource source(path, StereoLayout::side_by_side);
  for (int i = 0; i < 3; ++i) {
    const auto frame = source.next();
    ASSERT_TRUE(frame.has_value());
    EXPECT_EQ(frame->left.u8(0, 17), sample(0, 17, i));
    EXPECT_EQ(frame->right.u8(0, 17), sample(17, 17, i));
  }
  EXPECT_FALSE(source.next().has_value());
}

// Frames that can be read before the end or the error; -1 where it could not be opened.
int readable_frames(const std::string& path, bool& error) {
  error = false;
  int count = -1;
  try {
    FrameSource source(path);
    count = 0;
    while (source.next()) ++count;
  } catch (const Error&) {
    error = true;
  }
  return count;
}

TEST(Video, TruncatedContainersAreErrors) {
  struct Kind {
    const char* name;
    AVCodecID codec;
    const char* options = "";
  };
  for (const Kind kind :
       {Kind{"a.avi", AV_CODEC_ID_FFV1}, Kind{"a.mkv", AV_CODEC_ID_FFV1}, Kind{"a.mp4", AV_CODEC_ID_MPEG4},
        Kind{"b.mp4", AV_CODEC_ID_MPEG4, "movflags=faststart"}, Kind{"a.y4m", AV_CODEC_ID_WRAPPED_AVFRAME}}) {
    SCOPED_TRACE(kind.name);
    const test::TemporaryDirectory directory;
    const std::string path = directory / kind.name;
    ASSERT_TRUE(
        test::write_video(path, kind.codec, AV_PIX_FMT_YUV420P, width, height, frames, fill_video, {}, kind.options));
    bool error = false;
    EXPECT_EQ(readable_frames(path, error), frames);
    EXPECT_FALSE(error);
    const std::string bytes = test::read_bytes(path);
    for (const double part : {0.02, 0.3, 0.5, 0.77}) {
      test::write_bytes(path, bytes.substr(0, static_cast<std::size_t>(static_cast<double>(bytes.size()) * part)));
      EXPECT_LT(readable_frames(path, error), frames) << part;
      EXPECT_TRUE(error) << part << ": the stream ended as if it were whole";
    }
  }
}

TEST(Video, DamagedFramesAreErrors) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.mkv";
  ASSERT_TRUE(test::write_video(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, width, height, frames, fill_video,
                                "level=3:slicecrc=1"));
  std::string bytes = test::read_bytes(path);
  for (std::size_t i = 0; i < 8; ++i)
    bytes[bytes.size() * 3 / 5 + i] = static_cast<char>(bytes[bytes.size() * 3 / 5 + i] ^ 0x5A);
  test::write_bytes(path, bytes);
  bool error = false;
  EXPECT_LT(readable_frames(path, error), frames);
  EXPECT_TRUE(error);
}

TEST(Video, AFrameOfAnotherSizeIsAnError) {
  const test::TemporaryDirectory directory;
  const std::pair<const char*, AVCodecID> kinds[] = {{"a.m2v", AV_CODEC_ID_MPEG2VIDEO}, {"a.h264", AV_CODEC_ID_H264}};
  for (const auto& [name, codec] : kinds) {
    SCOPED_TRACE(name);
    const std::string path = directory / name;
    if (!test::write_video(path, codec, AV_PIX_FMT_YUV420P, 64, 48, 3, fill_video)) continue;  // FFmpeg may lack x264
    std::string bytes = test::read_bytes(path);
    ASSERT_TRUE(test::write_video(path, codec, AV_PIX_FMT_YUV420P, 48, 32, 3, fill_video));
    bytes += test::read_bytes(path);
    test::write_bytes(path, bytes);
    FrameSource source(path);
    int count = 0;
    const auto read_all = [&] {
      while (source.next()) ++count;
    };
    EXPECT_ERROR(read_all(), ErrorCode::bad_data, "48x32");
    EXPECT_GE(count, 2);  // FFmpeg's decoder of MPEG-2 forgets the frame that it holds back
  }
}

TEST(Video, AnUnknownPixelFormatIsNamed) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.y4m";
  test::write_bytes(path, "YUV4MPEG2 W8 H8 F25:1 C999odd\nFRAME\n" + std::string(96, 'x'));
  EXPECT_ERROR(FrameSource{path}, ErrorCode::unsupported, "pixel format");
}

TEST(Video, ReadsARealClip) {
  const std::string path = VERGENCE_TEST_DATA "/clips/pan_1920x1080_54f.264";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  FrameSource source(path);
  int count = 0;
  while (const auto frame = source.next()) {
    ASSERT_EQ(frame->size(), (Size{1920, 1080}));
    ++count;
  }
  EXPECT_EQ(count, 54);
}

}  // namespace
}  // namespace vergence
