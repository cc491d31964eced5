// SPDX-License-Identifier: Apache-2.0
// One thread reads and decodes a live source; the frame that it decoded last waits to be taken, and is replaced where
// nobody took it. So a slow caller never holds up the source, and memory holds one frame beside those of the decoder.
#include "io/live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "io/bytes.hpp"
#include "io/live_container.hpp"

namespace vergence::io {
namespace {

using std::chrono::duration;

/// Seconds in which packets that come must have given a picture.
constexpr double most_without_picture_s = 30;

bool is_key(const AVFrame& frame) {
#ifdef AV_FRAME_FLAG_KEY
  return (frame.flags & AV_FRAME_FLAG_KEY) != 0;
#else
  return frame.key_frame != 0;
#endif
}

CodecPtr open_live_decoder(const Container& container, const std::string& path) {
  const AVStream& stream = *container.format->streams[container.stream];
  CodecPtr codec = make_context(container.decoder);
  int error = avcodec_parameters_to_context(codec.get(), stream.codecpar);
  codec->flags |= AV_CODEC_FLAG_BITEXACT;
  codec->pkt_timebase = stream.time_base;
  codec->thread_type = FF_THREAD_SLICE;  // threads that each take a frame hold frames back
  codec->thread_count = 0;
  codec->err_recognition = AV_EF_CRCCHECK;
  if (error >= 0) error = avcodec_open2(codec.get(), container.decoder, nullptr);
  if (error < 0) fail_read(ErrorCode::bad_data, path, fmt::format("it cannot be decoded: {}", av_reason(error)));
  return codec;
}

}  // namespace

struct LiveReader::Impl {
  std::string path;
  LiveKind kind;
  LiveOptions options;
  OwnDescriptor pipe;
  LiveWait wait;

  mutable std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  FramePtr latest = make_frame();
  bool fresh = false;  // nobody took the latest frame
  std::exception_ptr failure;
  LiveReport report;
  double rate = 0;

  bool had_frames = false;  // of the thread alone
  std::thread thread;

  Impl(std::string name, bool standard_input, const LiveOptions& wanted)
      : path(std::move(name)),
        kind(live_kind(path, standard_input)),
        options(wanted),
        pipe(kind == LiveKind::pipe ? open_live_pipe(path, standard_input) : -1),
        wait(wanted.silence_s, wanted.stop) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    wait.close();
    if (thread.joinable()) thread.join();
  }

  void publish(FramePtr& frame) {
    const std::lock_guard lock(mutex);
    if (fresh) ++report.dropped;
    std::swap(latest, frame);
    fresh = true;
    changed.notify_all();
  }

  /// A frame behind a damaged one may refer to it: frames are left out up to the next keyframe.
  struct Wholeness {
    bool begun = false;
    bool whole = false;
    bool intra_only = false;
    bool cut = false;  // packets have been lost since a whole keyframe's
    void see(const AVPacket& packet) {
      if ((packet.flags & AV_PKT_FLAG_CORRUPT) != 0)
        cut = true, whole = false;
      else if (intra_only || (packet.flags & AV_PKT_FLAG_KEY) != 0)
        cut = false;
    }
    bool see(const AVFrame& frame) {
      if (frame.decode_error_flags != 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0 || cut)
        whole = false;
      else if (intra_only || is_key(frame))
        whole = begun = true;
      return whole;
    }
  };

  /// A frame cannot be decoded.
  void lose(Wholeness& state) {
    state.whole = false;
    if (!state.begun) return;
    const std::lock_guard lock(mutex);
    ++report.damaged;
  }

  /// Takes all frames that the decoder has. Whether one was given.
  bool take_frames(AVCodecContext& codec, Wholeness& state) {
    bool any = false;
    FramePtr frame = make_frame();
    int error = 0;
    while ((error = avcodec_receive_frame(&codec, frame.get())) >= 0) {
      if (state.see(*frame)) {
        publish(frame);
        any = true;
      } else {
        lose(state);
      }
      av_frame_unref(frame.get());
    }
    if (error != AVERROR(EAGAIN) && error != AVERROR_EOF) lose(state);
    return any;
  }

  void opened(const Container& container) {
    AVFormatContext& format = *container.format;
    AVStream& stream = *format.streams[container.stream];
    AVRational own = av_guess_frame_rate(&format, &stream, nullptr);
    if (own.num <= 0 || own.den <= 0) own = stream.avg_frame_rate;
    const std::lock_guard lock(mutex);
    rate = own.num > 0 && own.den > 0 ? av_q2d(own) : 0;
  }

