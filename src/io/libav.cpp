// SPDX-License-Identifier: Apache-2.0
// FFmpeg's log and objects.
#include "io/libav.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string_view>
#include <utility>

#include "io/bytes.hpp"

namespace vergence::io {
namespace {

// Not strings: their destructors would be registered for each thread, and where that lacks memory the C library ends
// the program.
using Complaint = std::array<char, 256>;
thread_local constinit Complaint thread_complaint{};
thread_local constinit Complaint container_complaint{};

void keep_first(Complaint& kept, std::string_view line) {
  if (kept[0] != '\0') return;
  line = line.substr(0, kept.size() - 1);
  *std::copy(line.begin(), line.end(), kept.begin()) = '\0';
}

// Which CodecComplaints live; guards their texts and the lossy containers, too.
std::mutex sinks_mutex;
std::set<void*>& sinks() {
  static std::set<void*> alive;
  return alive;
}

// Streams of living containers that lost packets. Not by thread: one may read what another one opened.
using LossyStreams = std::bitset<64>;
std::map<const void*, LossyStreams>& lossy_containers() {
  static std::map<const void*, LossyStreams> alive;
  return alive;
}

template <class Pointer, class T>
Pointer owned(T* object) {
  if (object == nullptr) throw Error(ErrorCode::out_of_memory, "no memory for FFmpeg's objects: free memory");
  return Pointer(object);
}

std::string version_text(const char* name, unsigned version) {
  return fmt::format("{} {}.{}.{}", name, version >> 16, version >> 8 & 0xFF, version & 0xFF);
}

}  // namespace

// The first complaint names the cause; later ones are its consequences.
void note_av_complaint(void* object, std::string_view line) {
  keep_first(thread_complaint, line);
  const AVClass* type = object == nullptr ? nullptr : *static_cast<const AVClass* const*>(object);
  if (type == nullptr || type->class_name == nullptr) return;
  if (std::strcmp(type->class_name, "AVFormatContext") == 0) keep_first(container_complaint, line);
  if (std::strcmp(type->class_name, "AVCodecContext") != 0) return;
  void* sink = static_cast<AVCodecContext*>(object)->opaque;  // of a codec of others it may be anything
  const std::lock_guard lock(sinks_mutex);
  if (!sinks().contains(sink)) return;
  std::string& text = static_cast<CodecComplaint*>(sink)->text_;
  if (text.empty()) text = line;
}

namespace {

void note_lost_packet(const void* container, const char* line) {
  unsigned stream = 0;
  if (std::sscanf(line, "Packet corrupt (stream = %u", &stream) != 1 || stream >= LossyStreams().size()) return;
  const std::lock_guard lock(sinks_mutex);
  lossy_containers()[container].set(stream);
}

// Called from C, which no exception may pass.
void note(void* object, int level, const char* format, va_list arguments) noexcept {
  if (level > AV_LOG_WARNING) return;
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  for (char& c : text)
    if (c != '\0' && static_cast<unsigned char>(c) < ' ') c = ' ';
  std::string_view line = text.data();
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.remove_suffix(1);
  try {
    if (level == AV_LOG_WARNING) note_lost_packet(object, text.data());
    if (level > AV_LOG_ERROR) return;
    note_av_complaint(object, line);
  } catch (const std::bad_alloc&) {  // then this thread's complaint alone is kept
  }
}

}  // namespace

CodecComplaint::CodecComplaint() {
  const std::lock_guard lock(sinks_mutex);
  sinks().insert(this);
}

CodecComplaint::~CodecComplaint() {
  const std::lock_guard lock(sinks_mutex);
  sinks().erase(this);
}

std::string CodecComplaint::take() {
  const std::lock_guard lock(sinks_mutex);
  return std::exchange(text_, {});
}

void FreeAv::operator()(AVFormatContext* context) const {
  {
    const std::lock_guard lock(sinks_mutex);
    lossy_containers().erase(context);
  }
  avformat_close_input(&context);
}

FramePtr make_frame() { return owned<FramePtr>(av_frame_alloc()); }
PacketPtr make_packet() { return owned<PacketPtr>(av_packet_alloc()); }
CodecPtr make_context(const AVCodec* codec) { return owned<CodecPtr>(avcodec_alloc_context3(codec)); }

void quiet_av_log() {
  static std::once_flag once;
  std::call_once(once, [] { av_log_set_callback(note); });
}

void forget_av_complaint() { thread_complaint[0] = container_complaint[0] = '\0'; }
std::string av_complaint() { return thread_complaint.data(); }
std::string av_container_complaint() { return container_complaint.data(); }
bool lost_av_packets(const AVFormatContext* container, int stream) {
  const auto number = static_cast<std::size_t>(stream);
  const std::lock_guard lock(sinks_mutex);
  const auto found = lossy_containers().find(container);
  return found != lossy_containers().end() && number < found->second.size() && found->second[number];
}

std::string av_reason(int error) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(error, text, sizeof(text));
  return thread_complaint[0] == '\0' ? std::string(text) : fmt::format("{} ({})", text, thread_complaint.data());
}

bool fits_av(std::int64_t width, std::int64_t height) {
  constexpr std::int64_t most = 1 << 30, most_bytes = 0x7FFFFFFF;
  return width <= most && height <= most && (8 * (width + 128)) * (height + 128) < most_bytes;
}

void require_av_size(const std::string& name, bool reading, std::int64_t width, std::int64_t height) {
  if (reading && (width < 1 || height < 1))
    fail_read(ErrorCode::bad_data, name,
              fmt::format("its size is {}x{}: a picture has at least 1x1 pixels", width, height));
  if (fits_av(width, height)) return;
  const std::string reason = fmt::format(
      "{}x{} pixels are more than FFmpeg can hold (about 16000x16000): use .npy, .pgm or .pfm for pictures of this "
      "size",
      width, height);
  if (reading) fail_read(ErrorCode::unsupported, name, reason);
  fail_write(ErrorCode::unsupported, name, reason);
}

}  // namespace vergence::io

std::string vergence::io_libraries() {
  return io::version_text("libavcodec", LIBAVCODEC_VERSION_INT) + ", " +
         io::version_text("libavformat", LIBAVFORMAT_VERSION_INT) + ", " +
         io::version_text("libavutil", LIBAVUTIL_VERSION_INT);
}
