// SPDX-License-Identifier: Apache-2.0
// The OpenCL calls that are made, looked up at run time in the ICD loader: a program that uses them starts without it.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

namespace vergence::gpu::opencl {

// Name without "cl".
#define VERGENCE_OPENCL_CALLS(X) \
  X(GetPlatformIDs)              \
  X(GetPlatformInfo)             \
  X(GetDeviceIDs)                \
  X(GetDeviceInfo)               \
  X(CreateContext)               \
  X(ReleaseContext)              \
  X(CreateCommandQueue)          \
  X(ReleaseCommandQueue)         \
  X(GetCommandQueueInfo)         \
  X(CreateBuffer)                \
  X(CreateSubBuffer)             \
  X(GetMemObjectInfo)            \
  X(RetainMemObject)             \
  X(ReleaseMemObject)            \
  X(CreateProgramWithSource)     \
  X(CreateProgramWithBinary)     \
  X(BuildProgram)                \
  X(GetProgramInfo)              \
  X(GetProgramBuildInfo)         \
  X(ReleaseProgram)              \
  X(CreateKernel)                \
  X(SetKernelArg)                \
  X(GetKernelWorkGroupInfo)      \
  X(ReleaseKernel)               \
  X(EnqueueNDRangeKernel)        \
  X(EnqueueWriteBufferRect)      \
  X(EnqueueReadBuffer)           \
  X(EnqueueReadBufferRect)       \
  X(EnqueueFillBuffer)           \
  X(EnqueueMapBuffer)            \
  X(EnqueueUnmapMemObject)       \
  X(EnqueueWriteBuffer)          \
  X(EnqueueMarkerWithWaitList)   \
  X(EnqueueBarrierWithWaitList)  \
  X(WaitForEvents)               \
  X(GetEventProfilingInfo)       \
  X(GetEventInfo)                \
  X(RetainEvent)                 \
  X(ReleaseEvent)                \
  X(Flush)                       \
  X(Finish)

struct Calls {
#define VERGENCE_OPENCL_MEMBER(name) decltype(&::cl##name) name = nullptr;  // NOLINT: declares
  VERGENCE_OPENCL_CALLS(VERGENCE_OPENCL_MEMBER)
#undef VERGENCE_OPENCL_MEMBER
  std::string missing;  ///< Why there are no calls; empty where there are.
};

/// Loaded once per process. In one that was forked since, all answer with an error (gpu/forked.hpp).
const Calls& calls();
/// The same table, for tests that let calls fail.
Calls& changeable_calls();

/// "CL_OUT_OF_RESOURCES (-5)"
std::string error_name(cl_int code);

/// Throws Error(device), or Error(out_of_memory), naming what failed, unless `code` is CL_SUCCESS.
void check(cl_int code, const std::string& what);

/// Owns an object of the API.
template <class T, auto Release>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T object) : object_(object) {}
  Handle(Handle&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ != nullptr) (calls().*Release)(object_);
  }
  T get() const { return object_; }

 private:
  T object_ = nullptr;
};

using ContextHandle = Handle<cl_context, &Calls::ReleaseContext>;
using QueueHandle = Handle<cl_command_queue, &Calls::ReleaseCommandQueue>;
using MemoryHandle = Handle<cl_mem, &Calls::ReleaseMemObject>;
using ProgramHandle = Handle<cl_program, &Calls::ReleaseProgram>;
using KernelHandle = Handle<cl_kernel, &Calls::ReleaseKernel>;
using EventHandle = Handle<cl_event, &Calls::ReleaseEvent>;

}  // namespace vergence::gpu::opencl
