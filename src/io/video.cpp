// SPDX-License-Identifier: Apache-2.0
// Decoding of video. Every frame is decoded, also those before the range: seeking is not exact in every container.
#include "io/video.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "io/bytes.hpp"
#include "io/container.hpp"
#include "io/libav.hpp"
#include "io/pair_times.hpp"
#include "io/picture_order.hpp"
#include "io/png_rows.hpp"
#include "io/shown.hpp"
#include "io/start_codes.hpp"

namespace vergence::io {
namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

// Each of the decoder's threads holds frames: of very large ones, a few fill the memory.
constexpr std::int64_t most_pixels_with_threads = std::int64_t{1} << 26;

}  // namespace

struct VideoReader::Impl {
  std::string path;
  Container container;
  CodecComplaint complaint;  // must outlive the codec
  CodecPtr codec;
  PacketPtr packet = make_packet();
  FramePtr frame = make_frame();
  bool draining = false;
  bool strict = false;               // a complaint of the decoder means a damaged frame
  bool complained = false;           // at least once
  std::int64_t sent = 0;             // packets that the decoder got
  std::int64_t given = 0;            // frames that it gave
  std::int64_t damaged_from = none;  // the first packet that the decoder complained of, in the order of decoding
  std::int64_t read_up_to = 0;       // end of the last packet in the file
  bool starts_with_key = true;       // the first packet is a keyframe
  std::deque<PacketPtr> pngs;        // of a video of PNGs: those whose frame was not given yet
  std::vector<std::string> notices;
  std::vector<std::int64_t> times;  // of the packets; AV_NOPTS_VALUE where the container does not tell
  PictureOrder order;
  std::string missing;
  bool noticed_end = false;

  [[noreturn]] void damaged(int error, const std::string& what) const {
    const auto complains_of = [](const char* words) { return av_complaint().find(words) != std::string::npos; };
    if (error == AVERROR(ENOMEM) || complains_of("out of memory"))
      fail_read(ErrorCode::out_of_memory, path, "no memory to decode it: free memory");
    // The size of a frame may be damaged, or large.
    if (complains_of("get_buffer() failed"))
      fail_read(
          ErrorCode::bad_data, path,
          fmt::format("the video is {}, or there is no memory for its frames: copy it again or free memory", what));
    // That data is not valid was said already.
    const bool known = error == AVERROR_INVALIDDATA || error == AVERROR(EPERM);
    const std::string reason = !av_complaint().empty() ? av_complaint() : known ? "" : av_reason(error);
    fail_read(ErrorCode::bad_data, path,
              fmt::format("the video is {}{}: copy or create it again", what,
                          reason.empty() ? "" : fmt::format(" ({})", reason)));
  }
  [[noreturn]] void damaged(int error = AVERROR_INVALIDDATA) const {
    damaged(error, fmt::format("damaged at frame {}", given));
  }

  // Without a container that counts, half a frame at the end may be what is left of a whole one.
  [[noreturn]] void undecodable(int error) {
    const bool raw = container.is("mpeg,mpegts,mpegvideo,m4v,h264,hevc,mjpeg,h263,obu,av1");
    av_packet_unref(packet.get());
    if (raw && (draining || av_read_frame(container.format.get(), packet.get()) == AVERROR_EOF))
      damaged(error, fmt::format("damaged or truncated at its end, at frame {}", given));
    damaged(error);
  }

  // The decoder still holds whole frames, which tell how many there are.
  [[noreturn]] void truncated() {
    if (avcodec_send_packet(codec.get(), nullptr) >= 0)
      while (avcodec_receive_frame(codec.get(), frame.get()) >= 0) ++given;
    if (given == 0 && container.is("mov") && (container.bytes->seekable & AVIO_SEEKABLE_NORMAL) == 0)
      fail_read(
          ErrorCode::bad_data, path,
          "no frame can be read: the table of frames stands behind them, where a pipe cannot go back from, or the "
          "video is truncated: give the file's name, or make it with `ffmpeg -i FILE -c copy -movflags faststart`");
    fail_read(ErrorCode::bad_data, path,
              fmt::format("the video is truncated: the file ends within frame {}: copy or create it again", given));
  }

  void new_decoder() {
    const AVStream& stream = *container.format->streams[container.stream];
    codec = make_context(container.decoder);
    const int error = avcodec_parameters_to_context(codec.get(), stream.codecpar);
    if (error < 0) damaged(error);
    codec->flags |= AV_CODEC_FLAG_BITEXACT;
    codec->pkt_timebase = stream.time_base;
    complaint.attach(*codec);
    if (codec->codec_id == AV_CODEC_ID_PNG) codec->get_buffer2 = png_buffer;
  }

