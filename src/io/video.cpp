// SPDX-License-Identifier: Apache-2.0
// Decoding of video. Every frame is decoded, also those before the range: seeking is not exact in every container.
#include "io/video.hpp"

#include <fmt/format.h>

#include <cstring>

#include "io/bytes.hpp"
#include "io/libav.hpp"

namespace vergence::io {
namespace {

// Containers and raw streams of video. Without this list FFmpeg takes text files for "ANSI art" and play lists for
// videos.
constexpr const char* known_containers =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpeg,mpegts,mpegvideo,m4v,h264,hevc,vvc,av1,obu,ivf,flv,asf,ogg,nut,mxf,"
    "yuv4mpegpipe,mjpeg,gif,apng,rm,dv,h263,cavsvideo,wtv,gxf";

[[noreturn]] void fail_unknown(const std::string& path) {
  fail_read(ErrorCode::bad_data, path,
            "it is not a picture or video that can be read: give PNG, JPEG, TIFF, BMP, PNM, PFM, NPY or a video");
}

struct FreeOptions {
  AVDictionary* options = nullptr;
  ~FreeOptions() { av_dict_free(&options); }
};

FormatPtr open_container(const std::string& path, bool standard_input) {
  FreeOptions dictionary;
  av_dict_set(&dictionary.options, "format_whitelist", known_containers, 0);
  av_dict_set(&dictionary.options, "protocol_whitelist", "file,pipe", 0);
  AVFormatContext* context = nullptr;
  // "file:" keeps a name such as "a:b.mkv" from being taken for a protocol.
  const std::string address = standard_input ? "pipe:0" : "file:" + path;
  const int error = avformat_open_input(&context, address.c_str(), nullptr, &dictionary.options);
  if (error == AVERROR(ENOENT)) fail_read(ErrorCode::not_found, path, "there is no such file: check the name");
  if (error == AVERROR(EACCES)) fail_read(ErrorCode::io, path, "permission denied: check the file's permissions");
  if (error == AVERROR(ENOMEM)) fail_read(ErrorCode::out_of_memory, path, "no memory to open it: free memory");
  // FFmpeg's own reason speaks of its lists and probes, but for this one.
  if (error < 0 && av_complaint().find("pixel format") != std::string::npos)
    fail_read(ErrorCode::unsupported, path,
              "its pixel format is not known: convert it to grey, 4:2:0, 4:2:2 or 4:4:4 of 8 to 16 bits");
  if (error < 0) fail_unknown(path);
  return FormatPtr(context);
}

}  // namespace

struct VideoReader::Impl {
  std::string path;
  FormatPtr format;
  CodecComplaint complaint;  // must outlive the codec
  CodecPtr codec;
  PacketPtr packet = make_packet();
  FramePtr frame = make_frame();
  int stream = -1;
  bool draining = false;
  bool strict = false;          // a complaint of the decoder means a damaged frame
  std::int64_t read_up_to = 0;  // end of the last packet in the file

  [[noreturn]] void damaged(int error) const {
    if (error == AVERROR(ENOMEM)) fail_read(ErrorCode::out_of_memory, path, "no memory to decode it: free memory");
    fail_read(ErrorCode::bad_data, path,
              fmt::format("the video is damaged or truncated: {}: copy or create it again", av_reason(error)));
  }

