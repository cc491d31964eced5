// SPDX-License-Identifier: Apache-2.0
// Memory that rows pass through on their way between host and device.
#pragma once

#include <cstddef>

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
