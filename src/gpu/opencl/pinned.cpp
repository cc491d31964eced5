// SPDX-License-Identifier: Apache-2.0
// Allocates, maps and remembers pinned memory.
#include "gpu/opencl/pinned.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vergence/error.hpp"

namespace vergence::gpu::opencl {

void PinnedRanges::add(const std::byte* first, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  all_.push_back({first, bytes});
}

void PinnedRanges::remove(const std::byte* first) {
  const std::lock_guard lock(mutex_);
  all_.erase(std::find_if(all_.begin(), all_.end(), [first](const One& one) { return one.first == first; }));
}

bool PinnedRanges::hold(const void* data, const Rows& rows) const {
  if (rows.count > 1 && rows.host_pitch != static_cast<std::ptrdiff_t>(rows.row_bytes)) return false;
  const auto* const first = static_cast<const std::byte*>(data);
  const std::lock_guard lock(mutex_);
  return std::any_of(all_.begin(), all_.end(), [&](const One& one) {
    return first >= one.first && first + rows.row_bytes * rows.count <= one.first + one.bytes;
  });
}

std::shared_ptr<std::byte> pinned_memory(const std::shared_ptr<ContextHandle>& context, cl_device_id device,
                                         const std::string& name, const std::shared_ptr<PinnedRanges>& ranges,
                                         std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  auto queue = std::make_shared<QueueHandle>(calls().CreateCommandQueue(context->get(), device, 0, &code));
  check(code, "making a queue on " + name);
  auto memory = std::make_shared<MemoryHandle>(
      calls().CreateBuffer(context->get(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code));
  check(code, fmt::format("allocating {} bytes of pinned memory for {}", bytes, name));
  void* const data = calls().EnqueueMapBuffer(queue->get(), memory->get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                              bytes, 0, nullptr, nullptr, &code);
  check(code, fmt::format("mapping {} bytes of pinned memory for {}", bytes, name));
  ranges->add(static_cast<std::byte*>(data), bytes);
  return {static_cast<std::byte*>(data), [context, queue, memory, ranges](std::byte* mapped) {
            ranges->remove(mapped);
            calls().EnqueueUnmapMemObject(queue->get(), memory->get(), mapped, 0, nullptr, nullptr);
            calls().Finish(queue->get());
          }};
}

}  // namespace vergence::gpu::opencl
