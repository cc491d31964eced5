// SPDX-License-Identifier: Apache-2.0
// Writing of MP4 through FFmpeg. The file consists of fragments, one per frame: it is written from front to back, and
// its beginning can be played whatever happens later.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "io/bytes.hpp"
#include "io/libav.hpp"
#include "io/video_sink.hpp"

namespace vergence::io {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

struct FreeMuxer {
  void operator()(AVFormatContext* context) const {
    if (context->pb != nullptr) {
      av_freep(&context->pb->buffer);
      avio_context_free(&context->pb);
    }
    avformat_free_context(context);
  }
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
using MuxedBytes = const std::uint8_t;
#else
using MuxedBytes = std::uint8_t;
#endif

const AVCodec* find_encoder(const std::string& path) {
  for (const char* name : {"libx264", "mpeg4"})
    if (const AVCodec* encoder = avcodec_find_encoder_by_name(name)) return encoder;
  fail_write(ErrorCode::unsupported, path, "this FFmpeg has neither x264 nor MPEG-4 to write MP4 with: use .y4m");
}

AVPixelFormat pixel_format(const std::string& path, const VideoFormat& format) {
  const bool wide = format.depth == Depth::u16;
  if (wide && format.max_value != 1023)
    fail_write(ErrorCode::unsupported, path,
               fmt::format("MP4 is written with 8 or 10 bits, these frames reach {}: use .y4m", format.max_value));
  switch (format.chroma) {
    case ChromaFormat::c422:
      return wide ? AV_PIX_FMT_YUV422P10 : AV_PIX_FMT_YUV422P;
    case ChromaFormat::c444:
      return wide ? AV_PIX_FMT_YUV444P10 : AV_PIX_FMT_YUV444P;
    case ChromaFormat::none:
    case ChromaFormat::c420:
      break;
  }
  return wide ? AV_PIX_FMT_YUV420P10 : AV_PIX_FMT_YUV420P;
}

bool takes(const AVCodec& encoder, AVPixelFormat wanted) {
  for (const AVPixelFormat* each = encoder.pix_fmts; each != nullptr && *each != AV_PIX_FMT_NONE; ++each)
    if (*each == wanted) return true;
  return false;
}

/// Copies a plane; what the frame has more than the plane repeats its last column and row.
template <class T>
void copy_plane(const Image<T>& from, std::uint8_t* to, int stride, int width, int height) {
  for (int y = 0; y < height; ++y) {
    std::uint8_t* row = to + static_cast<std::ptrdiff_t>(y) * stride;
    const T* source = from.row(std::min(y, from.height() - 1));
    const int common = std::min(width, from.width());
    std::memcpy(row, source, sizeof(T) * static_cast<std::size_t>(common));
    for (int x = common; x < width; ++x)
      std::memcpy(row + sizeof(T) * static_cast<std::size_t>(x), source + from.width() - 1, sizeof(T));
  }
}

class Mp4Sink final : public VideoSink {
 public:
  Mp4Sink(const std::string& path, const VideoFormat& format)
      : path_(path), format_(format), pixels_(pixel_format(path, format)) {
    quiet_av_log();
    forget_av_complaint();
    open_encoder();
    file_.emplace(path, AtomicFile::Mode::stream);
    open_muxer();
  }

  ~Mp4Sink() override {
    if (committed_ || !header_written_) return;
    // What was written shall be readable to its last frame; nobody is left to be told that it cannot be.
    try {
      finish();
    } catch (const std::exception&) {
      header_written_ = false;
    }
  }

  void write(const YuvFrame& frame) override {
    forget_av_complaint();
    check(av_frame_make_writable(frame_.get()));
    fill(frame.luma, 0);
    if (format_.chroma != ChromaFormat::none) {
      fill(frame.cb, 1);
      fill(frame.cr, 2);
    }
    frame_->pts = frames_++;
    check(avcodec_send_frame(codec_.get(), frame_.get()));
    drain();
    file_->flush();
  }

  void commit() override {
    finish();
    committed_ = true;
    file_->commit();
  }

 private:
  static int pass_on(void* object, MuxedBytes* data, int bytes) {
    auto* self = static_cast<Mp4Sink*>(object);
    try {
      self->file_->write(data, static_cast<std::size_t>(bytes));
    } catch (...) {
      // An exception must not cross FFmpeg's frames; check() throws it.
      if (!self->failure_) self->failure_ = std::current_exception();
      return AVERROR(EIO);
    }
    return bytes;
  }

  void check(int result) {
    if (failure_) std::rethrow_exception(failure_);
    if (result == AVERROR(ENOMEM)) fail_write(ErrorCode::out_of_memory, path_, "no memory to encode it: free memory");
    if (result == AVERROR_EXTERNAL)  // x264 says no more than that
      fail_write(ErrorCode::out_of_memory, path_,
                 "the encoder cannot work, most likely for lack of memory or threads: free memory, raise the limit "
                 "(ulimit -v, ulimit -u), or write .y4m");
    if (result < 0) fail_write(ErrorCode::io, path_, av_reason(result));
  }

