// SPDX-License-Identifier: Apache-2.0
// The CUDA driver calls that are made, declared here and looked up at run time in NVIDIA's driver: neither building nor
// starting needs a CUDA toolkit. The declarations follow the binary interface of libcuda.so.1 on 64-bit Linux.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vergence::gpu::cuda {

using Result = int;
using DeviceOrdinal = int;
using DevicePointer = unsigned long long;
using ContextObject = struct OpaqueContext*;
using ModuleObject = struct OpaqueModule*;
using FunctionObject = struct OpaqueFunction*;
using StreamObject = struct OpaqueStream*;
using EventObject = struct OpaqueEvent*;
using GraphObject = struct OpaqueGraph*;
using GraphExecObject = struct OpaqueGraphExec*;

constexpr Result success = 0;
constexpr Result invalid_value = 1;
constexpr Result out_of_memory = 2;
constexpr Result uninitialised = 3;
constexpr Result invalid_context = 201;
constexpr Result invalid_handle = 400;
constexpr Result not_found = 500;
constexpr Result not_ready = 600;
constexpr Result context_is_destroyed = 709;
constexpr Result stream_capture_implicit = 906;

// CU_DEVICE_ATTRIBUTE_...
constexpr int max_threads_per_block = 1;
constexpr int max_shared_memory_per_block = 8;
constexpr int clock_rate_khz = 13;
constexpr int multiprocessor_count = 16;
constexpr int compute_mode = 20;
constexpr int pci_bus_id = 33;
constexpr int pci_device_id = 34;
constexpr int pci_domain_id = 50;
constexpr int compute_capability_major = 75;
constexpr int compute_capability_minor = 76;

constexpr int compute_mode_prohibited = 2;
constexpr unsigned stream_non_blocking = 1;
constexpr int capture_of_this_thread = 1;  // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
constexpr int capture_status_none = 0;
constexpr unsigned event_with_timing = 0;
constexpr unsigned event_without_timing = 2;

// CU_POINTER_ATTRIBUTE_...
constexpr int pointer_memory_type = 2;
constexpr int pointer_device_ordinal = 9;
constexpr int pointer_range_start = 11;
constexpr int pointer_range_size = 12;

/// CU_MEMORYTYPE_...
enum class MemoryType : unsigned { host = 1, device = 2 };

/// One side of a two-dimensional copy.
struct CopySide {
  std::size_t x_bytes = 0, y = 0;
  MemoryType type = MemoryType::host;
  void* host = nullptr;
  DevicePointer device = 0;
  void* array = nullptr;
  std::size_t pitch = 0;
};

/// CUDA_MEMCPY2D.
struct Copy2D {
  CopySide from, to;
  std::size_t width_bytes = 0, height = 0;
};
static_assert(sizeof(CopySide) == 56 && sizeof(Copy2D) == 128, "as the driver lays it out");

