// SPDX-License-Identifier: Apache-2.0
// Opens modules of the program.
#include "modules/open.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace vergence {

void* open_program_module(std::initializer_list<const char*> places, std::string& reason) {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", problem).parent_path();
  reason = "it is not there";
  for (const char* const place : places) {
    const std::filesystem::path path = folder / place;
    if (!std::filesystem::exists(path, problem)) continue;
    if (void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr) return handle;
    const char* const why = dlerror();
    if (why != nullptr) reason = why;
  }
  return nullptr;
}

}  // namespace vergence
