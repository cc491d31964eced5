// SPDX-License-Identifier: Apache-2.0
// gpu::Buffer on OpenCL: our memory, that of others, and parts of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "gpu/device.hpp"
#include "gpu/opencl/driver.hpp"

namespace vergence::gpu::opencl {

/// What a buffer takes of the device's memory, as long as it lives.
class Share {
 public:
  /// Throws Error(out_of_memory) where so much is not left.
  Share(std::shared_ptr<std::atomic<std::uint64_t>> taken, std::uint64_t bytes, const Properties& properties);
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  ~Share() { *taken_ -= bytes_; }

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> taken_;
  std::uint64_t bytes_;
};

class OpenClBuffer final : public Buffer {
 public:
  /// Memory of our own, and as much after it as kernels may read.
  OpenClBuffer(MemoryHandle memory, std::size_t bytes, std::unique_ptr<Share> share)
      : share_(std::move(share)), memory_(std::move(memory)), bytes_(bytes), capacity_(readable(bytes)) {}
  /// Memory of a caller: kernels read no byte after its end.
  OpenClBuffer(MemoryHandle memory, std::size_t bytes, const Place& place)
      : memory_(std::move(memory)), bytes_(bytes), capacity_(bytes), place_(place) {}

  std::size_t bytes() const override { return bytes_; }
  void* handle() const override { return memory_.get(); }
  Place place() const override { return place_.block != nullptr ? place_ : Place{memory_.get(), 0, true}; }
  cl_mem get() const { return memory_.get(); }
  /// Bytes that may be read.
  std::size_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<Share> share_;
  MemoryHandle memory_;
  std::size_t bytes_, capacity_;
  Place place_;
};

inline cl_mem memory_of(const Buffer& buffer) { return static_cast<const OpenClBuffer&>(buffer).get(); }

/// Retains a cl_mem that others have made in `context`; Error(invalid_argument) for any other.
std::unique_ptr<Buffer> wrap_memory(void* handle, cl_context context, const std::string& device);

/// See gpu::Device::part; sub-buffers begin at multiples of `alignment` bytes.
std::unique_ptr<Buffer> part_of_memory(const OpenClBuffer& buffer, std::size_t offset, std::size_t bytes,
                                       std::size_t alignment, const std::string& device);

}  // namespace vergence::gpu::opencl