  void open_decoder() {
    new_decoder();
    // Some decoders complain of a damaged frame and give it all the same. Those of codecs that reorder frames also
    // complain of harmless oddities, so theirs are heard only where they fail.
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get(codec->codec_id);
    strict = descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_REORDER) == 0;
    if (is_h263_family(codec->codec_id)) {
      // Told to stop at damage, a thread of the MPEG-4 decoder drops its frame and says that there is one, which an
      // assertion takes for the end of the program. It conceals damage instead, and complains of each piece: with one
      // thread, while its packet is decoded.
      codec->err_recognition = AV_EF_CRCCHECK;
      codec->thread_count = 1;
      strict = true;
    } else {
      codec->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
      const bool large = std::int64_t{codec->width} * codec->height > most_pixels_with_threads;
      codec->thread_count = large ? 1 : 0;  // 0: as many as there are cores; the frames are the same
    }
    int error = avcodec_open2(codec.get(), container.decoder, nullptr);
    if (error == AVERROR(EAGAIN) || (error == AVERROR(ENOMEM) && codec->thread_count != 1)) {
      // The system refuses so many threads.
      const int recognition = codec->err_recognition;
      new_decoder();
      codec->err_recognition = recognition;
      codec->thread_count = 1;
      error = avcodec_open2(codec.get(), container.decoder, nullptr);
    }
    if (error < 0) damaged(error);
  }

  // The end of the file may be the end of its beginning: a container's reader tells so by a complaint, and Y4M's and
  // DV's not at all.
  void require_whole() {
    const bool plain = container.is("yuv4mpegpipe,dv");
    std::int64_t bytes = avio_size(container.bytes.get());
    if (bytes < 0) bytes = avio_tell(container.bytes.get());  // a pipe, read to its end
    if (container.ends_early || (plain && bytes > read_up_to) || speaks_of_end(av_container_complaint())) truncated();
    if (!av_container_complaint().empty() || container.lost_packets()) damaged();
    const std::int64_t second = container.is("mov,flv") ? second_head(container.bytes.get(), container.is("flv")) : 0;
    if (second > 0) fail_joined(path, second);
    if (container.missing_bytes > 0)
      damaged(AVERROR_INVALIDDATA,
              fmt::format("damaged or truncated: {} of its bytes are missing", container.missing_bytes));
  }

  // Hands the decoder one more packet, or tells it that there is none.
  void feed() {
    forget_av_complaint();
    int error = av_read_frame(container.format.get(), packet.get());
    if (error == AVERROR_EOF) {
      require_whole();
      draining = true;
      error = avcodec_send_packet(codec.get(), nullptr);
      if (error < 0) undecodable(error);
      return;
    }
    if (speaks_of_end(av_container_complaint())) truncated();
    if (error >= 0 && container.is("mpegts") && !av_container_complaint().empty()) {
      refuse_second_stream();
      damaged();
    }
    if (error < 0 && read_up_to > 0 && container.is("yuv4mpegpipe") && begins_y4m(container.bytes.get(), read_up_to))
      fail_joined(path, read_up_to);
    if (error < 0 || !av_container_complaint().empty()) damaged(error < 0 ? error : AVERROR_INVALIDDATA);
    read_up_to = packet->pos + packet->size;
    // The reader of DV fills up what is left of the last frame.
    if (container.is("dv") && avio_size(container.bytes.get()) >= 0 && read_up_to > avio_size(container.bytes.get()))
      truncated();
    if (packet->stream_index == container.stream) send();
    av_packet_unref(packet.get());
  }

  // MPEG-TS numbers its packets: those of a second video seem to follow a gap. Its times begin anew, soon after.
  void refuse_second_stream() {
    constexpr int soon = 4;
    std::int64_t time = packet->dts;
    for (int packets = 0; packets < soon; ++packets) {
      av_packet_unref(packet.get());
      if (av_read_frame(container.format.get(), packet.get()) < 0) return;
      if (packet->stream_index != container.stream || packet->dts == AV_NOPTS_VALUE) continue;
      if (packet->dts <= time) fail_joined(path, std::max<std::int64_t>(packet->pos, 0));
      time = packet->dts;
    }
  }

  void send() {
    if ((packet->flags & AV_PKT_FLAG_CORRUPT) != 0) {
      // Readers mark so what the end of the file cut off; that of MPEG-TS also what got lost on the way.
      if (!container.is("mpegts")) truncated();
      refuse_second_stream();
      damaged();
    }
    require_no_zeros();
    times.push_back(packet->pts);
    order.take(*packet);
    forget_av_complaint();  // the decoder says it, too
    // Numbers instead of times tell from which packet a frame came.
    if (sent == 0) starts_with_key = (packet->flags & AV_PKT_FLAG_KEY) != 0;
    packet->pts = sent++;
    if (codec->codec_id == AV_CODEC_ID_PNG) {
      pngs.emplace_back(av_packet_clone(packet.get()));
      if (pngs.back() == nullptr) damaged(AVERROR(ENOMEM));
    }
    const int error = avcodec_send_packet(codec.get(), packet.get());
    if (error < 0) undecodable(error);
  }

  // Decoders take a run of zeros for the end of a part, or decode it.
  void require_no_zeros() const {
    const AVCodecParameters& parameters = *container.format->streams[container.stream]->codecpar;
    const std::span head(parameters.extradata, static_cast<std::size_t>(std::max(parameters.extradata_size, 0)));
    int length_bytes = 0;
    constexpr std::size_t place_in_avcc = 4, place_in_hvcc = 21;
    switch (parameters.codec_id) {
      case AV_CODEC_ID_H264:
        if (head.size() > place_in_avcc && head[0] == 1) length_bytes = (head[place_in_avcc] & 3) + 1;
        break;
      case AV_CODEC_ID_HEVC:
        if (head.size() > place_in_hvcc && head[0] == 1) length_bytes = (head[place_in_hvcc] & 3) + 1;
        break;
      case AV_CODEC_ID_MPEG1VIDEO:
      case AV_CODEC_ID_MPEG2VIDEO:
        break;
      default:
        return;
    }
    if (has_stray_zeros({packet->data, static_cast<std::size_t>(packet->size)}, length_bytes))
      damaged(AVERROR_INVALIDDATA,
              fmt::format("damaged near frame {}: zeros stand where its encoder writes none", std::max(given, sent)));
  }

  void hear_complaint() {
    if (complaint.take().empty()) return;
    complained = true;
    if (!strict) return;
    if (codec->active_thread_type != FF_THREAD_FRAME) {
      damaged_from = std::min(damaged_from, std::max<std::int64_t>(sent - 1, 0));
      return;
    }
    // Some thread complained of one of the packets that they are decoding.
    damaged(AVERROR_INVALIDDATA, fmt::format("damaged between frames {} and {}", given, std::max(given, sent - 1)));
  }

  // Decoders drop without a word what refers to a keyframe before the start, as in a stream cut amid two of them.
  void notice_start(std::int64_t number) {
    if (given > 0 || starts_with_key || number == AV_NOPTS_VALUE || number <= 0) return;
    notices.push_back(
        fmt::format("{} begins without a keyframe: its first {} packet{} gave no picture, and frame 0 is the one "
                    "behind: cut videos at keyframes",
                    path, number, number == 1 ? "" : "s"));
  }

  // Of the frames so far.
  void add_late_notices() {
    if (std::exchange(noticed_end, true)) return;
    missing = order.notice(path, draining);
    if (missing.empty() && draining) missing = uncounted_notice();
    std::string line = container.is("mov,matroska,flv") ? gap_notice(times, path, draining) : "";
    if (line.empty()) line = missing;
    if (!line.empty()) notices.push_back(std::move(line));
  }

  // Recorders that could not keep up leave frames of AVI empty, which its reader passes over; some tools remove them.
  std::string uncounted_notice() const {
    const std::int64_t counted = container.format->streams[container.stream]->nb_frames;
    // Before frames that others refer back to, writers leave an empty one.
    if (!container.is("avi") || codec->has_b_frames > 0 || counted <= sent) return "";
    return fmt::format(
        "{} counts {} frames in its header, and {} are there: {} got lost, or were dropped when it was recorded, and "
        "what "
        "moves there moves for a longer time: record or copy it again",
        path, counted, sent, counted - sent);
  }

  // What the decoder of PNG passes over.
  void require_png() {
    while (!pngs.empty() && pngs.front()->pts < frame->pts) pngs.pop_front();
    if (pngs.empty() || pngs.front()->pts != frame->pts) return;
    const AVPacket& png = *pngs.front();
    const std::string problem = png_problem({png.data, static_cast<std::size_t>(png.size)}, *frame);
    if (!problem.empty())
      fail_read(ErrorCode::bad_data, path,
                fmt::format("the video is damaged at frame {} ({}): copy or create it again", given, problem));
    pngs.pop_front();
  }

  // Packets of which none gives a picture refer to one that is not there.
  void require_a_frame() const {
    if (given == 0 && sent > 0)
      fail_read(ErrorCode::bad_data, path,
                fmt::format("none of its {} packets gives a picture, as where the keyframe or the parameters before "
                            "them were cut off: cut videos at keyframes, or copy it again",
                            sent));
  }

  // A frame that a decoder complained of and left out must not go unnoticed.
  void require_all_frames() const {
    if (complained && given < sent && container.is("mov,matroska,avi,flv"))
      damaged(AVERROR_INVALIDDATA, fmt::format("damaged: {} of its {} frames cannot be decoded", sent - given, sent));
  }

  bool decode_next() {
    while (true) {
      av_frame_unref(frame.get());
      const int error = avcodec_receive_frame(codec.get(), frame.get());
      hear_complaint();
      if (error == AVERROR_EOF || (error == AVERROR(EAGAIN) && draining)) {
        if (damaged_from != none) damaged();
        require_a_frame();
        require_all_frames();
        return false;
      }
      if (error == AVERROR(EAGAIN)) {
        feed();
        hear_complaint();
        continue;
      }
      if (error < 0) undecodable(error);
      if (frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0) damaged();
      // Frames decoded later may refer to the damaged one; without a number, every frame may be one of them.
      const std::int64_t number = frame->pts == AV_NOPTS_VALUE ? damaged_from : frame->pts;
      if (damaged_from != none && number >= damaged_from) damaged();
      require_png();
      notice_start(frame->pts);
      ++given;
      return true;
    }
  }
};

