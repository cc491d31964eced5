// SPDX-License-Identifier: Apache-2.0
// Copies between host memory and memory that a caller keeps on a GPU, and parts of it; what a device does that takes
// nothing of callers.
#include "gpu/memory.hpp"

#include <fmt/format.h>

#include "vergence/error.hpp"

namespace vergence::gpu {

std::unique_ptr<Buffer> Device::wrap(void* handle) {
  throw Error(ErrorCode::unsupported, fmt::format("memory {} cannot be used on {}: it takes none that others have made",
                                                  handle, properties().device));
}

std::unique_ptr<Event> Device::record(void* stream) {
  throw Error(ErrorCode::unsupported, fmt::format("stream {} cannot be waited for on {}: it takes none of others",
                                                  stream, properties().device));
}
std::unique_ptr<Event> Device::wrap_event(void* handle) {
  throw Error(ErrorCode::unsupported, fmt::format("event {} cannot be waited for on {}: it takes none that others have "
                                                  "made",
                                                  handle, properties().device));
}

void Memory::write(const void* from, std::size_t bytes, std::size_t offset) {
  if (bytes == 0) return;
  owner_->use_queue([&](Queue& queue) {
    queue.upload(*buffer_, {offset, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}, from);
    queue.finish();
  });
}

void Memory::read(void* to, const backend::MemoryRows& rows) {
  if (rows.row_bytes == 0) return;
  owner_->use_queue([&](Queue& queue) {
    queue.download(*buffer_, {rows.offset, rows.pitch, rows.host_pitch, rows.row_bytes, rows.count}, to);
  });
}

backend::Memory::Place Memory::place() const {
  const gpu::Place place = buffer_->place();
  return {place.block, place.start, place.writable};
}

std::shared_ptr<backend::Memory> Memory::part(std::size_t offset, std::size_t bytes) {
  std::unique_ptr<Buffer> part = owner_->device().part(*buffer_, offset, bytes);
  if (part == nullptr) return nullptr;
  return std::make_shared<Memory>(owner_, std::move(part), shared_from_this());
}

}  // namespace vergence::gpu
