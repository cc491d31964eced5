// SPDX-License-Identifier: Apache-2.0
// Memory that rows pass through on their way between host and device, and rows in host memory.
#pragma once

#include <cstddef>
#include <cstring>

#include "gpu/cuda/context.hpp"
#include "gpu/device.hpp"

namespace vergence::gpu::cuda {

/// Pinned memory: the device copies from and to it at full speed, while the host goes on.
struct Staging {
  PinnedHandle memory;
  std::size_t bytes = 0;
  EventHandle done;     ///< Of the copy that last used the memory.
  bool in_use = false;  ///< That copy may still be running.
};

/// Copies rows between host memory and packed rows.
inline void copy_rows(std::byte* to, std::ptrdiff_t to_pitch, const std::byte* from, std::ptrdiff_t from_pitch,
                      std::size_t row_bytes, std::size_t count) {
  const auto packed = static_cast<std::ptrdiff_t>(row_bytes);
  if (to_pitch == packed && from_pitch == packed) {
    std::memcpy(to, from, row_bytes * count);
    return;
  }
  for (std::size_t y = 0; y < count; ++y) {
    const auto row = static_cast<std::ptrdiff_t>(y);
    std::memcpy(to + row * to_pitch, from + row * from_pitch, row_bytes);
  }
}

/// Whether the driver knows these rows as pinned memory, which the device reads and writes where it lies.
inline bool is_pinned(const void* data, const Rows& rows) {
  if (rows.host_pitch < 0) return false;
  const auto* const first = static_cast<const std::byte*>(data);
  const std::byte* const last =
      first + rows.host_pitch * static_cast<std::ptrdiff_t>(rows.count - 1) + rows.row_bytes - 1;
  for (const std::byte* const at : {first, last}) {
    unsigned type = 0;
    const auto address = reinterpret_cast<DevicePointer>(at);  // NOLINT(performance-no-int-to-ptr): as the driver wants
    if (calls().PointerGetAttribute(&type, pointer_memory_type, address) != success ||
        type != static_cast<unsigned>(MemoryType::host))
      return false;
  }
  return true;
}

}  // namespace vergence::gpu::cuda
