// SPDX-License-Identifier: Apache-2.0
// Copies rows between a caller's memory and pinned memory.
#include "gpu/host_copy.hpp"

#include <cstring>
#include <limits>

#include "core/parallel.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {
namespace {

constexpr std::size_t worth_a_thread = std::size_t{64} << 10;  // bytes
constexpr std::size_t block = std::size_t{16} << 10;           // of rows without gaps
constexpr int most_threads = 8;                                // more of them meet the limit of memory

}  // namespace

HostCopy::HostCopy() = default;
HostCopy::~HostCopy() = default;

void HostCopy::pack(std::byte* to, const Rows& rows, const void* from) {
  copy({to, static_cast<std::ptrdiff_t>(rows.row_bytes), static_cast<const std::byte*>(from), rows.host_pitch},
       rows.row_bytes, rows.count);
}
void HostCopy::unpack(void* to, const Rows& rows, const std::byte* from) {
  copy({static_cast<std::byte*>(to), rows.host_pitch, from, static_cast<std::ptrdiff_t>(rows.row_bytes)},
       rows.row_bytes, rows.count);
}

void HostCopy::copy(const Place& place, std::size_t row_bytes, std::size_t count) {
  const auto packed = static_cast<std::ptrdiff_t>(row_bytes);
  const std::size_t bytes = row_bytes * count;
  const bool is_whole = count == 1 || (place.to_pitch == packed && place.from_pitch == packed);
  const std::size_t unit = is_whole ? block : row_bytes, units = is_whole ? (bytes + block - 1) / block : count;
  const auto range = [&](std::size_t first, std::size_t last) {
    if (is_whole) {
      std::memcpy(place.to + first * block, place.from + first * block, std::min(bytes, last * block) - first * block);
      return;
    }
    for (std::size_t y = first; y < last; ++y) {
      const auto row = static_cast<std::ptrdiff_t>(y);
      std::memcpy(place.to + row * place.to_pitch, place.from + row * place.from_pitch, row_bytes);
    }
  };
  Threads* const threads =
      bytes < 2 * worth_a_thread || units > std::numeric_limits<int>::max() ? nullptr : this->threads();
  if (threads == nullptr) return range(0, units);
  threads->rows(
      static_cast<int>(units), static_cast<int>((worth_a_thread + unit - 1) / unit),
      [&](int first, int last, int) { range(static_cast<std::size_t>(first), static_cast<std::size_t>(last)); });
}

Threads* HostCopy::threads() {
  if (asked_) return threads_.get();
  asked_ = true;
  try {
    threads_ = std::make_unique<Threads>(std::min(usable_cores(), most_threads));
  } catch (const Error&) {  // no thread may start: this one copies alone
  }
  return threads_.get();
}

}  // namespace vergence::gpu
