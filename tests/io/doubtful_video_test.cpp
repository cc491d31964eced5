// SPDX-License-Identifier: Apache-2.0
// Video that is damaged in a way that decoders pass over, that lacks frames or parameters, and that players show
// otherwise than it is stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/file_support.hpp"
#include "io/libav.hpp"
#include "io/start_codes.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

using testing::HasSubstr;

constexpr const char* no_encoder = "this FFmpeg cannot encode H.264";

bool write_h264(const std::string& path, const std::string& options = "g=30:bf=0:crf=18:sc_threshold=0") {
  return test::write_video(path, AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P, 160, 96, 12, test::fill_texture, options);
}

TEST(StrayZeros, AreThreeWithoutAStartCodeBehind) {
  using Bytes = std::vector<std::uint8_t>;
  const auto with_codes = [](const Bytes& bytes) { return io::has_stray_zeros(bytes, 0); };
  EXPECT_FALSE(with_codes({0, 0, 1, 65, 7, 0, 0, 3, 0, 0, 3, 1}));
  EXPECT_FALSE(with_codes({0, 0, 0, 1, 65, 7, 0, 0, 0, 0, 1, 65, 9, 0, 0, 0, 0}));  // filling before a code, at the end
  EXPECT_TRUE(with_codes({0, 0, 1, 65, 7, 0, 0, 0, 9}));
  EXPECT_TRUE(with_codes({0, 0, 1, 65, 0, 0, 0, 0, 0, 3, 5}));
  EXPECT_FALSE(with_codes({}));
  const auto with_lengths = [](const Bytes& bytes) { return io::has_stray_zeros(bytes, 4); };
  EXPECT_FALSE(with_lengths({0, 0, 0, 3, 65, 1, 2, 0, 0, 0, 2, 65, 0}));
  EXPECT_FALSE(with_lengths({0, 0, 0, 5, 65, 1, 0, 0, 0, 0, 0, 0, 2, 65, 1}));
  EXPECT_TRUE(with_lengths({0, 0, 0, 6, 65, 0, 0, 0, 1, 7}));
  EXPECT_TRUE(with_lengths({0, 0, 0, 2, 65, 1, 0, 0, 0, 5, 65, 0, 0, 0, 4}));
  EXPECT_FALSE(with_lengths({0, 0, 0, 9, 65, 0, 0, 0, 4}));  // its length is damaged, which decoders tell
  EXPECT_FALSE(io::has_stray_zeros(Bytes{3, 65, 0, 2}, 1));
}

TEST(DoubtfulVideo, ZerosInTheMiddleAreDamage) {
  const test::TemporaryDirectory directory;
  for (const char* name : {"a.264", "a.mp4", "a.mkv"}) {
    const std::string path = directory / name;
    if (!write_h264(path)) GTEST_SKIP() << no_encoder;
    EXPECT_TRUE(test::notices_of(path).empty()) << name;
    const std::string whole = test::read_bytes(path);
    for (const std::size_t eighth : {3u, 4u, 5u, 6u}) {
      std::string bytes = whole;
      bytes.replace(whole.size() * eighth / 8, 24, std::string(24, '\0'));
      test::write_bytes(path, bytes);
      EXPECT_THROW(test::notices_of(path), Error) << name << ", " << eighth;
    }
  }
}

/// The parts of a stream with start codes, these included.
std::vector<std::string> parts_of(const std::string& stream) {
  std::vector<std::string> parts;
  const std::string code("\0\0\1", 3);
  for (std::size_t at = stream.find(code); at != std::string::npos;) {
    const std::size_t next = stream.find(code, at + 3);
    parts.push_back(stream.substr(at, next - at));
    at = next;
  }
  return parts;
}

