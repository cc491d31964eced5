// SPDX-License-Identifier: Apache-2.0
// Damaged videos of many codecs and containers, decoded in the process of the test: no signal, no hang, a clear error.
// VERGENCE_DAMAGED_VIDEOS=1000 takes so many damaged files of each kind instead of a few.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/damage.hpp"
#include "io/file_support.hpp"
#include "io/video.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

constexpr int damaged_width = 128;  // the least that H.263 knows
constexpr int damaged_height = 96;
constexpr int frames = 5;

struct Clip {
  const char* name;
  AVCodecID codec;
  AVPixelFormat format = AV_PIX_FMT_YUV420P;
  const char* options = "";
  bool checksums = false;    // of every frame: nothing wrong can be given
  bool tells_length = true;  // the container tells that its end is missing
  bool fragile = false;      // most damage makes its bits impossible
};

void PrintTo(const Clip& clip, std::ostream* stream) { *stream << clip.name; }

constexpr bool yes = true, no = false;
constexpr auto yuv = AV_PIX_FMT_YUV420P;
const Clip clips[] = {
    {"mpeg4.avi", AV_CODEC_ID_MPEG4, yuv, "", no, yes, yes},
    {"mpeg4_b.mkv", AV_CODEC_ID_MPEG4, yuv, "bf=2", no, yes, yes},
    {"mpeg4.mp4", AV_CODEC_ID_MPEG4, yuv, "", no, yes, yes},
    {"mpeg4.m4v", AV_CODEC_ID_MPEG4, yuv, "", no, no, yes},
    {"msmpeg4v2.avi", AV_CODEC_ID_MSMPEG4V2, yuv, "", no, yes, yes},
    {"msmpeg4v3.avi", AV_CODEC_ID_MSMPEG4V3, yuv, "", no, yes, yes},
    {"h263.avi", AV_CODEC_ID_H263, yuv, "", no, yes, yes},
    {"h263p.avi", AV_CODEC_ID_H263P, yuv, "", no, yes, yes},
    {"wmv1.avi", AV_CODEC_ID_WMV1, yuv, "", no, yes, yes},
    {"wmv2.mkv", AV_CODEC_ID_WMV2, yuv, "", no, yes, yes},
    {"flv1.flv", AV_CODEC_ID_FLV1, yuv, "", no, no, yes},
    {"mpeg1.mpg", AV_CODEC_ID_MPEG1VIDEO, yuv, "", no, no, yes},
    {"mpeg2.ts", AV_CODEC_ID_MPEG2VIDEO, yuv, "bf=2", no, no, yes},
    {"mpeg2.mkv", AV_CODEC_ID_MPEG2VIDEO, yuv, "", no, yes, yes},
    {"h264.mp4", AV_CODEC_ID_H264, yuv, "preset=ultrafast"},
    {"h264.mkv", AV_CODEC_ID_H264, yuv, "preset=veryfast:bf=2"},
    {"h264.264", AV_CODEC_ID_H264, yuv, "preset=veryfast", no, no},
    {"hevc.mp4", AV_CODEC_ID_HEVC, yuv, "preset=ultrafast:x265-params=log-level=none"},
    {"vp8.webm", AV_CODEC_ID_VP8, yuv, "deadline=realtime:cpu-used=8"},
    {"vp9.webm", AV_CODEC_ID_VP9, yuv, "deadline=realtime:cpu-used=8"},
    {"mjpeg.avi", AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, "", no, yes, yes},
    {"ffv1.mkv", AV_CODEC_ID_FFV1, yuv, "level=3:slicecrc=1", yes, yes, yes},
    {"huffyuv.avi", AV_CODEC_ID_HUFFYUV, AV_PIX_FMT_YUV422P},
    {"png.avi", AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24, "", yes, yes, yes},
    {"png.mkv", AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24, "", yes, yes, yes},
    {"raw.avi", AV_CODEC_ID_RAWVIDEO},
    {"raw.mkv", AV_CODEC_ID_RAWVIDEO},
    {"raw.y4m", AV_CODEC_ID_WRAPPED_AVFRAME},
};

void fill(AVFrame& frame, int index) {
  const bool rgb = frame.format == AV_PIX_FMT_RGB24;
  if (!rgb) test::neutral_chroma(frame);
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width * (rgb ? 3 : 1); ++x) {
      const int a = x + 2 * index;
      const int b = y + index;
      test::set_sample(frame, 0, x, y, 40 + (a * a / 37 + b * 3 + ((a * 7919 ^ b * 1047) & 31)) % 176);
    }
}

struct Decoded {
  std::vector<Image<std::uint8_t>> frames;
  std::string error;
};

