// SPDX-License-Identifier: Apache-2.0
// Looks for a second file's head among the bytes of a pipe, as they are read. FFmpeg ends at the last frame of the
// first table of an MP4, and takes the head of a second FLV for a tag to be skipped.
#include "io/joined.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace vergence::io {
namespace {

constexpr int buffer_bytes = 1 << 15;
constexpr std::size_t head_bytes = 13;  // of FLV, with the length of the tag before, which is 0

// A table begins with its header; eight letters do not stand so in coded video by chance.
bool is_table(const std::uint8_t* at) { return std::memcmp(at, "moov", 4) == 0 && std::memcmp(at + 8, "mvhd", 4) == 0; }

bool is_flv(const std::uint8_t* at) {
  return std::memcmp(at, "FLV\x01", 4) == 0 && (at[4] & 0xFA) == 0 && std::memcmp(at + 5, "\0\0\0\x09\0\0\0", 8) == 0;
}

struct Heads {
  int count = 0;
  std::int64_t second = 0;
  void add(std::int64_t at) {
    if (++count == 2) second = at;
  }
};

struct Watch {
  AVIOContext* inner = nullptr;
  std::vector<std::uint8_t> tail;  // the last bytes, in which a head may have begun
  std::int64_t tail_at = 0;
  Heads tables, flvs;

  void look(const std::uint8_t* bytes, std::size_t count) {
    tail.insert(tail.end(), bytes, bytes + count);
    std::size_t at = 0;
    for (; at + head_bytes <= tail.size(); ++at) {
      if (tail[at] == 'm' && is_table(&tail[at])) tables.add(tail_at + static_cast<std::int64_t>(at) - 4);
      if (tail[at] == 'F' && is_flv(&tail[at])) flvs.add(tail_at + static_cast<std::int64_t>(at));
    }
    tail.erase(tail.begin(), tail.begin() + static_cast<std::ptrdiff_t>(at));
    tail_at += static_cast<std::int64_t>(at);
  }
};

int read_watched(void* opaque, std::uint8_t* to, int size) {
  Watch& watch = *static_cast<Watch*>(opaque);
  const int count = avio_read_partial(watch.inner, to, size);
  if (count == 0) return AVERROR_EOF;
  if (count > 0) watch.look(to, static_cast<std::size_t>(count));
  return count;
}

bool is_watched(const AVIOContext* bytes) { return bytes->read_packet == read_watched; }

}  // namespace

AVIOContext* watch_heads(AVIOContext* inner) {
  auto* buffer = static_cast<unsigned char*>(av_malloc(buffer_bytes));
  if (buffer == nullptr) return nullptr;
  auto watch = std::make_unique<Watch>();
  watch->inner = inner;
  AVIOContext* bytes = avio_alloc_context(buffer, buffer_bytes, 0, watch.get(), read_watched, nullptr, nullptr);
  if (bytes == nullptr) {
    av_free(buffer);
    return nullptr;
  }
  watch.release();  // NOLINT(bugprone-unused-return-value): close_bytes() frees it
  return bytes;
}

void close_bytes(AVIOContext* bytes) {
  if (bytes == nullptr) return;
  if (!is_watched(bytes)) {
    avio_closep(&bytes);
    return;
  }
  const std::unique_ptr<Watch> watch(static_cast<Watch*>(bytes->opaque));
  av_freep(&bytes->buffer);
  avio_context_free(&bytes);
  avio_closep(&watch->inner);
}

std::int64_t second_head(AVIOContext* bytes, bool flv) {
  if (!is_watched(bytes)) return 0;
  const Watch& watch = *static_cast<const Watch*>(bytes->opaque);
  const Heads& heads = flv ? watch.flvs : watch.tables;
  std::vector<unsigned char> rest(buffer_bytes);
  while (heads.count < 2 && avio_read_partial(bytes, rest.data(), buffer_bytes) > 0) {
  }
  return heads.second;
}

bool begins_y4m(AVIOContext* bytes, std::int64_t at) {
  constexpr std::string_view start = "YUV4MPEG2";
  if (avio_seek(bytes, at, SEEK_SET) < 0) return false;
  return std::all_of(start.begin(), start.end(), [bytes](char one) { return avio_r8(bytes) == one; });
}

}  // namespace vergence::io
