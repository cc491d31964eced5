// SPDX-License-Identifier: Apache-2.0
// gpu::Queue on CUDA, and the memory and kernels that it works on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda/context.hpp"
#include "gpu/device.hpp"

namespace vergence::gpu::cuda {

class CudaBuffer final : public Buffer {
 public:
  /// Memory of our own, and as much after it as kernels may read.
  CudaBuffer(MemoryHandle memory, std::size_t bytes)
      : memory_(std::move(memory)), pointer_(memory_.get()), bytes_(bytes), capacity_(readable(bytes)) {}
  /// Memory of a caller: kernels read no byte after its end.
  CudaBuffer(DevicePointer pointer, std::size_t bytes) : pointer_(pointer), bytes_(bytes), capacity_(bytes) {}
  std::size_t bytes() const override { return bytes_; }
  void* handle() const override {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(pointer_));  // NOLINT(performance-no-int-to-ptr)
  }
  Place place() const override { return {nullptr, pointer_, true}; }
  DevicePointer get() const { return pointer_; }
  /// Bytes that may be read.
  std::size_t capacity() const { return capacity_; }

 private:
  MemoryHandle memory_;
  DevicePointer pointer_;
  std::size_t bytes_, capacity_;
};

/// More no kernel of ours takes.
constexpr std::size_t max_parameters = 32;

class CudaKernel final : public Kernel {
 public:
  CudaKernel(std::shared_ptr<ModuleHandle> module, FunctionObject function, std::string name);
  FunctionObject get() const { return function_; }
  const std::string& name() const { return name_; }
  /// Empty where these are what the kernel takes, or the driver cannot tell; else what is wrong. The driver itself
  /// would read past the end of too few.
  std::string refusal(std::span<const Argument> arguments) const;

 private:
  std::shared_ptr<ModuleHandle> module_;  ///< The function lives in it.
  FunctionObject function_;
  std::string name_;
  bool sizes_known_;
  std::vector<std::size_t> sizes_;  ///< Bytes of each parameter.
};

std::unique_ptr<Queue> make_queue(std::shared_ptr<Context> context);

}  // namespace vergence::gpu::cuda
