// SPDX-License-Identifier: Apache-2.0
// What is told of a video that can be read in several ways, or not from its beginning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/expect_error.hpp"
#include "io/av_support.hpp"
#include "io/file_support.hpp"
#include "io/libav.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

using testing::HasSubstr;

void fill(AVFrame& frame, int index) {
  test::neutral_chroma(frame);
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) test::set_sample(frame, 0, x, y, (7 * x + 11 * y + 31 * index) % 256);
}

/// Copies the videos of both files into one file.
void join(const std::string& path, const std::vector<std::string>& files, std::size_t marked) {
  AVFormatContext* muxer = nullptr;
  ASSERT_GE(avformat_alloc_output_context2(&muxer, nullptr, nullptr, path.c_str()), 0);
  std::vector<io::FormatPtr> inputs;
  for (const std::string& file : files) {
    AVFormatContext* input = nullptr;
    ASSERT_GE(avformat_open_input(&input, file.c_str(), nullptr, nullptr), 0);
    inputs.emplace_back(input);
    AVStream* stream = avformat_new_stream(muxer, nullptr);
    ASSERT_GE(avcodec_parameters_copy(stream->codecpar, input->streams[0]->codecpar), 0);
    stream->codecpar->codec_tag = 0;
    stream->time_base = input->streams[0]->time_base;
    stream->disposition = inputs.size() == marked + 1 ? AV_DISPOSITION_DEFAULT : 0;
  }
  ASSERT_GE(avio_open(&muxer->pb, path.c_str(), AVIO_FLAG_WRITE), 0);
  AVDictionary* options = nullptr;
  av_dict_set(&options, "default_mode", "passthrough", 0);
  ASSERT_GE(avformat_write_header(muxer, &options), 0);
  av_dict_free(&options);
  const io::PacketPtr packet = io::make_packet();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    while (av_read_frame(inputs[i].get(), packet.get()) >= 0) {
      av_packet_rescale_ts(packet.get(), inputs[i]->streams[0]->time_base, muxer->streams[i]->time_base);
      packet->stream_index = static_cast<int>(i);
      EXPECT_GE(av_interleaved_write_frame(muxer, packet.get()), 0);
    }
  EXPECT_GE(av_write_trailer(muxer), 0);
  avio_closep(&muxer->pb);
  avformat_free_context(muxer);
}

TEST(VideoNotices, TheDefaultStreamElseTheFirst) {
  const test::TemporaryDirectory directory;
  const std::vector<std::string> files{directory / "small.mkv", directory / "large.mkv"};
  ASSERT_TRUE(test::write_video(files[0], AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, 34, 18, 3, fill));
  ASSERT_TRUE(test::write_video(files[1], AV_CODEC_ID_FFV1, AV_PIX_FMT_YUV420P, 64, 48, 9, fill));
  EXPECT_TRUE(FrameSource(files[0]).notices().empty());
  for (const auto& [marked, size] : {std::pair{0u, Size{34, 18}}, {1u, Size{64, 48}}, {9u, Size{34, 18}}}) {
    const std::string path = directory / "two.mkv";
    join(path, files, marked);
    FrameSource source(path);
    EXPECT_EQ(source.next()->size(), size);
    ASSERT_EQ(source.notices().size(), 1u);
    EXPECT_THAT(source.notices()[0], HasSubstr("two.mkv has 2 video streams: stream " + std::to_string(marked % 9) +
                                               ", " + std::to_string(size.width) + "x"));
  }
}

TEST(VideoNotices, AStreamThatBeginsWithoutAKeyframe) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "whole.264";
  if (!test::write_video(path, AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P, 64, 48, 12, fill, "g=5:bf=0:sc_threshold=0"))
    GTEST_SKIP() << "this FFmpeg cannot encode H.264";
  EXPECT_TRUE(FrameSource(path).notices().empty());
  const std::string whole = test::read_bytes(path);
  std::size_t slice = whole.find(std::string("\0\0\1", 3));
  while (slice != std::string::npos && (whole[slice + 3] & 31) != 1)
    slice = whole.find(std::string("\0\0\1", 3), slice + 3);
  ASSERT_NE(slice, std::string::npos);
  test::write_bytes(directory / "mid.264", whole.substr(slice));
  FrameSource source(directory / "mid.264");
  ASSERT_EQ(source.notices().size(), 1u);
  EXPECT_THAT(source.notices()[0], HasSubstr("mid.264 begins without a keyframe: its first 4 packets gave no picture"));
}

}  // namespace
}  // namespace vergence
