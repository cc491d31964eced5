// SPDX-License-Identifier: Apache-2.0
// Frames that got lost on their way: by the numbers of pictures, the count of a header, times of pairs, cut packets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/file_support.hpp"
#include "io/libav.hpp"
#include "io/pair_times.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

using testing::HasSubstr;

constexpr const char* no_lost_encoder = "this FFmpeg cannot encode H.264 or HEVC";

bool write_clip(const std::string& path, AVCodecID codec, const std::string& options, int frames = 24) {
  return test::write_video(path, codec, AV_PIX_FMT_YUV420P, 96, 64, frames, test::fill_texture, options);
}

/// The stream with start codes without the coded pictures of these numbers. A picture here is one slice.
std::string without_pictures(const std::string& stream, bool hevc, const std::vector<int>& left_out) {
  const std::string code("\0\0\1", 3);
  std::string result;
  int picture = -1;
  for (std::size_t at = stream.find(code); at != std::string::npos;) {
    const std::size_t next = stream.find(code, at + 3);
    const int head = stream[at + 3];
    const bool slice = hevc ? (head >> 1 & 63) < 32 : (head & 31) == 1 || (head & 31) == 5;
    picture += slice ? 1 : 0;
    if (!slice || std::find(left_out.begin(), left_out.end(), picture) == left_out.end())
      result += stream.substr(at, next - at);
    at = next;
  }
  return result;
}

struct Stream {
  AVCodecID codec;
  const char* ending;
  std::string options;
};
const Stream streams[] = {
    {AV_CODEC_ID_H264, ".264", "g=30:bf=0:sc_threshold=0"},
    {AV_CODEC_ID_H264, ".264", "g=10:bf=3:b_strategy=0:sc_threshold=0"},
    {AV_CODEC_ID_HEVC, ".265", "x265-params=log-level=none:keyint=30:bframes=0:scenecut=0"},
    {AV_CODEC_ID_HEVC, ".265", "x265-params=log-level=none:keyint=10:min-keyint=10:bframes=3:b-adapt=0:scenecut=0"}};

TEST(LostFrames, OfStreamsWithoutTimes) {
  const test::TemporaryDirectory directory;
  for (const Stream& stream : streams) {
    SCOPED_TRACE(stream.options);
    const std::string whole = directory / (std::string("whole") + stream.ending);
    if (!write_clip(whole, stream.codec, stream.options)) GTEST_SKIP() << no_lost_encoder;
    for (const FrameRange& range : {FrameRange{}, {0, 5}, {3, 11}, {0, 22}})
      EXPECT_TRUE(test::notices_of(whole, range).empty());
    const std::string path = directory / (std::string("lost") + stream.ending);
    const bool hevc = stream.codec == AV_CODEC_ID_HEVC;
    int told = 0;
    for (const std::vector<int>& lost : {std::vector<int>{3}, {4, 5}, {6}, {13}}) {
      test::write_bytes(path, without_pictures(test::read_bytes(whole), hevc, lost));
      try {
        const std::vector<std::string> lines = test::notices_of(path);
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_THAT(lines[0], HasSubstr(lost.size() == 1 ? "1 frame of " : "2 frames of "));
        EXPECT_THAT(lines[0], HasSubstr("missing, by the numbers of its pictures"));
        ++told;
      } catch (const Error&) {  // the decoder says so itself
      }
    }
    EXPECT_TRUE(hevc || told >= 3) << told;  // of HEVC, the decoder may say so each time
  }
}

TEST(LostFrames, NameThePlace) {
  const test::TemporaryDirectory directory;
  const std::string whole = directory / "whole.264", path = directory / "lost.264";
  if (!write_clip(whole, AV_CODEC_ID_H264, streams[0].options)) GTEST_SKIP() << no_lost_encoder;
  test::write_bytes(path, without_pictures(test::read_bytes(whole), false, {7, 8}));
  const std::vector<std::string> lines = test::notices_of(path);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("2 frames of " + path +
                                  " are missing, by the numbers of its pictures, such as before "
                                  "frame 7"));
  FrameSource source(path);
  EXPECT_EQ(source.missing(), "");
  while (source.next()) {
  }
  EXPECT_EQ(source.missing(), lines[0]);
  // One view of a pair lacks them.
  StereoSource pair(whole, path);
  while (pair.next()) {
  }
  EXPECT_THAT(pair.warning(), HasSubstr("the right stream ended after 22 frames"));
  EXPECT_THAT(pair.warning(), HasSubstr(lines[0]));
}

TEST(LostFrames, AKeyframe) {
  const test::TemporaryDirectory directory;
  const std::string whole = directory / "whole.264", path = directory / "lost.264";
  if (!write_clip(whole, AV_CODEC_ID_H264, "g=8:bf=0:sc_threshold=0")) GTEST_SKIP() << no_lost_encoder;
  test::write_bytes(path, without_pictures(test::read_bytes(whole), false, {8}));
  const std::vector<std::string> lines = test::notices_of(path);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr(path + " are missing, by the numbers of its pictures, such as before frame 8"));
}

