// SPDX-License-Identifier: Apache-2.0
// Opens NVRTC and compiles with it.
#include "gpu/cuda/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "gpu/cuda/driver.hpp"
#include "gpu/cuda/nvrtc_places.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::cuda {
namespace {

using NvrtcResult = int;
using ProgramObject = struct OpaqueProgram*;
constexpr NvrtcResult nvrtc_success = 0;
constexpr NvrtcResult nvrtc_out_of_memory = 1;

#define VERGENCE_NVRTC_CALLS(X)                                                                          \
  X(Version, nvrtcVersion, (int* major, int* minor))                                                     \
  X(GetNumSupportedArchs, nvrtcGetNumSupportedArchs, (int* count))                                       \
  X(GetSupportedArchs, nvrtcGetSupportedArchs, (int* architectures))                                     \
  X(CreateProgram, nvrtcCreateProgram,                                                                   \
    (ProgramObject * program, const char* text, const char* name, int headers, const char* const* texts, \
     const char* const* names))                                                                          \
  X(DestroyProgram, nvrtcDestroyProgram, (ProgramObject * program))                                      \
  X(CompileProgram, nvrtcCompileProgram, (ProgramObject program, int count, const char* const* options)) \
  X(GetCubinSize, nvrtcGetCUBINSize, (ProgramObject program, std::size_t * size))                        \
  X(GetCubin, nvrtcGetCUBIN, (ProgramObject program, char* cubin))                                       \
  X(GetProgramLogSize, nvrtcGetProgramLogSize, (ProgramObject program, std::size_t * size))              \
  X(GetProgramLog, nvrtcGetProgramLog, (ProgramObject program, char* log))

struct Nvrtc {
#define VERGENCE_NVRTC_MEMBER(name, symbol, parameters) NvrtcResult(*name) parameters = nullptr;  // NOLINT: declares
  VERGENCE_NVRTC_CALLS(VERGENCE_NVRTC_MEMBER)
#undef VERGENCE_NVRTC_MEMBER
  const char* (*GetErrorString)(NvrtcResult code) = nullptr;
  std::string library;  ///< The file that was opened.
  int version = 0;
  std::vector<int> architectures;  ///< 90 for sm_90.
  std::string missing;             ///< Why there are no calls; empty where there are.
};

/// NVRTC opens a second library by name when it compiles, which is found where the loader looks. It lies beside the
/// first one; opened before, it is found in any folder.
void open_companion(const std::string& library) {
  const std::filesystem::path folder = std::filesystem::path(library).parent_path();
  std::error_code error;
  if (folder.empty()) return;
  for (std::filesystem::directory_iterator one(folder, error), end; !error && one != end; one.increment(error))
    if (one->path().filename().string().starts_with("libnvrtc-builtins.so."))
      dlopen(one->path().c_str(), RTLD_NOW | RTLD_LOCAL);
}

Nvrtc load() {
  Nvrtc nvrtc;
  const NvrtcSurroundings surroundings = this_process();
  const Library library = open_first(nvrtc_libraries(surroundings));
  if (library.handle == nullptr) {
    nvrtc.missing = nvrtc_missing(surroundings, library.reason);
    return nvrtc;
  }
  open_companion(library.name);
  nvrtc.library = library.name;
#define VERGENCE_NVRTC_LOAD(member, symbol, parameters)                                                 \
  nvrtc.member = reinterpret_cast<decltype(nvrtc.member)>(dlsym(library.handle, #symbol)); /* NOLINT */ \
  if (nvrtc.member == nullptr && nvrtc.missing.empty())                                                 \
    nvrtc.missing = fmt::format("{} has no " #symbol ": NVRTC of CUDA 11.2 or later is needed", library.name);
  VERGENCE_NVRTC_CALLS(VERGENCE_NVRTC_LOAD)
  VERGENCE_NVRTC_LOAD(GetErrorString, nvrtcGetErrorString, ())
#undef VERGENCE_NVRTC_LOAD
  if (!nvrtc.missing.empty()) return nvrtc;
  int major = 0, minor = 0, count = 0;
  if (nvrtc.Version(&major, &minor) == nvrtc_success) nvrtc.version = 1000 * major + 10 * minor;
  if (nvrtc.GetNumSupportedArchs(&count) == nvrtc_success && count > 0) {
    nvrtc.architectures.resize(static_cast<std::size_t>(count));
    if (nvrtc.GetSupportedArchs(nvrtc.architectures.data()) != nvrtc_success) nvrtc.architectures.clear();
  }
  return nvrtc;
}

const Nvrtc& nvrtc() {
  static const Nvrtc all = load();
  return all;
}

/// Owns a program of NVRTC's.
class ProgramHandle {
 public:
  explicit ProgramHandle(ProgramObject program) : program_(program) {}
  ProgramHandle(const ProgramHandle&) = delete;
  ProgramHandle& operator=(const ProgramHandle&) = delete;
  ~ProgramHandle() { nvrtc().DestroyProgram(&program_); }
  ProgramObject get() const { return program_; }

 private:
  ProgramObject program_;
};

void check(NvrtcResult code, std::string_view what) {
  if (code == nvrtc_success) return;
  throw Error(code == nvrtc_out_of_memory ? ErrorCode::out_of_memory : ErrorCode::device,
              fmt::format("{} failed in {}: {}", what, nvrtc().library, nvrtc().GetErrorString(code)));
}

/// The line that holds the log's first error; all of it, on one line, where none is marked as an error. Warnings may
/// stand before an error, and the assembler, which comes last, marks its own with its name.
std::string first_error(const std::string& log) {
  std::istringstream lines(log.c_str());  // up to the NUL at its end
  std::string all;
  for (std::string line; std::getline(lines, line); all += line + ' ')
    for (const char* const word : {": error", "catastrophic error", "ptxas error", "ptxas fatal"})
      if (line.find(word) != std::string::npos) return line;
  return all.substr(0, 400);
}

std::string log_of(const ProgramHandle& program) {
  std::size_t size = 0;
  if (nvrtc().GetProgramLogSize(program.get(), &size) != nvrtc_success) return {};
  std::string log(size, '\0');
  if (size > 0 && nvrtc().GetProgramLog(program.get(), log.data()) != nvrtc_success) return {};
  return log;
}

}  // namespace

bool nvrtc_available(std::string* reason) {
  if (reason != nullptr) *reason = nvrtc().missing;
  return nvrtc().missing.empty();
}

int nvrtc_version() { return nvrtc().version; }

bool nvrtc_supports(const std::string& architecture, std::string* reason) {
  if (!nvrtc_available(reason)) return false;
  const std::vector<int>& known = nvrtc().architectures;
  if (known.empty()) return true;  // it did not say: compiling will
  std::string names;
  for (const int one : known) {
    const std::string name = fmt::format("sm_{}", one);
    if (name == architecture) return true;
    names += (names.empty() ? "" : ", ") + name;
  }
  if (reason != nullptr)
    *reason = fmt::format("{} (NVRTC {}) makes no code for {}, only for {}", nvrtc().library,
                          version_text(nvrtc().version), architecture, names);
  return false;
}

std::vector<std::byte> nvrtc_compile(const std::string& text, const std::string& architecture, bool optimise) {
  std::string reason;
  if (!nvrtc_available(&reason)) throw Error(ErrorCode::device, fmt::format("a kernel cannot be compiled: {}", reason));
  ProgramObject object = nullptr;
  check(nvrtc().CreateProgram(&object, text.c_str(), "kernel", 0, nullptr, nullptr), "giving it a kernel's text");
  const ProgramHandle program(object);
  // Machine code, because a driver refuses PTX newer than itself. Nothing may round otherwise than the reference does.
  const std::string machine = "--gpu-architecture=" + architecture;
  std::vector<const char*> options{machine.c_str(), "--std=c++17", "--device-as-default-execution-space",
                                   "--fmad=false"};
  if (!optimise) options.push_back(nvrtc().version >= 12080 ? "-Ofc=max" : "--ptxas-options=-O0");
  const NvrtcResult code = nvrtc().CompileProgram(program.get(), static_cast<int>(options.size()), options.data());
  if (code != nvrtc_success) {
    std::string error = first_error(log_of(program));
    if (error.find("--gpu-architecture") != std::string::npos) nvrtc_supports(architecture, &error);
    throw Error(code == nvrtc_out_of_memory ? ErrorCode::out_of_memory : ErrorCode::device,
                fmt::format("NVRTC {} cannot compile a kernel for {}: {}", version_text(nvrtc().version), architecture,
                            error.empty() ? nvrtc().GetErrorString(code) : error));
  }
  std::size_t size = 0;
  check(nvrtc().GetCubinSize(program.get(), &size), "asking for a program's size");
  std::vector<std::byte> cubin(size);
  check(nvrtc().GetCubin(program.get(), reinterpret_cast<char*>(cubin.data())), "asking for a program");  // NOLINT
  return cubin;
}

}  // namespace vergence::gpu::cuda
