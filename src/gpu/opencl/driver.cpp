// SPDX-License-Identifier: Apache-2.0
// Looks up the OpenCL loader and its calls, and names its errors.
#include "gpu/opencl/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <map>

#include "gpu/forked.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::opencl {
namespace {

constexpr const char* library = "libOpenCL.so.1";

Calls load() {
  Calls calls;
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);  // kept for the process's life
  if (handle == nullptr) {
    const char* const why = dlerror();
    calls.missing = fmt::format("{} (the OpenCL loader) cannot be opened: {}", library, why == nullptr ? "?" : why);
    return calls;
  }
#define VERGENCE_OPENCL_LOAD(name)                                                                             \
  calls.name = reinterpret_cast<decltype(calls.name)>(dlsym(handle, "cl" #name)); /* NOLINT: as dlsym wants */ \
  if (calls.name == nullptr) calls.missing = fmt::format("{} has no cl" #name ": OpenCL 1.2 is needed", library);
  VERGENCE_OPENCL_CALLS(VERGENCE_OPENCL_LOAD)
#undef VERGENCE_OPENCL_LOAD
  return calls;
}

Calls* all_calls = nullptr;  // once they are loaded

void in_child() {
#define VERGENCE_OPENCL_REFUSE(name) refuse_calls<CL_DEVICE_NOT_AVAILABLE>(all_calls->name);
  VERGENCE_OPENCL_CALLS(VERGENCE_OPENCL_REFUSE)
#undef VERGENCE_OPENCL_REFUSE
  if (all_calls->missing.empty()) all_calls->missing = forked_child;
}

}  // namespace

Calls& changeable_calls() {
  static Calls all = load();
  static const bool watched = (all_calls = &all, watch_forks(in_child));
  static_cast<void>(watched);
  return all;
}
const Calls& calls() { return changeable_calls(); }

std::string error_name(cl_int code) {
  if (calls().missing == forked_child) return forked_child;
  static const std::map<cl_int, const char*> names = {
      {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
      {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
      {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
      {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
      {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
      {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
      {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
      {CL_INVALID_BINARY, "CL_INVALID_BINARY"},
      {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
      {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
      {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
      {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
      {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
      {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
      {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
  };
  const auto found = names.find(code);
  return found != names.end() ? fmt::format("{} ({})", found->second, code) : fmt::format("OpenCL error {}", code);
}

void check(cl_int code, const std::string& what) {
  if (code == CL_SUCCESS) return;
  const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
  throw Error(memory ? ErrorCode::out_of_memory : ErrorCode::device,
              fmt::format("{} failed: {}", what, error_name(code)));
}

}  // namespace vergence::gpu::opencl
