// SPDX-License-Identifier: Apache-2.0
// Opens the module with the web server and the page.
#include "view/server.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "modules/open.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

constexpr const char* without_view =
    "this build has no `view`: it needs cpp-httplib (Debian: libcpp-httplib-dev), and Node with the page's packages, "
    "which scripts/web-tools fetches; then configure and build again, with VERGENCE_VIEW on";

void* open_view_module() {
  std::string reason;
  if (void* const handle = open_program_module({VERGENCE_VIEW_BUILT, VERGENCE_VIEW_INSTALLED}, reason)) return handle;
  throw Error(ErrorCode::unsupported,
              fmt::format("the module vergence_view.so of `view` cannot be opened ({}): install the package "
                          "vergence-view, or cpp-httplib, and keep the module where it was built or installed",
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
