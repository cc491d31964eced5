// SPDX-License-Identifier: Apache-2.0
// Memory that others have made, and parts of memory.
#include "gpu/opencl/memory.hpp"

#include <fmt/format.h>

#include "vergence/error.hpp"

namespace vergence::gpu::opencl {
namespace {

/// Asks a memory object; keeps the first error that it answers with.
class Questions {
 public:
  explicit Questions(cl_mem memory) : memory_(memory) {}
  cl_int code() const { return code_; }
  template <class T>
  T ask(cl_mem_info what) {
    T value{};
    const cl_int code = calls().GetMemObjectInfo(memory_, what, sizeof(value), &value, nullptr);
    if (code_ == CL_SUCCESS) code_ = code;
    return value;
  }

 private:
  cl_mem memory_;
  cl_int code_ = CL_SUCCESS;
};

}  // namespace

Share::Share(std::shared_ptr<std::atomic<std::uint64_t>> taken, std::uint64_t bytes, const Properties& properties)
    : taken_(std::move(taken)), bytes_(bytes) {
  const std::uint64_t before = taken_->fetch_add(bytes_);
  if (before + bytes_ <= properties.global_memory) return;
  *taken_ -= bytes_;
  throw Error(ErrorCode::out_of_memory, fmt::format("allocating {} bytes on {} failed: {} of its {} bytes are taken",
                                                    bytes, properties.device, before, properties.global_memory));
}

std::unique_ptr<Buffer> wrap_memory(void* handle, cl_context context, const std::string& device) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::invalid_argument, fmt::format("memory {} cannot be used on {}: {}", handle, device, why));
  };
  if (handle == nullptr) refuse("it is a null pointer, give a cl_mem");
  const auto memory = static_cast<cl_mem>(handle);
  Questions questions(memory);
  const auto type = questions.ask<cl_mem_object_type>(CL_MEM_TYPE);
  const auto flags = questions.ask<cl_mem_flags>(CL_MEM_FLAGS);
  const auto bytes = questions.ask<std::size_t>(CL_MEM_SIZE);
  const auto start = questions.ask<std::size_t>(CL_MEM_OFFSET);
  const auto parent = questions.ask<cl_mem>(CL_MEM_ASSOCIATED_MEMOBJECT);
  const auto its_context = questions.ask<cl_context>(CL_MEM_CONTEXT);
  if (questions.code() != CL_SUCCESS)
    refuse("OpenCL does not know it as a memory object: " + error_name(questions.code()));
  if (type != CL_MEM_OBJECT_BUFFER) refuse("it is an image, give a buffer (clCreateBuffer)");
  if (its_context != context)
    refuse("it was made in another context; make it in that of vergence::Device::native(), or with allocate()");
  if ((flags & (CL_MEM_WRITE_ONLY)) != 0) refuse("it is CL_MEM_WRITE_ONLY, but what is written is read again");
  check(calls().RetainMemObject(memory), "retaining memory on " + device);
  return std::make_unique<OpenClBuffer>(
      MemoryHandle(memory), bytes, Place{parent != nullptr ? parent : memory, start, (flags & CL_MEM_READ_ONLY) == 0});
}

std::unique_ptr<Buffer> part_of_memory(const OpenClBuffer& buffer, std::size_t offset, std::size_t bytes,
                                       std::size_t alignment, const std::string& device) {
  if (offset > buffer.capacity() || readable(bytes) > buffer.capacity() - offset) return nullptr;
  Place place = buffer.place();
  if (offset == 0) {
    check(calls().RetainMemObject(buffer.get()), "retaining memory on " + device);
    return std::make_unique<OpenClBuffer>(MemoryHandle(buffer.get()), bytes, place);
  }
  // There are no sub-buffers of sub-buffers.
  if (offset % alignment != 0 || place.block != buffer.get()) return nullptr;
  const cl_buffer_region region{offset, readable(bytes)};
  cl_int code = CL_SUCCESS;
  MemoryHandle memory(calls().CreateSubBuffer(buffer.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check(code, fmt::format("making a sub-buffer at byte {} on {}", offset, device));
  place.start += offset;
  return std::make_unique<OpenClBuffer>(std::move(memory), bytes, place);
}

}  // namespace vergence::gpu::opencl
