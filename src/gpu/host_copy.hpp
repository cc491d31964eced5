// SPDX-License-Identifier: Apache-2.0
// Rows on their way between host memory, with any distance from row to row, and packed memory that a device reads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "gpu/device.hpp"

namespace vergence {
class Threads;
}  // namespace vergence

namespace vergence::gpu {

/// Copies rows of host memory, many of them on several threads: one thread copies at a fraction of the speed of a GPU's
/// link. It belongs to a queue, and one thread at a time may use it.
class HostCopy {
 public:
  HostCopy();
  ~HostCopy();
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  /// To packed rows, and from them.
  void pack(std::byte* to, const Rows& rows, const void* from);
  void unpack(void* to, const Rows& rows, const std::byte* from);

 private:
  struct Place {
    std::byte* to;
    std::ptrdiff_t to_pitch;
    const std::byte* from;
    std::ptrdiff_t from_pitch;
  };
  void copy(const Place& place, std::size_t row_bytes, std::size_t count);
  /// Null where the system lets none start.
  Threads* threads();

  std::unique_ptr<Threads> threads_;
  bool asked_ = false;
};

/// Rows in parts of a MiB or more: the device copies one while the host copies the next.
class Parts {
 public:
  static constexpr std::size_t most = 8;
  explicit Parts(const Rows& rows)
      : rows_(rows),
        count_(std::min(std::clamp<std::size_t>(rows.row_bytes * rows.count / least_bytes, 1, most), rows.count)) {}
  std::size_t count() const { return count_; }
  /// Bytes of the packed rows before part i.
  std::size_t packed_at(std::size_t i) const { return first(i) * rows_.row_bytes; }
  Rows rows(std::size_t i) const {
    Rows part = rows_;
    part.offset += first(i) * rows_.pitch;
    part.count = first(i + 1) - first(i);
    return part;
  }
  /// Where part i lies in the caller's memory.
  template <class Byte>
  Byte* host(Byte* all, std::size_t i) const {
    return all + rows_.host_pitch * static_cast<std::ptrdiff_t>(first(i));
  }

 private:
  static constexpr std::size_t least_bytes = std::size_t{1} << 20;
  std::size_t first(std::size_t i) const { return rows_.count * i / count_; }

  Rows rows_;
  std::size_t count_;
};

}  // namespace vergence::gpu
