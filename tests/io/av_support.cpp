// SPDX-License-Identifier: Apache-2.0
// Encoding and muxing for tests.
#include "io/av_support.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "io/libav.hpp"

namespace vergence::test {
namespace {

using io::CodecPtr;
using io::FramePtr;
using io::PacketPtr;

CodecPtr open_encoder(AVCodecID id, AVPixelFormat format, int width, int height, const std::string& options,
                      int flags) {
  io::quiet_av_log();
  const AVCodec* encoder = avcodec_find_encoder(id);
  if (encoder == nullptr) return nullptr;
  CodecPtr context = io::make_context(encoder);
  context->width = width;
  context->height = height;
  context->pix_fmt = format;
  context->time_base = {1, 25};
  context->framerate = {25, 1};
  context->flags |= flags;
  context->thread_count = 1;
  context->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
  AVDictionary* dictionary = nullptr;
  av_dict_parse_string(&dictionary, options.c_str(), "=", ":", 0);
  const int error = avcodec_open2(context.get(), encoder, &dictionary);
  av_dict_free(&dictionary);
  EXPECT_GE(error, 0) << io::av_reason(error);
  return error < 0 ? nullptr : std::move(context);
}

FramePtr new_frame(const AVCodecContext& context) {
  FramePtr frame = io::make_frame();
  frame->width = context.width;
  frame->height = context.height;
  frame->format = context.pix_fmt;
  EXPECT_GE(av_frame_get_buffer(frame.get(), 0), 0);
  for (int plane = 0; plane < 4 && frame->buf[plane] != nullptr; ++plane)
    std::memset(frame->buf[plane]->data, 0, frame->buf[plane]->size);
  return frame;
}

}  // namespace

std::string encode_picture(AVCodecID codec, AVPixelFormat format, int width, int height, const FillFrame& fill,
                           const std::string& options) {
  const CodecPtr context = open_encoder(codec, format, width, height, options, 0);
  if (!context) return {};
  FramePtr frame = new_frame(*context);
  fill(*frame, 0);
  PacketPtr packet = io::make_packet();
  EXPECT_GE(avcodec_send_frame(context.get(), frame.get()), 0);
  EXPECT_GE(avcodec_send_frame(context.get(), nullptr), 0);
  EXPECT_GE(avcodec_receive_packet(context.get(), packet.get()), 0);
  return {reinterpret_cast<const char*>(packet->data), static_cast<std::size_t>(packet->size)};
}

bool write_video(const std::string& path, AVCodecID codec, AVPixelFormat format, int width, int height, int frames,
                 const FillFrame& fill, const std::string& options, const std::string& container_options) {
  AVFormatContext* muxer = nullptr;
  if (avformat_alloc_output_context2(&muxer, nullptr, nullptr, path.c_str()) < 0) return false;
  const bool global = (muxer->oformat->flags & AVFMT_GLOBALHEADER) != 0;
  const CodecPtr context =
      open_encoder(codec, format, width, height, options, global ? AV_CODEC_FLAG_GLOBAL_HEADER : 0);
  AVStream* stream = context ? avformat_new_stream(muxer, nullptr) : nullptr;
  if (stream == nullptr || avcodec_parameters_from_context(stream->codecpar, context.get()) < 0) {
    avformat_free_context(muxer);
    return false;
  }
  stream->time_base = context->time_base;
  stream->avg_frame_rate = context->framerate;
  EXPECT_GE(avio_open(&muxer->pb, path.c_str(), AVIO_FLAG_WRITE), 0);
  AVDictionary* dictionary = nullptr;
  av_dict_parse_string(&dictionary, container_options.c_str(), "=", ":", 0);
  EXPECT_GE(avformat_write_header(muxer, &dictionary), 0);
  av_dict_free(&dictionary);
  PacketPtr packet = io::make_packet();
  for (int i = 0; i <= frames; ++i) {
    FramePtr frame = new_frame(*context);
    frame->pts = i;
    if (i < frames) fill(*frame, i);
    EXPECT_GE(avcodec_send_frame(context.get(), i < frames ? frame.get() : nullptr), 0);
    while (avcodec_receive_packet(context.get(), packet.get()) >= 0) {
      av_packet_rescale_ts(packet.get(), context->time_base, stream->time_base);
      packet->stream_index = 0;
      EXPECT_GE(av_interleaved_write_frame(muxer, packet.get()), 0);
    }
  }
  EXPECT_GE(av_write_trailer(muxer), 0);
  avio_closep(&muxer->pb);
  avformat_free_context(muxer);
  return true;
}

bool write_packets(const std::string& path, AVCodecID codec, AVPixelFormat format, int width, int height,
                   const std::vector<std::string>& packets) {
  AVFormatContext* muxer = nullptr;
  if (avformat_alloc_output_context2(&muxer, nullptr, nullptr, path.c_str()) < 0) return false;
  AVStream* stream = avformat_new_stream(muxer, nullptr);
  AVCodecParameters& parameters = *stream->codecpar;
  parameters.codec_type = AVMEDIA_TYPE_VIDEO;
  parameters.codec_id = codec;
  parameters.format = format;
  parameters.width = width;
  parameters.height = height;
  stream->time_base = {1, 25};
  stream->avg_frame_rate = {25, 1};
  EXPECT_GE(avio_open(&muxer->pb, path.c_str(), AVIO_FLAG_WRITE), 0);
  EXPECT_GE(avformat_write_header(muxer, nullptr), 0);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    PacketPtr packet = io::make_packet();
    EXPECT_GE(av_new_packet(packet.get(), static_cast<int>(packets[i].size())), 0);
    std::memcpy(packet->data, packets[i].data(), packets[i].size());
    packet->flags |= AV_PKT_FLAG_KEY;
    packet->pts = packet->dts = static_cast<std::int64_t>(i);
    packet->duration = 1;
    av_packet_rescale_ts(packet.get(), {1, 25}, stream->time_base);
    EXPECT_GE(av_interleaved_write_frame(muxer, packet.get()), 0);
  }
  EXPECT_GE(av_write_trailer(muxer), 0);
  avio_closep(&muxer->pb);
  avformat_free_context(muxer);
  return true;
}

void set_sample(AVFrame& frame, int plane, int x, int y, int value, int bytes) {
  std::uint8_t* at = frame.data[plane] + static_cast<std::ptrdiff_t>(y) * frame.linesize[plane] + x * bytes;
  const auto wide = static_cast<std::uint16_t>(value);
  if (bytes == 1)
    *at = static_cast<std::uint8_t>(value);
  else
    std::memcpy(at, &wide, 2);
}

void neutral_chroma(AVFrame& frame) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  for (int plane = 1; plane < 3; ++plane) {
    const int rows = -(-frame.height >> format->log2_chroma_h);
    std::memset(frame.data[plane], 128,
                static_cast<std::size_t>(rows) * static_cast<std::size_t>(frame.linesize[plane]));
  }
}

void fill_texture(AVFrame& frame, int index) {
  neutral_chroma(frame);
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x)
      set_sample(frame, 0, x, y, (7 * x + 11 * y + (x * y) % 53 + 31 * index) % 256);
}

std::vector<std::string> notices_of(const std::string& path, const FrameRange& range) {
  FrameSource source(path, range);
  while (source.next()) {
  }
  return source.notices();
}

}  // namespace vergence::test