VideoReader::VideoReader(const std::string& path, bool standard_input) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->container = open_container(path, standard_input);
  Container& container = impl_->container;
  if (!container.choice.empty()) impl_->notices.push_back(container.choice);
  if (std::string line = shown_notice(*container.format->streams[container.stream], path); !line.empty())
    impl_->notices.push_back(std::move(line));
  impl_->open_decoder();
  impl_->order.open(*container.format->streams[container.stream]->codecpar);
}
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;
VideoReader::~VideoReader() = default;

std::optional<YuvFrame> VideoReader::next(bool chroma, bool wanted) {
  if (!wanted || !impl_->decode_next()) {
    impl_->add_late_notices();
    return std::nullopt;
  }
  YuvFrame frame;
  if (chroma) take_chroma(*impl_->frame, frame);
  frame.luma = to_grey(frame_to_raster(*impl_->frame, Want::grey, impl_->path), impl_->path);
  return frame;
}

bool VideoReader::skip() { return impl_->decode_next(); }

std::optional<std::int64_t> VideoReader::count() const {
  const std::int64_t frames = impl_->container.format->streams[impl_->container.stream]->nb_frames;
  return frames > 0 ? std::optional<std::int64_t>(frames) : std::nullopt;
}

const std::vector<std::string>& VideoReader::notices() const { return impl_->notices; }

