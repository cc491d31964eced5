// SPDX-License-Identifier: Apache-2.0
// Live sources are not looked at beforehand: what FFmpeg reads ahead of the first frame would be seconds old. Pictures'
// sizes and parameters come with the first keyframe.
#include "io/live_container.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "io/bytes.hpp"

namespace vergence::io {
namespace {

constexpr std::string_view udp_scheme = "udp://";
constexpr std::string_view rtsp_scheme = "rtsp://";

int live_wait_is_over(void* self) {
  const LiveWait& wait = *static_cast<const LiveWait*>(self);
  return wait.stopped() || wait.silent() ? 1 : 0;
}

struct LiveDictionary {
  AVDictionary* list = nullptr;
  LiveDictionary() = default;
  LiveDictionary(const LiveDictionary&) = delete;
  LiveDictionary& operator=(const LiveDictionary&) = delete;
  ~LiveDictionary() { av_dict_free(&list); }
  void set(const char* name, const char* value) { av_dict_set(&list, name, value, 0); }
};

/// The host between udp:// and the port, without '@', which some write before it.
std::string udp_host(const std::string& address) {
  std::string host = address.substr(udp_scheme.size());
  host = host.substr(0, host.find_first_of("/?"));
  if (host.starts_with('@')) host.erase(0, 1);
  return host.substr(0, host.rfind(':'));
}

/// FFmpeg listens at all of the machine's addresses, unless it is told the one that the user gave.
std::string listened_host(const std::string& address) {
  const std::string host = udp_host(address);
  if (host == "localhost") return "127.0.0.1";
  if (host.find_first_not_of("0123456789.") != std::string::npos)
    fail_read(ErrorCode::unsupported, address,
              fmt::format("{} would not be the only address that is listened at: give an IPv4 address in digits, "
                          "localhost, or none for all of this machine's",
                          host));
  int first = 0;
  for (const char c : host.substr(0, host.find('.'))) first = std::min(first * 10 + (c - '0'), 1000);
  constexpr int first_of_multicast = 224;
  return host.empty() || first >= first_of_multicast ? "" : host;
}

[[noreturn]] void fail_live(const std::string& path, int error, const LiveWait& wait) {
  if (wait.stopped()) fail_read(ErrorCode::io, path, "it was stopped before its first frame");
  if (wait.silent())
    fail_read(ErrorCode::io, path,
              fmt::format("nothing came within {:g} s: check the address, and that the sender runs", wait.silence_s()));
  if (error == AVERROR_EOF) fail_read(ErrorCode::bad_data, path, "it is empty or closed: give a video");
  if (error == AVERROR_INVALIDDATA)
    fail_read(ErrorCode::bad_data, path,
              "it is not a video that can be read live: send MPEG-TS, NUT, Matroska, Y4M, H.264, HEVC or MJPEG");
  fail_read(ErrorCode::io, path, av_reason(error));
}

void open_live_bytes(Container& container, const std::string& path, LiveKind kind, int descriptor, LiveWait& wait) {
  LiveDictionary options;
  options.set("protocol_whitelist", kind == LiveKind::pipe ? "pipe" : "udp");
  if (kind == LiveKind::udp) {
    options.set("overrun_nonfatal", "1");  // what does not fit FFmpeg's buffer, some 5 MB, is lost
    if (const std::string host = listened_host(path); !host.empty()) options.set("localaddr", host.c_str());
  }
  const std::string address = kind == LiveKind::pipe ? fmt::format("pipe:{}", descriptor) : path;
  const AVIOInterruptCB interrupt = wait.callback();
  AVIOContext* bytes = nullptr;
  const int error = avio_open2(&bytes, address.c_str(), AVIO_FLAG_READ, &interrupt, &options.list);
  if (error < 0) fail_live(path, error, wait);
  container.bytes.reset(bytes);
}

/// The container's reader, by the first bytes.
const AVInputFormat* find_live_format(AVIOContext* bytes, const std::string& path, const LiveWait& wait) {
  const int first = avio_r8(bytes);
  if (avio_feof(bytes) != 0) fail_live(path, AVERROR_EOF, wait);
  const bool jpeg = first == 0xFF && avio_r8(bytes) == 0xD8;
  avio_seek(bytes, 0, SEEK_SET);
  if (jpeg) return av_find_input_format("mjpeg");
  const AVInputFormat* input = nullptr;
  constexpr unsigned most_bytes = 1 << 16;  // more would be waited for
  const int score = av_probe_input_buffer2(bytes, &input, "", nullptr, 0, most_bytes);
  if (score < 0 || input == nullptr) fail_live(path, score, wait);
  if (av_match_list(input->name, known_container_names(), ',') == 0) fail_live(path, AVERROR_INVALIDDATA, wait);
  return input;
}

void choose_live_stream(Container& container, const std::string& path, const LiveWait& wait) {
  AVFormatContext& format = *container.format;
  const auto known = [&format] {
    for (unsigned i = 0; i < format.nb_streams; ++i)
      if (format.streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
          format.streams[i]->codecpar->codec_id != AV_CODEC_ID_NONE)
        return true;
    return false;
  };
  if (!known()) {
    const int error = avformat_find_stream_info(&format, nullptr);
    if (error < 0 || !known()) fail_live(path, error < 0 ? error : AVERROR_INVALIDDATA, wait);
  }
  container.stream = av_find_best_stream(&format, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (container.stream < 0) fail_live(path, AVERROR_INVALIDDATA, wait);
  container.decoder = known_decoder(*format.streams[container.stream]->codecpar, path);
  for (unsigned i = 0; i < format.nb_streams; ++i)
    if (static_cast<int>(i) != container.stream) format.streams[i]->discard = AVDISCARD_ALL;
}

}  // namespace

AVIOInterruptCB LiveWait::callback() { return {live_wait_is_over, this}; }

LiveKind live_kind(const std::string& path, bool standard_input) {
  if (standard_input) return LiveKind::pipe;
  if (path.starts_with(udp_scheme)) return LiveKind::udp;
  if (path.starts_with(rtsp_scheme)) return LiveKind::rtsp;
  std::error_code ignored;
  if (std::filesystem::is_fifo(path, ignored)) return LiveKind::pipe;
  const bool address = path.find("://") != std::string::npos;
  fail_read(address ? ErrorCode::unsupported : ErrorCode::invalid_argument, path,
            address ? "live sources are udp://HOST:PORT, rtsp://HOST/NAME, named pipes and - (standard input)"
                    : "it is no live source, of which frames may be dropped: those are udp://HOST:PORT, "
                      "rtsp://HOST/NAME, named pipes and - (standard input)");
}

OwnDescriptor::~OwnDescriptor() {
  if (number_ >= 0) ::close(number_);
}

int open_live_pipe(const std::string& path, bool standard_input) {
  // Opened anew, so that others who share standard input do not find it changed.
  const std::string name = standard_input ? "/proc/self/fd/0" : path;
  int descriptor = ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && standard_input) {  // a socket
    descriptor = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  }
  if (descriptor < 0) fail_read(ErrorCode::io, path, std::strerror(errno));
  return descriptor;
}

bool await_writer(int descriptor, const LiveWait& wait) {
  constexpr int look_every_ms = 50;
  while (!wait.stopped() && !wait.silent()) {
    pollfd look{descriptor, POLLIN, 0};
    if (::poll(&look, 1, look_every_ms) > 0) return true;
  }
  return false;
}

Container open_live_container(const std::string& path, LiveKind kind, int descriptor, LiveWait& wait) {
  quiet_av_log();
  forget_av_complaint();
  wait.restart();
  Container container;
  const AVInputFormat* input = nullptr;
  if (kind == LiveKind::rtsp) {
    input = av_find_input_format("rtsp");
    if (input == nullptr) fail_read(ErrorCode::unsupported, path, "this FFmpeg has no RTSP: install one that has");
  } else {
    if (kind == LiveKind::pipe && !await_writer(descriptor, wait)) fail_live(path, AVERROR_EXIT, wait);
    open_live_bytes(container, path, kind, descriptor, wait);
    input = find_live_format(container.bytes.get(), path, wait);
  }
  LiveDictionary options;
  options.set("format_whitelist", fmt::format("{},rtsp,rtp,sdp", known_container_names()).c_str());
  options.set("codec_whitelist", known_decoder_names().c_str());
  options.set("protocol_whitelist", "rtsp,rtp,udp,tcp");
  options.set("fflags", "nobuffer");
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) fail_read(ErrorCode::out_of_memory, path, "no memory to open it: free memory");
  context->pb = container.bytes.get();
  context->interrupt_callback = wait.callback();
  const int error = avformat_open_input(&context, path.c_str(), input, &options.list);  // frees it where it fails
  if (error < 0) fail_live(path, error, wait);
  container.format.reset(context);
  choose_live_stream(container, path, wait);
  return container;
}

}  // namespace vergence::io
