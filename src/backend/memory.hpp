// SPDX-License-Identifier: Apache-2.0
// What a device with memory of its own offers for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace vergence::backend {

/// Rows in a device's memory and in the host's; all in bytes.
struct MemoryRows {
  std::size_t offset = 0, pitch = 0;  ///< Of the first row, and from row to row, in the device's memory.
  std::ptrdiff_t host_pitch = 0;
  std::size_t row_bytes = 0, count = 1;
};

/// Memory of a device: see vergence::DeviceMemory.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual std::size_t bytes() const = 0;
  virtual void* handle() const = 0;
  virtual void write(const void* from, std::size_t bytes, std::size_t offset) = 0;
  virtual void read(void* to, const MemoryRows& rows) = 0;
  /// Waits until few others of the device have one, and keeps it for as long as what is returned lives.
  virtual std::shared_ptr<void> read_turn() = 0;
  /// The name of its device.
  virtual const std::string& device() const = 0;
  /// See Device::space.
  virtual const void* space() const = 0;
  /// Memory of one space shares bytes where `block` is the same and [start, start + bytes) meet.
  struct Place {
    const void* block = nullptr;
    std::uint64_t start = 0;
    bool writable = true;
  };
  virtual Place place() const = 0;
  /// The bytes from `offset` on as memory that kernels take; null where they cannot (see vergence::DeviceImage).
  virtual std::shared_ptr<Memory> part(std::size_t offset, std::size_t bytes) = 0;
};

}  // namespace vergence::backend
