// SPDX-License-Identifier: Apache-2.0
// Opens FFmpeg's libraries.
#include "io/libav_calls.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "vergence/error.hpp"

namespace vergence::io {
namespace {

std::string loader_reason() {
  const char* const why = dlerror();
  return why == nullptr ? "no reason given" : why;
}

// Where the loader looks, else where FFmpeg was when this was built.
void* open_av_library(const char* library) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return handle;
  const std::string reason = loader_reason();
  const std::string built_with = fmt::format("{}/{}", VERGENCE_FFMPEG_FOLDER, library);
  if (void* const other = dlopen(built_with.c_str(), RTLD_NOW | RTLD_LOCAL); other != nullptr) return other;
  // What the loader says where it finds no addresses for a library that is there.
  if (reason.find("failed to map") != std::string::npos || reason.find("cannot allocate") != std::string::npos)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("no memory to load FFmpeg's library {} ({}): free memory, raise the limit (ulimit -v), or "
                            "use .pgm, .ppm, .pfm or .npy files, which do without it",
                            library, reason));
  if (reason.find("Too many open files") != std::string::npos)
    throw Error(ErrorCode::io, fmt::format("FFmpeg's library {} cannot be opened ({}): raise the limit (ulimit -n), or "
                                           "use .pgm, .ppm, .pfm or .npy files, which do without it",
                                           library, reason));
  throw Error(ErrorCode::unsupported,
              fmt::format("FFmpeg's library {} cannot be opened ({}): install FFmpeg with its libraries of this "
                          "version, or use .pgm, .ppm, .pfm or .npy files, which do without it",
                          library, reason));
}

}  // namespace

void* find_av_function(const char* library, const char* name) {
  void* const function = dlsym(open_av_library(library), name);
  if (function == nullptr)
    throw Error(ErrorCode::unsupported,
                fmt::format("FFmpeg's library {} has no function {}: install a complete FFmpeg", library, name));
  return function;
}

}  // namespace vergence::io
