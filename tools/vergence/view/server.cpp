// SPDX-License-Identifier: Apache-2.0
// Opens the module with the web server and the page.
#include "view/server.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

constexpr const char* without_view =
    "this build has no `view`: it needs cpp-httplib (Debian: libcpp-httplib-dev), and Node with the page's packages "
    "(scripts/web-tools FOLDER fetches both into a build folder); then configure and build again";

/// Beside the program, or where an installation has libraries.
void* open_view_module() {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", problem).parent_path();
  std::string reason = "it is not there";
  for (const char* const place : {VERGENCE_VIEW_BUILT, VERGENCE_VIEW_INSTALLED}) {
    const std::filesystem::path path = folder / place;
    if (!std::filesystem::exists(path, problem)) continue;
    if (void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr) return handle;
    const char* const why = dlerror();
    if (why != nullptr) reason = why;
  }
  throw Error(ErrorCode::unsupported,
              fmt::format("the module vergence_view.so of `view` cannot be opened ({}): install cpp-httplib and keep "
                          "the module where it was built or installed",
                          reason));
}

using FindModule = const ViewModule* (*)(int version);

}  // namespace

const ViewModule& view_module() {
  if (!VERGENCE_VIEW_MODULE) throw Error(ErrorCode::unsupported, without_view);
  static const ViewModule* const module = [] {
    void* const function = dlsym(open_view_module(), "vergence_view_module");
    const ViewModule* const found =
        function == nullptr ? nullptr : reinterpret_cast<FindModule>(function)(view_module_version);
    if (found == nullptr)
      throw Error(ErrorCode::unsupported, "the module vergence_view.so is of another version: build it again");
    return found;
  }();
  return *module;
}

}  // namespace vergence::cli
