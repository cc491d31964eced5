// SPDX-License-Identifier: Apache-2.0
// Finds NVIDIA's driver and names its errors.
#include "gpu/cuda/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "gpu/forked.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::cuda {
namespace {

constexpr const char* library_name = "libcuda.so.1";

Calls load() {
  Calls calls;
  const Library library = open_first({library_name});
  if (library.handle == nullptr) {
    calls.missing = fmt::format("{} (NVIDIA's driver) cannot be opened: {}", library_name, library.reason);
    return calls;
  }
#define VERGENCE_CUDA_LOAD(member, symbol, parameters)                                                  \
  calls.member = reinterpret_cast<decltype(calls.member)>(dlsym(library.handle, #symbol)); /* NOLINT */ \
  if (calls.member == nullptr && calls.missing.empty())                                                 \
    calls.missing = fmt::format(                                                                        \
        "{} (NVIDIA's driver) has no " #symbol ": a newer driver is needed (CUDA 11 or later)", library_name);
  VERGENCE_CUDA_CALLS(VERGENCE_CUDA_LOAD)
#undef VERGENCE_CUDA_LOAD
  calls.graphs = true;
#define VERGENCE_CUDA_LOAD(member, symbol, parameters)                                                  \
  calls.member = reinterpret_cast<decltype(calls.member)>(dlsym(library.handle, #symbol)); /* NOLINT */ \
  calls.graphs = calls.graphs && calls.member != nullptr;
  VERGENCE_CUDA_GRAPH_CALLS(VERGENCE_CUDA_LOAD)
#undef VERGENCE_CUDA_LOAD
  calls.FuncGetParamInfo = reinterpret_cast<decltype(calls.FuncGetParamInfo)>(  // NOLINT: as dlsym wants
      dlsym(library.handle, "cuFuncGetParamInfo"));
  return calls;
}

Calls* all_calls = nullptr;  // once they are loaded

void in_child() {
#define VERGENCE_CUDA_REFUSE(member, symbol, parameters) refuse_calls<uninitialised>(all_calls->member);
  VERGENCE_CUDA_CALLS(VERGENCE_CUDA_REFUSE)
  VERGENCE_CUDA_GRAPH_CALLS(VERGENCE_CUDA_REFUSE)
#undef VERGENCE_CUDA_REFUSE
  all_calls->FuncGetParamInfo = nullptr;
  if (all_calls->missing.empty()) all_calls->missing = forked_child;
}

}  // namespace

Library open_first(const std::vector<std::string>& names) {
  Library library;
  for (const std::string& name : names) {
    library.handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle != nullptr) {
      library.name = name;
      library.reason.clear();
      return library;
    }
    const char* const why = dlerror();
    if (library.reason.empty()) library.reason = why == nullptr ? "no reason given" : why;
  }
  return library;
}

Calls& changeable_calls() {
  static Calls all = load();
  static const bool watched = (all_calls = &all, watch_forks(in_child));
  static_cast<void>(watched);
  return all;
}
const Calls& calls() { return changeable_calls(); }

int driver_version() {
  int version = 0;
  if (!calls().missing.empty() || calls().DriverGetVersion(&version) != success) return 0;
  return version;
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string error_name(Result code) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (calls().missing == forked_child) return forked_child;
  if (!calls().missing.empty() || calls().GetErrorName(code, &name) != success || name == nullptr)
    return fmt::format("CUDA error {}", code);
  if (calls().GetErrorString(code, &text) != success || text == nullptr) return fmt::format("{} ({})", name, code);
  return fmt::format("{} ({}: {})", name, code, text);
}

void fail(Result code, const std::string& what) {
  throw Error(code == out_of_memory ? ErrorCode::out_of_memory : ErrorCode::device,
              fmt::format("{} failed: {}", what, error_name(code)));
}

}  // namespace vergence::gpu::cuda