TEST(LostFrames, EmptyOnesOfAvi) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.avi";
  ASSERT_TRUE(test::write_video(path, AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, 34, 18, 12, test::fill_texture));
  EXPECT_TRUE(test::notices_of(path).empty());
  EXPECT_TRUE(test::notices_of(path, {2, 5}).empty());
  // The chunk of frame 5 becomes one that readers skip.
  std::string bytes = test::read_bytes(path);
  std::size_t chunk = bytes.find("movi");
  for (int i = 0; i < 6; ++i) chunk = bytes.find("00dc", chunk + 4);
  bytes.replace(chunk, 4, "JUNK");
  std::size_t entry = bytes.find("idx1");
  for (int i = 0; i < 6; ++i) entry = bytes.find("00dc", entry + 4);
  bytes.replace(entry, 4, "JUNK");
  test::write_bytes(path, bytes);
  const std::vector<std::string> lines = test::notices_of(path);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("counts 12 frames in its header, and 11 are there"));
  EXPECT_TRUE(test::notices_of(path, {0, 2}).empty());  // its end was not looked at
}

TEST(LostFrames, CutPacketsOfMpegTs) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.ts";
  ASSERT_TRUE(
      test::write_video(path, AV_CODEC_ID_MPEG2VIDEO, AV_PIX_FMT_YUV420P, 64, 48, 12, test::fill_texture, "bf=0"));
  EXPECT_TRUE(test::notices_of(path).empty());
  const std::string whole = test::read_bytes(path);
  ASSERT_EQ(whole.size() % 188, 0u);
  // A packet of filling, which holds no video, shows that the end is missing.
  const std::string filling = "\x47\x1F\xFF\x10" + std::string(184, '\xFF');
  test::write_bytes(path, whole + filling);
  EXPECT_TRUE(test::notices_of(path).empty());
  for (const std::size_t cut : {1u, 60u, 187u}) {
    test::write_bytes(path, whole + filling.substr(0, 188 - cut));
    EXPECT_ERROR(test::notices_of(path), ErrorCode::bad_data, std::to_string(cut) + " of its bytes are missing");
  }
  test::write_bytes(path, whole + std::string(100, 'x'));  // no packet that was cut
  EXPECT_TRUE(test::notices_of(path).empty());
  // Four bytes stand before each packet on Blu-ray discs, sixteen behind each where errors are corrected.
  for (const bool before : {true, false}) {
    std::string packets;
    const std::string all = whole + filling;
    for (std::size_t at = 0; at < all.size(); at += 188)
      packets += before ? std::string(4, 'x') + all.substr(at, 188) : all.substr(at, 188) + std::string(16, 'x');
    test::write_bytes(path, packets);
    EXPECT_TRUE(test::notices_of(path).empty());
    for (const std::size_t cut : {70u, 186u}) {
      test::write_bytes(path, packets.substr(0, packets.size() - cut));
      EXPECT_ERROR(test::notices_of(path), ErrorCode::bad_data, std::to_string(cut) + " of its bytes are missing");
    }
    if (!before) continue;
    test::write_bytes(path, packets.substr(0, packets.size() - 190));  // two bytes of what stands before a packet
    EXPECT_TRUE(test::notices_of(path).empty());
  }
}

std::string apart(const std::function<double(int)>& left, const std::function<double(int)>& right,
                  double right_rate = 25) {
  io::PairTimes times;
  times.set_rates(25, right_rate);
  for (int i = 0; i < 40; ++i) times.take(i, left(i), right(i));
  return times.text();
}

TEST(PairTimes, OneThatLostAFrame) {
  const auto steady = [](int i) { return 0.04 * i; };
  EXPECT_EQ(apart(steady, steady), "");
  EXPECT_EQ(apart(steady, [](int i) { return 7 + 0.04 * i; }), "");                      // began later
  EXPECT_EQ(apart(steady, [](int i) { return 0.04 * i + (i % 2) * 0.02; }), "");         // jitters
  EXPECT_EQ(apart(steady, [](int i) { return 0.04 * i + (i == 9 ? 0.05 : 0.0); }), "");  // one late frame
  const std::string line = apart(steady, [](int i) { return 0.04 * (i + (i >= 9 ? 1 : 0)); });
  EXPECT_THAT(line, HasSubstr("of different times from frame 9 on: that frame is shown 0.360 s behind the first one in "
                              "left, and 0.400 s in right"));
  EXPECT_THAT(line, HasSubstr("one of them lost frames"));
  io::PairTimes unknown;
  unknown.set_rates(25, 0);
  for (int i = 0; i < 40; ++i) unknown.take(i, i * 0.04, std::nullopt);
  EXPECT_EQ(unknown.text(), "");
  // Another rate is told as that.
  EXPECT_EQ(apart(
                steady, [](int i) { return i / 30.0; }, 30),
            "");
}

}  // namespace
}  // namespace vergence