// Name here, symbol, parameters. Symbols that were changed since their first version end in _v2.
#define VERGENCE_CUDA_CALLS(X)                                                                                       \
  X(Init, cuInit, (unsigned flags))                                                                                  \
  X(DriverGetVersion, cuDriverGetVersion, (int* version))                                                            \
  X(GetErrorName, cuGetErrorName, (Result code, const char** name))                                                  \
  X(GetErrorString, cuGetErrorString, (Result code, const char** text))                                              \
  X(DeviceGetCount, cuDeviceGetCount, (int* count))                                                                  \
  X(DeviceGet, cuDeviceGet, (DeviceOrdinal * device, int index))                                                     \
  X(DeviceGetName, cuDeviceGetName, (char* name, int size, DeviceOrdinal device))                                    \
  X(DeviceGetAttribute, cuDeviceGetAttribute, (int* value, int attribute, DeviceOrdinal device))                     \
  X(DeviceTotalMem, cuDeviceTotalMem_v2, (std::size_t * bytes, DeviceOrdinal device))                                \
  X(DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (ContextObject * context, DeviceOrdinal device))               \
  X(DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (DeviceOrdinal device))                                   \
  X(CtxPushCurrent, cuCtxPushCurrent_v2, (ContextObject context))                                                    \
  X(CtxGetCurrent, cuCtxGetCurrent, (ContextObject * context))                                                       \
  X(CtxPopCurrent, cuCtxPopCurrent_v2, (ContextObject * context))                                                    \
  X(ModuleLoadData, cuModuleLoadData, (ModuleObject * module, const void* image))                                    \
  X(ModuleUnload, cuModuleUnload, (ModuleObject module))                                                             \
  X(ModuleGetFunction, cuModuleGetFunction, (FunctionObject * function, ModuleObject module, const char* name))      \
  X(MemGetInfo, cuMemGetInfo_v2, (std::size_t * free, std::size_t * total))                                          \
  X(MemAlloc, cuMemAlloc_v2, (DevicePointer * pointer, std::size_t bytes))                                           \
  X(MemFree, cuMemFree_v2, (DevicePointer pointer))                                                                  \
  X(MemHostAlloc, cuMemHostAlloc, (void** pointer, std::size_t bytes, unsigned flags))                               \
  X(MemFreeHost, cuMemFreeHost, (void* pointer))                                                                     \
  X(MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                                                           \
    (DevicePointer to, const void* from, std::size_t bytes, StreamObject stream))                                    \
  X(MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void* to, DevicePointer from, std::size_t bytes, StreamObject stream))   \
  X(Memcpy2DAsync, cuMemcpy2DAsync_v2, (const Copy2D* copy, StreamObject stream))                                    \
  X(MemsetD8Async, cuMemsetD8Async, (DevicePointer to, unsigned char value, std::size_t bytes, StreamObject stream)) \
  X(MemHostRegister, cuMemHostRegister_v2, (void* pointer, std::size_t bytes, unsigned flags))                       \
  X(MemHostUnregister, cuMemHostUnregister, (void* pointer))                                                         \
  X(PointerGetAttribute, cuPointerGetAttribute, (void* value, int attribute, DevicePointer pointer))                 \
  X(PointerGetAttributes, cuPointerGetAttributes,                                                                    \
    (unsigned count, int* attributes, void** values, DevicePointer pointer))                                         \
  X(StreamCreate, cuStreamCreate, (StreamObject * stream, unsigned flags))                                           \
  X(StreamDestroy, cuStreamDestroy_v2, (StreamObject stream))                                                        \
  X(StreamSynchronize, cuStreamSynchronize, (StreamObject stream))                                                   \
  X(StreamGetCtx, cuStreamGetCtx, (StreamObject stream, ContextObject * context))                                    \
  X(StreamIsCapturing, cuStreamIsCapturing, (StreamObject stream, int* status))                                      \
  X(StreamWaitEvent, cuStreamWaitEvent, (StreamObject stream, EventObject event, unsigned flags))                    \
  X(EventCreate, cuEventCreate, (EventObject * event, unsigned flags))                                               \
  X(EventDestroy, cuEventDestroy_v2, (EventObject event))                                                            \
  X(EventRecord, cuEventRecord, (EventObject event, StreamObject stream))                                            \
  X(EventQuery, cuEventQuery, (EventObject event))                                                                   \
  X(EventSynchronize, cuEventSynchronize, (EventObject event))                                                       \
  X(EventElapsedTime, cuEventElapsedTime, (float* milliseconds, EventObject start, EventObject end))                 \
  X(LaunchKernel, cuLaunchKernel,                                                                                    \
    (FunctionObject function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned group_x,             \
     unsigned group_y, unsigned group_z, unsigned shared_bytes, StreamObject stream, void** parameters, void** extra))

// What keeps commands to run them again; the same, but a driver may lack them (before CUDA 11.4).
#define VERGENCE_CUDA_GRAPH_CALLS(X)                                                  \
  X(StreamBeginCapture, cuStreamBeginCapture_v2, (StreamObject stream, int mode))     \
  X(StreamEndCapture, cuStreamEndCapture, (StreamObject stream, GraphObject * graph)) \
  X(GraphInstantiate, cuGraphInstantiateWithFlags,                                    \
    (GraphExecObject * executable, GraphObject graph, unsigned long long flags))      \
  X(GraphLaunch, cuGraphLaunch, (GraphExecObject executable, StreamObject stream))    \
  X(GraphDestroy, cuGraphDestroy, (GraphObject graph))                                \
  X(GraphExecDestroy, cuGraphExecDestroy, (GraphExecObject executable))

struct Calls {
#define VERGENCE_CUDA_MEMBER(name, symbol, parameters) Result(*name) parameters = nullptr;  // NOLINT: declares
  VERGENCE_CUDA_CALLS(VERGENCE_CUDA_MEMBER)
  VERGENCE_CUDA_GRAPH_CALLS(VERGENCE_CUDA_MEMBER)
#undef VERGENCE_CUDA_MEMBER
  bool graphs = false;  ///< All of VERGENCE_CUDA_GRAPH_CALLS are there.
  /// Size of a kernel's parameter; invalid_value past the last. Null with drivers before CUDA 12.4.
  Result (*FuncGetParamInfo)(FunctionObject function, std::size_t index, std::size_t* offset,
                             std::size_t* size) = nullptr;
  std::string missing;  ///< Why there are no calls; empty where there are.
};

/// Loaded once per process and kept; cuInit is the caller's. In a process that was forked since, all answer with an
/// error (gpu/forked.hpp).
const Calls& calls();
/// The same table, for tests that let calls fail.
Calls& changeable_calls();

/// The CUDA version that the driver offers, as 1000 * major + 10 * minor; 0 without a driver.
int driver_version();
/// "13.0"
std::string version_text(int version);

/// "CUDA_ERROR_ILLEGAL_ADDRESS (700: an illegal memory access was encountered)"
std::string error_name(Result code);
/// Throws Error(device), or Error(out_of_memory): "WHAT failed: error_name".
[[noreturn]] void fail(Result code, const std::string& what);

/// A library opened at run time.
struct Library {
  void* handle = nullptr;  ///< Null where none could be opened; kept for the process's life otherwise.
  std::string name;        ///< The one that was opened.
  std::string reason;      ///< What the loader said of the first name, where none could be opened.
};
/// The first of them that can be opened.
Library open_first(const std::vector<std::string>& names);

}  // namespace vergence::gpu::cuda
