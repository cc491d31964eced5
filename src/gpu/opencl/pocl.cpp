// SPDX-License-Identifier: Apache-2.0
// Looks at the environment as PoCL does.
#include "gpu/opencl/pocl.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace vergence::gpu::opencl {
namespace {

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

}  // namespace

bool is_pocl(std::string_view version) {
  return version.find("PoCL") != std::string_view::npos || version.find("pocl") != std::string_view::npos;
}

std::string pocl_refusal() {
  if (in_path("ld")) return {};
  return "PoCL, the driver for processors, needs the linker ld, and no folder of PATH has it: install binutils, or add "
         "ld's folder to PATH";
}

std::string unusable_cache_folder() {
  namespace fs = std::filesystem;
  fs::path folder = variable("POCL_CACHE_DIR");
  if (folder.empty() && !variable("XDG_CACHE_HOME").empty()) folder = fs::path(variable("XDG_CACHE_HOME")) / "pocl";
  if (folder.empty() && !variable("HOME").empty()) folder = fs::path(variable("HOME")) / ".cache" / "pocl";
  fs::path existing = folder;
  std::error_code problem;
  while (!existing.empty() && existing != existing.parent_path() && !fs::exists(existing, problem))
    existing = existing.parent_path();
  return existing.empty() || access(existing.c_str(), W_OK | X_OK) == 0 ? std::string() : folder.string();
}

}  // namespace vergence::gpu::opencl