Decoded decode_video(const std::string& path) {
  Decoded decoded;
  try {
    io::VideoReader reader(path);
    while (auto frame = reader.next()) decoded.frames.push_back(std::move(frame->luma.u8));
  } catch (const Error& error) {
    decoded.error = error.what();
    EXPECT_TRUE(error.code() == ErrorCode::bad_data || error.code() == ErrorCode::unsupported) << error.what();
  }
  return decoded;
}

bool same(const Image<std::uint8_t>& a, const Image<std::uint8_t>& b) {
  if (a.size() != b.size()) return false;
  for (int y = 0; y < a.height(); ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width(), b.row(y))) return false;
  return true;
}

bool same(const Decoded& a, const Decoded& b) {
  return a.frames.size() == b.frames.size() &&
         std::equal(a.frames.begin(), a.frames.end(), b.frames.begin(),
                    [](const auto& one, const auto& other) { return same(one, other); });
}

unsigned damaged_files() {
  const char* const wanted = std::getenv("VERGENCE_DAMAGED_VIDEOS");
  return wanted == nullptr ? 30 : static_cast<unsigned>(std::max(std::atoi(wanted), test::damage_kinds));
}

class DamagedVideo : public testing::TestWithParam<Clip> {};

TEST_P(DamagedVideo, IsAClearErrorOrWhole) {
  const Clip& clip = GetParam();
  const test::TemporaryDirectory directory;
  const std::string path = directory / clip.name;
  if (!test::write_video(path, clip.codec, clip.format, damaged_width, damaged_height, frames, fill, clip.options))
    GTEST_SKIP() << "this FFmpeg has no encoder of " << avcodec_get_name(clip.codec);
  const std::string bytes = test::read_bytes(path);
  const Decoded whole = decode_video(path);
  ASSERT_EQ(whole.error, "");
  ASSERT_EQ(whole.frames.size(), static_cast<std::size_t>(frames));
  unsigned refused = 0;
  const unsigned files = damaged_files();
  for (unsigned seed = 0; seed < files; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::write_bytes(path, test::damaged(bytes, seed));
    const Decoded decoded = decode_video(path);
    if (!decoded.error.empty()) {
      ++refused;
      EXPECT_EQ(decoded.error.find('\n'), std::string::npos);
      EXPECT_EQ(decoded.error.rfind("cannot read \"", 0), 0u) << decoded.error;
      continue;
    }
    const bool missing = test::damage_of(seed) == test::Damage::truncated && clip.tells_length;
    if (clip.checksums || missing) {
      EXPECT_TRUE(same(decoded, whole)) << decoded.frames.size() << " frames, without an error";
    }
  }
  if (clip.fragile) {
    EXPECT_GE(refused, files * 3 / 5) << "of " << files;
  }
}

std::string clip_name(const testing::TestParamInfo<Clip>& clip) {
  std::string name = clip.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, DamagedVideo, testing::ValuesIn(clips), clip_name);

std::string clip_bytes(const test::TemporaryDirectory& directory, const char* name, AVCodecID codec) {
  const std::string path = directory / name;
  EXPECT_TRUE(test::write_video(path, codec, yuv, damaged_width, damaged_height, frames, fill));
  return test::read_bytes(path);
}

TEST(DamagedVideoMessage, ATruncatedOneTellsTheFrame) {
  const test::TemporaryDirectory directory;
  const std::pair<const char*, AVCodecID> kinds[] = {{"a.avi", AV_CODEC_ID_MJPEG},
                                                     {"a.mkv", AV_CODEC_ID_FFV1},
                                                     {"b.mkv", AV_CODEC_ID_MPEG4},
                                                     {"a.y4m", AV_CODEC_ID_WRAPPED_AVFRAME}};
  for (const auto& [name, codec] : kinds) {
    SCOPED_TRACE(name);
    const std::string bytes = clip_bytes(directory, name, codec);
    test::write_bytes(directory / name, bytes.substr(0, bytes.size() / 2));
    const Decoded decoded = decode_video(directory / name);
    EXPECT_NE(decoded.error.find("the video is truncated: the file ends within frame "), std::string::npos)
        << decoded.error;
    EXPECT_LT(decoded.frames.size(), static_cast<std::size_t>(frames));
  }
  const std::string bytes = clip_bytes(directory, "a.mp4", AV_CODEC_ID_MPEG4);
  test::write_bytes(directory / "a.mp4", bytes.substr(0, bytes.size() / 2));
  EXPECT_ERROR(FrameSource{directory / "a.mp4"}, ErrorCode::bad_data, "the video is truncated: the file ends before");
}