  void open_encoder() {
    const AVCodec* encoder = find_encoder(path_);
    if (!takes(*encoder, pixels_))
      fail_write(
          ErrorCode::unsupported, path_,
          fmt::format("FFmpeg's encoder {} does not take {}: use .y4m", encoder->name, av_get_pix_fmt_name(pixels_)));
    codec_ = make_context(encoder);
    const AVPixFmtDescriptor* form = av_pix_fmt_desc_get(pixels_);
    const auto even = [](int side, int shift) { return (side + (1 << shift) - 1) >> shift << shift; };
    codec_->width = even(format_.size.width, form->log2_chroma_w);
    codec_->height = even(format_.size.height, form->log2_chroma_h);
    require_av_size(path_, false, codec_->width, codec_->height);
    codec_->pix_fmt = pixels_;
    const AVRational rate = av_d2q(format_.rate, 1'001'000);
    codec_->framerate = rate;
    codec_->time_base = av_inv_q(rate);
    codec_->gop_size = 30;
    codec_->max_b_frames = 0;
    codec_->color_range = format_.full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    codec_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
    AVDictionary* options = nullptr;
    if (std::strcmp(encoder->name, "libx264") == 0) {
      // Without looking ahead, a frame is in the file as soon as it was given.
      av_dict_parse_string(&options, "preset=veryfast:tune=zerolatency:crf=14", "=", ":", 0);
    } else {
      codec_->flags |= AV_CODEC_FLAG_QSCALE;
      codec_->global_quality = 2 * FF_QP2LAMBDA;
    }
    const int result = avcodec_open2(codec_.get(), encoder, &options);
    av_dict_free(&options);
    check(result);
    frame_->width = codec_->width;
    frame_->height = codec_->height;
    frame_->format = pixels_;
    frame_->color_range = codec_->color_range;
    check(av_frame_get_buffer(frame_.get(), 0));
    neutral_chroma();
  }

  void neutral_chroma() {
    if (format_.chroma != ChromaFormat::none) return;
    for (int plane = 1; plane < 3; ++plane)
      for (int y = 0; y < codec_->height / 2; ++y) {
        std::uint8_t* row = frame_->data[plane] + static_cast<std::ptrdiff_t>(y) * frame_->linesize[plane];
        if (format_.depth == Depth::u8) {
          std::memset(row, 128, static_cast<std::size_t>(codec_->width / 2));
        } else {
          const std::uint16_t middle = 512;
          for (int x = 0; x < codec_->width / 2; ++x) std::memcpy(row + 2 * x, &middle, 2);
        }
      }
  }

  void open_muxer() {
    AVFormatContext* context = nullptr;
    check(avformat_alloc_output_context2(&context, nullptr, "mp4", nullptr));
    muxer_.reset(context);
    auto* buffer = static_cast<unsigned char*>(av_malloc(buffer_bytes));
    if (buffer == nullptr) check(AVERROR(ENOMEM));
    muxer_->pb = avio_alloc_context(buffer, static_cast<int>(buffer_bytes), 1, this, nullptr, pass_on, nullptr);
    if (muxer_->pb == nullptr) {
      av_free(buffer);
      check(AVERROR(ENOMEM));
    }
    muxer_->pb->seekable = 0;
    muxer_->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_FLUSH_PACKETS;
    AVStream* stream = avformat_new_stream(muxer_.get(), nullptr);
    if (stream == nullptr) check(AVERROR(ENOMEM));
    check(avcodec_parameters_from_context(stream->codecpar, codec_.get()));
    stream->time_base = codec_->time_base;
    stream->avg_frame_rate = codec_->framerate;
    AVDictionary* options = nullptr;
    av_dict_set(&options, "movflags", "empty_moov+default_base_moof+frag_custom", 0);
    const int result = avformat_write_header(muxer_.get(), &options);
    av_dict_free(&options);
    check(result);
    header_written_ = true;
  }

  void fill(const GreyPicture& plane, int index) {
    const AVPixFmtDescriptor* form = av_pix_fmt_desc_get(pixels_);
    const int width = index == 0 ? codec_->width : codec_->width >> form->log2_chroma_w;
    const int height = index == 0 ? codec_->height : codec_->height >> form->log2_chroma_h;
    if (plane.depth == Depth::u8)
      copy_plane(plane.u8, frame_->data[index], frame_->linesize[index], width, height);
    else
      copy_plane(plane.u16, frame_->data[index], frame_->linesize[index], width, height);
  }

  void drain() {
    while (true) {
      const int result = avcodec_receive_packet(codec_.get(), packet_.get());
      if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return;
      check(result);
      packet_->duration = 1;
      av_packet_rescale_ts(packet_.get(), codec_->time_base, muxer_->streams[0]->time_base);
      packet_->stream_index = 0;
      check(av_write_frame(muxer_.get(), packet_.get()));
      check(av_write_frame(muxer_.get(), nullptr));  // ends the fragment
      avio_flush(muxer_->pb);
      check(0);
    }
  }

  void finish() {
    if (frames_ > 0) {
      check(avcodec_send_frame(codec_.get(), nullptr));
      drain();
    }
    header_written_ = false;
    check(av_write_trailer(muxer_.get()));
    avio_flush(muxer_->pb);
    check(0);
  }

  std::string path_;
  VideoFormat format_;
  AVPixelFormat pixels_;
  CodecPtr codec_;
  FramePtr frame_ = make_frame();
  PacketPtr packet_ = make_packet();
  std::optional<AtomicFile> file_;
  std::unique_ptr<AVFormatContext, FreeMuxer> muxer_;
  std::exception_ptr failure_;
  std::int64_t frames_ = 0;
  bool header_written_ = false;
  bool committed_ = false;
};

}  // namespace

std::unique_ptr<VideoSink> make_mp4_sink(const std::string& path, const VideoFormat& format) {
  return std::make_unique<Mp4Sink>(path, format);
}

}  // namespace vergence::io