TEST(DoubtfulVideo, WithoutParametersOrKeyframe) {
  const test::TemporaryDirectory directory;
  if (!write_h264(directory / "a.264")) GTEST_SKIP() << no_encoder;
  std::string slices, without_key;
  for (const std::string& part : parts_of(test::read_bytes(directory / "a.264"))) {
    const int type = part[3] & 31;
    if (type != 7 && type != 8) slices += part;
    if (type != 5) without_key += part;
  }
  test::write_bytes(directory / "b.264", slices);
  EXPECT_ERROR(FrameSource(directory / "b.264"), ErrorCode::bad_data, "the parameters of its pictures (SPS and PPS");
  test::write_bytes(directory / "c.264", without_key);
  EXPECT_ERROR(FrameSource(directory / "c.264"), ErrorCode::bad_data, "packets gives a picture");
}

/// A copy without the packets first .. last, whose times stay.
void drop(const std::string& from, const std::string& to, int first, int last) {
  AVFormatContext* input = nullptr;
  ASSERT_GE(avformat_open_input(&input, from.c_str(), nullptr, nullptr), 0);
  const io::FormatPtr owner(input);
  AVFormatContext* muxer = nullptr;
  ASSERT_GE(avformat_alloc_output_context2(&muxer, nullptr, nullptr, to.c_str()), 0);
  AVStream* stream = avformat_new_stream(muxer, nullptr);
  ASSERT_GE(avcodec_parameters_copy(stream->codecpar, input->streams[0]->codecpar), 0);
  stream->codecpar->codec_tag = 0;
  stream->time_base = input->streams[0]->time_base;
  ASSERT_GE(avio_open(&muxer->pb, to.c_str(), AVIO_FLAG_WRITE), 0);
  ASSERT_GE(avformat_write_header(muxer, nullptr), 0);
  const io::PacketPtr packet = io::make_packet();
  for (int number = 0; av_read_frame(input, packet.get()) >= 0; ++number) {
    if (number >= first && number <= last) {
      av_packet_unref(packet.get());
      continue;
    }
    av_packet_rescale_ts(packet.get(), input->streams[0]->time_base, stream->time_base);
    EXPECT_GE(av_interleaved_write_frame(muxer, packet.get()), 0);
  }
  EXPECT_GE(av_write_trailer(muxer), 0);
  avio_closep(&muxer->pb);
  avformat_free_context(muxer);
}

TEST(DoubtfulVideo, FramesThatAreMissing) {
  const test::TemporaryDirectory directory;
  ASSERT_TRUE(
      test::write_video(directory / "a.mkv", AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, 34, 18, 12, test::fill_texture));
  drop(directory / "a.mkv", directory / "b.mkv", 4, 6);
  const std::vector<std::string> lines = test::notices_of(directory / "b.mkv");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("1 of the 9 frames of " + directory / "b.mkv" +
                                  " comes late, such as frame 4, 4 frame times after the one before"));
  StereoSource pair(directory / "a.mkv", directory / "b.mkv");
  while (pair.next()) {
  }
  EXPECT_THAT(pair.warning(), HasSubstr("left and right are of different times from frame 4 on: that frame is shown "
                                        "0.160 s behind the first one in left, and 0.280 s in right"));
}

TEST(DoubtfulVideo, TurnedOrStretched) {
  const test::TemporaryDirectory directory;
  if (!write_h264(directory / "a.mp4")) GTEST_SKIP() << no_encoder;
  std::string bytes = test::read_bytes(directory / "a.mp4");
  const std::size_t matrix = bytes.find("tkhd") + 4 + 40;
  ASSERT_EQ(bytes.substr(matrix, 4), std::string("\0\1\0\0", 4));
  bytes.replace(matrix, 36,
                std::string("\0\0\0\0\0\1\0\0\0\0\0\0\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0", 36));
  test::write_bytes(directory / "b.mp4", bytes);
  std::vector<std::string> lines = test::notices_of(directory / "b.mp4");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("b.mp4 is to be shown turned by 90 degrees, and is read as it is stored, 160x96"));
  ASSERT_TRUE(write_h264(directory / "c.mp4", "aspect=2/1"));
  lines = test::notices_of(directory / "c.mp4");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("shown with pixels 2 times as wide as high"));
}

}  // namespace
}  // namespace vergence