const std::string& VideoReader::missing() const { return impl_->missing; }

std::optional<double> VideoReader::time() const {
  const std::int64_t packet = impl_->frame->pts;
  if (packet < 0 || packet >= std::ssize(impl_->times)) return std::nullopt;
  const std::int64_t time = impl_->times[static_cast<std::size_t>(packet)];
  if (time == AV_NOPTS_VALUE) return std::nullopt;
  return static_cast<double>(time) * av_q2d(impl_->container.format->streams[impl_->container.stream]->time_base);
}

double VideoReader::rate() const {
  AVFormatContext* format = impl_->container.format.get();
  const AVRational rate = av_guess_frame_rate(format, format->streams[impl_->container.stream], nullptr);
  return rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
}

std::vector<std::string> pair_notices(const FrameSource& left, const FrameSource* right) {
  std::vector<std::string> lines = left.notices();
  if (right == nullptr) return lines;
  for (std::string& line : right->notices()) lines.push_back(std::move(line));
  const double a = left.rate(), b = right->rate();
  if (are_of_other_rates(a, b))
    lines.push_back(
        fmt::format("left has {:.4g} frames per second and right {:.4g}: frames are paired by their numbers, not by "
                    "their times: give videos of one rate",
                    a, b));
  return lines;
}

}  // namespace vergence::io
