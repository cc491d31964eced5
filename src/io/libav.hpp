// SPDX-License-Identifier: Apache-2.0
// FFmpeg's objects with owners, its log kept quiet, and its pictures turned into ours.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/libav_calls.hpp"
#include "io/raster.hpp"

namespace vergence::io {

struct FreeAv {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFormatContext* context) const;
  void operator()(AVCodecParserContext* parser) const { av_parser_close(parser); }
};
using FramePtr = std::unique_ptr<AVFrame, FreeAv>;
using PacketPtr = std::unique_ptr<AVPacket, FreeAv>;
using CodecPtr = std::unique_ptr<AVCodecContext, FreeAv>;
using FormatPtr = std::unique_ptr<AVFormatContext, FreeAv>;
using ParserPtr = std::unique_ptr<AVCodecParserContext, FreeAv>;

/// Throw Error(out_of_memory) instead of giving nothing.
FramePtr make_frame();
PacketPtr make_packet();
CodecPtr make_context(const AVCodec* codec);

/// Silences FFmpeg's log for the process, once. What it complains about on this thread (its first message of the level
/// "error" since it was told to forget) is remembered, for our messages and where a complaint is all that tells of
/// damage.
void quiet_av_log();
void forget_av_complaint();
std::string av_complaint();
/// The same, of readers of containers alone.
std::string av_container_complaint();
/// Whether this container, read on this thread, said that packets are missing, of which it may not mark what follows.
bool lost_av_packets(const AVFormatContext* container, int stream);
/// FFmpeg's text for `error`, with its complaint where there is one.
std::string av_reason(int error);

/// The same for one codec, whose threads complain elsewhere. Must outlive the codec that it is attached to.
class CodecComplaint {
 public:
  CodecComplaint();
  CodecComplaint(const CodecComplaint&) = delete;
  CodecComplaint& operator=(const CodecComplaint&) = delete;
  ~CodecComplaint();
  void attach(AVCodecContext& context) { context.opaque = this; }
  /// The first complaint since the last call; empty where there was none.
  std::string take();

 private:
  friend void note_av_complaint(void* object, std::string_view line);
  std::string text_;
};

/// Whether FFmpeg can hold pictures of this size, as its av_image_check_size has it. Opens no library.
bool fits_av(std::int64_t width, std::int64_t height);
/// Throws Error(unsupported) where FFmpeg cannot hold pictures of this size.
void require_av_size(const std::string& name, bool reading, std::int64_t width, std::int64_t height);

/// Turns a decoded frame into numbers. YUV gives its Y plane untouched or, where colour is wanted, R, G and B.
Raster frame_to_raster(const AVFrame& frame, Want want, const std::string& name);
/// Fills everything of a YUV frame but its luma; leaves ChromaFormat::none for what is not 4:2:0, 4:2:2 or 4:4:4.
void take_chroma(const AVFrame& from, YuvFrame& to);

}  // namespace vergence::io