  void open_stream() {
    int error = avformat_find_stream_info(format.get(), nullptr);
    if (error < 0) damaged(error);
    const AVCodec* decoder = nullptr;
    stream = av_find_best_stream(format.get(), AVMEDIA_TYPE_VIDEO, -1, -1, &decoder, 0);
    if (stream < 0 || decoder == nullptr)
      fail_read(ErrorCode::bad_data, path,
                "it has no video that this FFmpeg can decode: give PNG, JPEG, TIFF, BMP, PNM, PFM, NPY or a video");
    const AVCodecParameters* parameters = format->streams[stream]->codecpar;
    // What only looks like the start of a stream has no picture in it.
    if (parameters->width == 0 || parameters->height == 0) fail_unknown(path);
    require_av_size(path, true, parameters->width, parameters->height);
    codec = make_context(decoder);
    error = avcodec_parameters_to_context(codec.get(), parameters);
    if (error < 0) damaged(error);
    codec->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
    codec->flags |= AV_CODEC_FLAG_BITEXACT;
    codec->thread_count = 0;  // as many as there are cores; the frames are the same
    // Some decoders complain of a damaged frame and give it all the same. Those of codecs that reorder frames also
    // complain of harmless oddities, so theirs are heard only where they fail.
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get(codec->codec_id);
    strict = descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_REORDER) == 0;
    complaint.attach(*codec);
    codec->pkt_timebase = format->streams[stream]->time_base;
    error = avcodec_open2(codec.get(), decoder, nullptr);
    if (error < 0) damaged(error);
    for (unsigned i = 0; i < format->nb_streams; ++i)
      if (static_cast<int>(i) != stream) format->streams[i]->discard = AVDISCARD_ALL;
  }

  // The end of the file may be the end of its beginning: a container's reader tells so by a complaint, and Y4M's not at
  // all.
  void require_whole() const {
    const bool plain = std::strcmp(format->iformat->name, "yuv4mpegpipe") == 0;
    std::int64_t bytes = format->pb == nullptr ? -1 : avio_size(format->pb);
    if (bytes < 0 && format->pb != nullptr) bytes = avio_tell(format->pb);  // a pipe, read to its end
    if (!av_complaint().empty() || (plain && bytes > read_up_to)) damaged(AVERROR_INVALIDDATA);
  }

  // Hands the decoder one more packet, or tells it that there is none.
  void feed() {
    while (true) {
      const int error = av_read_frame(format.get(), packet.get());
      if (error == AVERROR_EOF) {
        require_whole();
        draining = true;
        const int sent = avcodec_send_packet(codec.get(), nullptr);
        if (sent < 0) damaged(sent);
        return;
      }
      if (error < 0) damaged(error);
      read_up_to = packet->pos + packet->size;
      if (packet->stream_index != stream) {
        av_packet_unref(packet.get());
        continue;
      }
      const bool corrupt = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
      const int sent = corrupt ? AVERROR_INVALIDDATA : avcodec_send_packet(codec.get(), packet.get());
      av_packet_unref(packet.get());
      if (sent < 0) damaged(sent);
      return;
    }
  }

  bool decode_next() {
    forget_av_complaint();
    while (true) {
      av_frame_unref(frame.get());
      const int error = avcodec_receive_frame(codec.get(), frame.get());
      if (error == AVERROR_EOF) return false;
      if (error == AVERROR(EAGAIN)) {
        if (draining) return false;
        feed();
        continue;
      }
      if (error < 0) damaged(error);
      if (frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0) damaged(AVERROR_INVALIDDATA);
      if (strict && !complaint.take().empty()) damaged(AVERROR_INVALIDDATA);
      return true;
    }
  }
};

VideoReader::VideoReader(const std::string& path, bool standard_input) : impl_(std::make_unique<Impl>()) {
  quiet_av_log();
  forget_av_complaint();
  impl_->path = path;
  impl_->format = open_container(path, standard_input);
  impl_->open_stream();
}
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;
VideoReader::~VideoReader() = default;

std::optional<YuvFrame> VideoReader::next(bool chroma) {
  if (!impl_->decode_next()) return std::nullopt;
  YuvFrame frame;
  if (chroma) take_chroma(*impl_->frame, frame);
  frame.luma = to_grey(frame_to_raster(*impl_->frame, Want::grey, impl_->path), impl_->path);
  return frame;
}

bool VideoReader::skip() { return impl_->decode_next(); }

std::optional<std::int64_t> VideoReader::count() const {
  const std::int64_t frames = impl_->format->streams[impl_->stream]->nb_frames;
  return frames > 0 ? std::optional<std::int64_t>(frames) : std::nullopt;
}

double VideoReader::rate() const {
  const AVRational rate = av_guess_frame_rate(impl_->format.get(), impl_->format->streams[impl_->stream], nullptr);
  return rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
}

}  // namespace vergence::io
