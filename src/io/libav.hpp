// SPDX-License-Identifier: Apache-2.0
// FFmpeg's objects with owners, its log kept quiet, and its pictures turned into ours.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

#include <memory>
#include <string>

#include "io/raster.hpp"

namespace vergence::io {

struct FreeAv {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
};
using FramePtr = std::unique_ptr<AVFrame, FreeAv>;
using PacketPtr = std::unique_ptr<AVPacket, FreeAv>;
using CodecPtr = std::unique_ptr<AVCodecContext, FreeAv>;
using FormatPtr = std::unique_ptr<AVFormatContext, FreeAv>;

/// Throw Error(out_of_memory) instead of giving nothing.
FramePtr make_frame();
PacketPtr make_packet();
CodecPtr make_context(const AVCodec* codec);

/// Silences FFmpeg's log for the process, once; its last complaint on this thread is remembered for our messages.
void quiet_av_log();
void forget_av_complaint();
/// FFmpeg's error text for `error`, with its last complaint where there is one.
std::string av_reason(int error);

/// Throws Error(unsupported) where FFmpeg cannot hold pictures of this size.
void require_av_size(const std::string& name, bool reading, std::int64_t width, std::int64_t height);

/// Turns a decoded frame into numbers. YUV gives its Y plane untouched or, where colour is wanted, R, G and B.
Raster frame_to_raster(const AVFrame& frame, Want want, const std::string& name);

}  // namespace vergence::io