/// Of MP4 and FLV, the decoder would give the first part alone; of others it gives both, or an error.
TEST(DamagedVideoMessage, JoinedFilesLoseNothing) {
  const test::TemporaryDirectory directory;
  const std::tuple<const char*, AVCodecID, bool> kinds[] = {
      {"a.mp4", AV_CODEC_ID_MPEG4, true},  {"a.mov", AV_CODEC_ID_MPEG4, true},
      {"a.flv", AV_CODEC_ID_FLV1, true},   {"a.mkv", AV_CODEC_ID_MPEG4, false},
      {"a.avi", AV_CODEC_ID_MPEG4, false}, {"a.mpg", AV_CODEC_ID_MPEG1VIDEO, false}};
  for (const auto& [name, codec, refused] : kinds) {
    SCOPED_TRACE(name);
    const std::string bytes = clip_bytes(directory, name, codec);
    EXPECT_EQ(decode_video(directory / name).frames.size(), static_cast<std::size_t>(frames));
    test::write_bytes(directory / name, bytes + bytes);
    const Decoded both = decode_video(directory / name);
    if (refused) {
      EXPECT_NE(
          both.error.find("two videos were joined into one file, and frames of the second one, whose head is at byte "),
          std::string::npos)
          << both.error;
      EXPECT_TRUE(both.frames.empty());
    } else {
      EXPECT_EQ(both.error, "");
      EXPECT_EQ(both.frames.size(), static_cast<std::size_t>(2 * frames));
    }
  }
}

/// The second head stands where a frame should begin: it is met behind the first file's frames.
TEST(DamagedVideoMessage, JoinedY4mIsCalledThat) {
  const test::TemporaryDirectory directory;
  std::string bytes = "YUV4MPEG2 W128 H96 F25:1 Cmono\n";
  for (int frame = 0; frame < frames; ++frame)
    bytes += "FRAME\n" + std::string(std::size_t{damaged_width} * damaged_height, static_cast<char>(80 + frame));
  test::write_bytes(directory / "a.y4m", bytes + bytes);
  const Decoded both = decode_video(directory / "a.y4m");
  EXPECT_NE(
      both.error.find("two videos were joined into one file, and frames of the second one, whose head is at byte " +
                      std::to_string(bytes.size())),
      std::string::npos)
      << both.error;
  EXPECT_EQ(both.frames.size(), static_cast<std::size_t>(frames));
  test::write_bytes(directory / "a.y4m", bytes + "frame\n" + bytes);
  EXPECT_EQ(decode_video(directory / "a.y4m").error.find("joined"), std::string::npos) << "damage is none";
}

/// A pipe cannot be looked through beforehand: the second head is met while it is read, wherever blocks of bytes end.
TEST(DamagedVideoMessage, JoinedFilesInAPipeLoseNothing) {
  const test::TemporaryDirectory directory;
  const std::string pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::signal(SIGPIPE, SIG_IGN);
  const auto from_pipe = [&pipe](const std::string& bytes, std::size_t block) {
    std::thread writer([&] {
      std::ofstream to(pipe, std::ios::binary);
      for (std::size_t at = 0; at < bytes.size(); at += block) to << bytes.substr(at, block) << std::flush;
    });
    Decoded decoded = decode_video(pipe);
    writer.join();
    return decoded;
  };
  const std::tuple<const char*, AVCodecID, const char*> kinds[] = {
      {"a.mp4", AV_CODEC_ID_MPEG4, "movflags=faststart"},
      {"b.mp4", AV_CODEC_ID_MPEG4, "movflags=frag_keyframe+empty_moov"},
      {"a.mov", AV_CODEC_ID_MPEG4, "movflags=faststart"},
      {"a.flv", AV_CODEC_ID_FLV1, ""}};
  for (const auto& [name, codec, options] : kinds) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(
        test::write_video(directory / name, codec, yuv, damaged_width, damaged_height, frames, fill, "", options));
    const std::string bytes = test::read_bytes(directory / name);
    const Decoded whole = from_pipe(bytes, bytes.size());
    EXPECT_EQ(whole.error, "");
    EXPECT_EQ(whole.frames.size(), static_cast<std::size_t>(frames));
    for (const std::size_t block : {bytes.size() * 2, bytes.size() + 6, std::size_t{7}}) {
      const Decoded both = from_pipe(bytes + bytes, block);
      if (name == std::string("b.mp4"))  // fragments after a second table may be read, or be damage
        EXPECT_TRUE(!both.error.empty() || both.frames.size() == 2u * frames) << both.frames.size();
      else
        EXPECT_NE(both.error.find("two videos were joined into one file"), std::string::npos) << both.error;
    }
  }
}

