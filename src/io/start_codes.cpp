// SPDX-License-Identifier: Apache-2.0
// Runs of zeros in packets of video.
#include "io/start_codes.hpp"

#include <cstddef>
#include <cstring>

namespace vergence::io {
namespace {

constexpr std::size_t run = 3;

/// Zeros at the end of a part are filling.
bool has_zeros_within(std::span<const std::uint8_t> part, bool start_codes) {
  const std::uint8_t* at = part.data();
  const std::uint8_t* const end = at + part.size();
  while (at < end) {
    at = static_cast<const std::uint8_t*>(std::memchr(at, 0, static_cast<std::size_t>(end - at)));
    if (at == nullptr) return false;
    const std::uint8_t* behind = at;
    while (behind < end && *behind == 0) ++behind;
    if (behind == end) return false;
    if (static_cast<std::size_t>(behind - at) >= run && !(start_codes && *behind == 1)) return true;
    at = behind;
  }
  return false;
}

}  // namespace

bool has_stray_zeros(std::span<const std::uint8_t> packet, int length_bytes) {
  if (length_bytes == 0) return has_zeros_within(packet, true);
  const auto head = static_cast<std::size_t>(length_bytes);
  while (packet.size() > head) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < head; ++i) length = length << 8 | packet[i];
    if (length > packet.size() - head) return false;  // decoders say so
    if (has_zeros_within(packet.subspan(head, length), false)) return true;
    packet = packet.subspan(head + length);
  }
  return false;
}

}  // namespace vergence::io
