// SPDX-License-Identifier: Apache-2.0
// Looks at the environment as PoCL does.
#include "gpu/opencl/pocl.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <system_error>
#include <thread>

#include "core/switch_words.hpp"

namespace vergence::gpu::opencl {
namespace {

/// Before the text in a code of as_code(); no binary begins with it.
constexpr std::string_view text_mark = "text for PoCL\n";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool in_path(const char* program) {
  const std::string path = variable("PATH");
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const std::filesystem::path file = std::filesystem::path(path.substr(at, end - at)) / program;
    std::error_code problem;
    if (end > at && std::filesystem::is_regular_file(file, problem) && access(file.c_str(), X_OK) == 0) return true;
    at = end + 1;
  }
  return false;
}

/// Where PoCL keeps its kernels; empty where it has no place.
std::filesystem::path cache_folder() {
  namespace fs = std::filesystem;
  if (!variable("POCL_CACHE_DIR").empty()) return variable("POCL_CACHE_DIR");
  if (!variable("XDG_CACHE_HOME").empty()) return fs::path(variable("XDG_CACHE_HOME")) / "pocl";
  if (!variable("HOME").empty()) return fs::path(variable("HOME")) / ".cache" / "pocl";
  return {};
}

}  // namespace

bool is_pocl(std::string_view version) {
  return version.find("PoCL") != std::string_view::npos || version.find("pocl") != std::string_view::npos;
}

std::string pocl_refusal() {
  if (in_path("ld")) return {};
  return "PoCL, the driver for processors, needs the linker ld, and no folder of PATH has it: install binutils, or add "
         "ld's folder to PATH";
}

std::string fatal_environment() {
  const char* const folder = std::getenv("POCL_CACHE_DIR");
  if (folder == nullptr || *folder != '\0') return {};
  return "POCL_CACHE_DIR is empty, with which PoCL, the driver for processors, ends every program: unset it, or set it "
         "to "
         "a folder";
}

std::string small_address_space() {
  constexpr rlim_t least = 1'500'000'000;  // measured: 1.0 GB is enough, with 0.9 GB the compiler crashes
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= least) return {};
  return fmt::format(
      "the address space is limited to {} MB (ulimit -v), and drivers of OpenCL need {} MB: raise the limit",
      limit.rlim_cur / 1'000'000, least / 1'000'000);
}

std::string unusable_cache_folder() {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) return {};
  // As PoCL does: root may write anywhere by its rights, and cannot in /proc.
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  return !problem && access(folder.c_str(), W_OK | X_OK) == 0 ? std::string() : folder.string();
}

std::string hidden_drivers() {
  namespace fs = std::filesystem;
  constexpr const char* name = "OCL_ICD_VENDORS";
  const fs::path place = variable(name);
  if (place.empty()) return {};
  const auto names_driver = [](const fs::path& file) {
    return file.extension() == ".icd" || file.extension() == ".so";
  };
  std::error_code problem;
  const bool is_folder = fs::is_directory(place, problem);
  bool any = !is_folder && fs::exists(place, problem) && names_driver(place);
  if (is_folder)
    for (fs::directory_iterator file(place, problem), end; !problem && file != end; file.increment(problem))
      any = any || names_driver(file->path());
  if (any) return {};
  return fmt::format("{} is '{}', {}: unset it, or give a folder of .icd files, such as /etc/OpenCL/vendors", name,
                     place.string(),
                     is_folder                    ? "a folder without any .icd file"
                     : fs::exists(place, problem) ? "no folder and no .icd file"
                                                  : "which is not there");
}

std::shared_ptr<void> pocl_lock(const std::string& text) {
  constexpr std::size_t files = 16;  // so that most programs do not wait for each other
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) return nullptr;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::string path = folder / fmt::format("vergence-{}.lock", std::hash<std::string>()(text) % files);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return nullptr;
  // The lock goes with the descriptor, however the process ends.
  const std::shared_ptr<int> lock(new int(file), [](const int* held) {
    close(*held);
    delete held;
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (flock(file, LOCK_EX | LOCK_NB) != 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return lock;
}

bool pocl_gives_binaries() { return !means_off(variable("VERGENCE_POCL_BINARIES")); }

std::vector<std::byte> as_code(std::string_view text) {
  const std::string code = std::string(text_mark).append(text);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(code));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(std::span<const std::byte> code) {
  const std::string_view bytes(reinterpret_cast<const char*>(code.data()), code.size());  // NOLINT: they are characters
  return bytes.starts_with(text_mark) ? std::string(bytes.substr(text_mark.size())) : std::string();
}

}  // namespace vergence::gpu::opencl
