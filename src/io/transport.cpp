// SPDX-License-Identifier: Apache-2.0
// Packets begin with 0x47 (ISO/IEC 13818-1, 2.4.3.2), and have 188 bytes, 4 more before them on Blu-ray discs, or 16
// more behind them for errors of transmission.
#include "io/transport.hpp"

namespace vergence::io {
namespace {

constexpr int sync = 0x47;

bool is_sync(AVIOContext* bytes, std::int64_t at) {
  return avio_seek(bytes, at, SEEK_SET) >= 0 && avio_r8(bytes) == sync;
}

/// The first byte at which so many packets of this length begin; -1 where there is none.
std::int64_t first_sync(AVIOContext* bytes, std::int64_t length) {
  constexpr int packets = 8;
  for (std::int64_t at = 0; at < length; ++at) {
    int found = 0;
    while (found < packets && is_sync(bytes, at + found * length)) ++found;
    if (found == packets) return at;
  }
  return -1;
}

}  // namespace

std::int64_t end_of_packets(AVIOContext* bytes, std::int64_t size) {
  for (const std::int64_t length : {188, 192, 204}) {
    const std::int64_t first = first_sync(bytes, length);
    if (first < 0) continue;
    const std::int64_t rest = (size - first) % length;
    const std::int64_t from_sync = length == 192 ? 188 : length;  // then follows the next one, with its 4 bytes
    if (rest == 0 || rest >= from_sync || !is_sync(bytes, size - rest)) return size;
    return size - rest + from_sync;
  }
  return size;
}

}  // namespace vergence::io