/// A second MPEG-TS behind the first one looks like lost packets, whatever its size.
TEST(DamagedVideoMessage, JoinedTransportStreamsAreCalledThat) {
  const test::TemporaryDirectory directory;
  int written = 0;
  for (const AVCodecID codec : {AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_H264})
    for (const int times : {1, 2}) {
      SCOPED_TRACE(std::string(avcodec_get_name(codec)) + ", size times " + std::to_string(times));
      const std::string path = directory / "a.ts";
      if (!test::write_video(path, codec, yuv, damaged_width, damaged_height, frames, fill)) continue;
      ++written;
      const std::string bytes = test::read_bytes(path);
      EXPECT_EQ(decode_video(path).error, "");
      ASSERT_TRUE(test::write_video(path, codec, yuv, times * damaged_width, times * damaged_height, frames, fill));
      test::write_bytes(path, bytes + test::read_bytes(path));
      const Decoded both = decode_video(path);
      EXPECT_NE(both.error.find("two videos were joined into one file"), std::string::npos) << both.error;
      test::write_bytes(path, bytes.substr(0, 10 * 188) + bytes.substr(11 * 188));
      EXPECT_NE(decode_video(path).error.find("damaged"), std::string::npos) << decode_video(path).error;
      // Wherever packets of the video got lost, of the first frame, too, whose packets FFmpeg reads while it opens.
      const auto is_video = [&bytes](std::size_t packet) {
        return (bytes[packet * 188 + 1] & 0x1F) == 1 && bytes[packet * 188 + 2] == 0;
      };
      for (const std::size_t lost : {1u, 3u, 6u})
        for (std::size_t first = 3; (first + lost + 2) * 188 < bytes.size(); first += 7) {
          bool all = true;
          for (std::size_t packet = first; packet < first + lost; ++packet) all = all && is_video(packet);
          if (!all) continue;
          test::write_bytes(path, bytes.substr(0, first * 188) + bytes.substr((first + lost) * 188));
          EXPECT_NE(decode_video(path).error, "") << lost << " from packet " << first;
        }
    }
  if (written == 0) GTEST_SKIP() << "FFmpeg has no encoder of MPEG-2, MPEG-4 and H.264 here";
}

TEST(DamagedVideoMessage, TheFrameIsNamed) {
  const test::TemporaryDirectory directory;
  // Raw MPEG-4: the third frame starts with the third start code of a picture.
  std::string bytes = clip_bytes(directory, "a.m4v", AV_CODEC_ID_MPEG4);
  const std::string code("\0\0\x01\xb6", 4);
  std::size_t at = bytes.find(code);
  for (int i = 0; i < 2; ++i) at = bytes.find(code, at + 4);
  ASSERT_NE(at, std::string::npos);
  for (std::size_t i = 40; i < 80; ++i) bytes[at + i] = '\x55';
  test::write_bytes(directory / "a.m4v", bytes);
  const Decoded decoded = decode_video(directory / "a.m4v");
  EXPECT_NE(decoded.error.find("the video is damaged at frame 2 "), std::string::npos) << decoded.error;
  EXPECT_EQ(decoded.frames.size(), 2u);
}

TEST(DamagedVideoMessage, WhatIsNotReadIsNamed) {
  const test::TemporaryDirectory directory;
  if (test::write_video(directory / "a.avi", AV_CODEC_ID_ASV1, yuv, damaged_width, damaged_height, 2, fill)) {
    EXPECT_ERROR(FrameSource{directory / "a.avi"}, ErrorCode::unsupported,
                 "video coded as asv1 is not read here: convert it, e.g. `ffmpeg -i FILE -c:v ffv1 -level 3 -slicecrc "
                 "1 out.mkv`");
  }
  for (const char* size : {"W0 H0", "W0 H8", "W60000 H60000"}) {
    test::write_bytes(directory / "size.y4m", std::string("YUV4MPEG2 ") + size + " F25:1 C420\nFRAME\n");
    EXPECT_ERROR(FrameSource{directory / "size.y4m"}, ErrorCode::bad_data, "frame size that is 0 or too large");
  }
  std::string gif("GIF89a\x10\0\x10", 9);
  gif.resize(80);
  test::write_bytes(directory / "a.gif", gif);
  EXPECT_ERROR(FrameSource{directory / "a.gif"}, ErrorCode::unsupported, "files of the kind gif");
  const std::string wave(
      "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\x08\0\0\0\0\0\0\0\0\0\0\0", 52);
  test::write_bytes(directory / "a.wav", wave);
  EXPECT_ERROR(FrameSource{directory / "a.wav"}, ErrorCode::unsupported, "files of the kind wav");
}

TEST(DamagedVideoMessage, TheNetworkIsRefused) {
  for (const char* address : {"http://127.0.0.1/a.mp4", "rtsp://127.0.0.1/%d", "https://127.0.0.1/a.png"}) {
    EXPECT_ERROR(FrameSource{address}, ErrorCode::unsupported, "network input is not enabled here");
    EXPECT_ERROR(read_grey(address), ErrorCode::unsupported, "network input is not enabled here");
  }
}

}  // namespace
}  // namespace vergence