  /// Reads until the source ends, is silent or is to stop. Whether it gave a frame; `why` it was lost, where it was.
  bool read(std::string& why) {
    const Container container = open_live_container(path, kind, pipe.number(), wait);
    const CodecPtr codec = open_live_decoder(container, path);
    opened(container);
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get(codec->codec_id);
    Wholeness state;
    state.intra_only = descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
    const PacketPtr packet = make_packet();
    const auto begun = std::chrono::steady_clock::now();
    bool any = false;
    const auto give = [&](const AVPacket* one) {
      if (one != nullptr) state.see(*one);
      const int sent = avcodec_send_packet(codec.get(), one);
      if (sent < 0 && sent != AVERROR(EAGAIN) && sent != AVERROR_EOF) lose(state);
      if (!take_frames(*codec, state)) return;
      if (!std::exchange(any, true)) connected();
    };
    while (true) {
      wait.restart();
      const int error = av_read_frame(container.format.get(), packet.get());
      if (wait.stopped()) return any;
      if (error < 0) {
        if (wait.silent())
          why = fmt::format("it was silent for {:g} s", wait.silence_s());
        else if (error != AVERROR_EOF)
          why = av_reason(error);
        give(nullptr);
        return any;
      }
      if (packet->stream_index == container.stream) give(packet.get());
      av_packet_unref(packet.get());
      if (!any && duration<double>(std::chrono::steady_clock::now() - begun).count() > most_without_picture_s)
        fail_read(
            ErrorCode::bad_data, path,
            fmt::format("what came within {:g} s gives no picture: it may lack keyframes", most_without_picture_s));
    }
  }

  /// A connection gave its first frame.
  void connected() {
    const std::lock_guard lock(mutex);
    if (std::exchange(had_frames, true)) ++report.reconnects;
  }

  void finish(LiveEnd end, std::string why) {
    const std::lock_guard lock(mutex);
    report.end = end;
    report.reason = std::move(why);
    changed.notify_all();
  }

  /// Before the next attempt to connect: longer each time, but 2 s at most.
  void pause(int attempt) const {
    constexpr int first_ms = 100, most_ms = 2000, step_ms = 20;
    const int all = std::min(first_ms << std::min(attempt, 10), most_ms);
    for (int ms = 0; ms < all && !wait.stopped(); ms += step_ms)
      std::this_thread::sleep_for(std::chrono::milliseconds(step_ms));
  }

  void follow() {
    for (int attempt = 0;; ++attempt) {
      std::string why;
      try {
        if (read(why)) attempt = 0;
      } catch (const Error& error) {
        if (!had_frames) throw;
        why = error.what();
      }
      if (wait.stopped()) return finish(LiveEnd::stopped, "");
      if (!had_frames)
        fail_read(ErrorCode::io, path, fmt::format("it gave no frame: {}", why.empty() ? "it ended" : why));
      if (kind == LiveKind::pipe) return finish(why.empty() ? LiveEnd::source : LiveEnd::lost, why);
      if (why.empty()) why = "it ended";
      if (attempt >= options.reconnects) return finish(LiveEnd::lost, std::move(why));
      pause(attempt);
    }
  }

  void run() {
    try {
      follow();
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      report.end = LiveEnd::lost;
      changed.notify_all();
    }
  }
};

LiveReader::LiveReader(const std::string& path, bool standard_input, const LiveOptions& options)
    : impl_(std::make_unique<Impl>(path, standard_input, options)) {
  impl_->thread = std::thread([self = impl_.get()] { self->run(); });
}
LiveReader::LiveReader(LiveReader&&) noexcept = default;
LiveReader& LiveReader::operator=(LiveReader&&) noexcept = default;
LiveReader::~LiveReader() = default;

std::optional<YuvFrame> LiveReader::next(bool chroma) {
  Impl& self = *impl_;
  FramePtr taken = make_frame();
  {
    std::unique_lock lock(self.mutex);
    constexpr auto look_for_stop = std::chrono::milliseconds(20);
    while (!self.fresh && self.report.end == LiveEnd::open && !self.wait.stopped())
      self.changed.wait_for(lock, look_for_stop);
    if (self.failure) std::rethrow_exception(self.failure);
    if (self.wait.stopped() && self.report.end == LiveEnd::open) self.report.end = LiveEnd::stopped;
    if (!self.fresh || self.wait.stopped()) return std::nullopt;
    self.fresh = false;
    ++self.report.given;
    std::swap(taken, self.latest);
  }
  YuvFrame frame;
  if (chroma) take_chroma(*taken, frame);
  frame.luma = to_grey(frame_to_raster(*taken, Want::grey, self.path), self.path);
  return frame;
}

LiveReport LiveReader::report() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->report;
}

double LiveReader::rate() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->rate;
}

std::vector<std::string> live_notices(const std::string& source, const LiveReport& report) {
  const std::string path = shown_source(source);
  std::vector<std::string> lines;
  const auto times = [](std::int64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  if (report.damaged > 0)
    lines.push_back(
        fmt::format("{} of {} came damaged, or refer to damaged ones, and were left out: what moves there "
                    "moves for a longer time: send it by TCP, or with more keyframes",
                    times(report.damaged, "frame"), path));
  if (report.reconnects > 0)
    lines.push_back(fmt::format("{} was lost and came back {}: what moves there moves for a longer time", path,
                                times(report.reconnects, "time")));
  if (report.end == LiveEnd::lost)
    lines.push_back(
        fmt::format("{} was lost for good after {}: {}", path, times(report.given, "frame"), report.reason));
  return lines;
}

}  // namespace vergence::io
