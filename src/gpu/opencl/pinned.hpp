// SPDX-License-Identifier: Apache-2.0
// Host memory that an OpenCL driver keeps where it is: buffers that it allocates and maps.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/device.hpp"
#include "gpu/opencl/driver.hpp"

namespace vergence::gpu::opencl {

/// What a device has given of it, for its queues to know.
class PinnedRanges {
 public:
  void add(const std::byte* first, std::size_t bytes);
  void remove(const std::byte* first);
  /// Whether these rows lie in one of them, packed.
  bool hold(const void* data, const Rows& rows) const;

 private:
  struct One {
    const std::byte* first;
    std::size_t bytes;
  };
  mutable std::mutex mutex_;
  std::vector<One> all_;
};

/// Error(device), Error(out_of_memory).
std::shared_ptr<std::byte> pinned_memory(const std::shared_ptr<ContextHandle>& context, cl_device_id device,
                                         const std::string& name, const std::shared_ptr<PinnedRanges>& ranges,
                                         std::size_t bytes);

}  // namespace vergence::gpu::opencl
