// SPDX-License-Identifier: Apache-2.0
// From kernel files to programs: texts are put together from embedded files and definitions, compiled once, and kept.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/device.hpp"
#include "vergence/device.hpp"

namespace vergence::gpu {

/// One file of src/gpu/kernels or src/definitions, as it lies in the repository.
struct EmbeddedFile {
  std::string_view name;  ///< As an #include in a kernel names it: "definitions/stereo/vfit.h", "stereo/match.cl".
  std::string_view text;
};
/// All of them; generated at build time.
std::span<const EmbeddedFile> embedded_files();

/// #defines that specialise a kernel file.
class Defines {
 public:
  Defines& set(std::string_view name, long long value);  ///< In brackets where negative.
  Defines& set(std::string_view name, std::string_view value);
  Defines& add(const Defines& more) {
    lines_ += more.lines_;
    return *this;
  }
  const std::string& lines() const { return lines_; }
  /// Asks the compiler to use at most this number of registers for a work-item, so that more of them run at once; for
  /// NVIDIA.
  Defines& registers(int count) {
    registers_ = count;
    return *this;
  }
  int registers() const { return registers_; }

 private:
  std::string lines_;
  int registers_ = 0;
};

/// Prelude, defines, and the file with all it includes (each once), with #line marks so that compilers name the file.
/// Where registers are limited, the first line says so, for registers_of(). `more` are files that are looked at
/// before the embedded ones.
std::string assemble(Dialect dialect, const Properties& properties, std::string_view file, const Defines& defines,
                     std::span<const EmbeddedFile> more = {});

/// What a compiler says of an assembled text. Some forget the marks and say "<kernel>:LINE", counting all lines: these
/// get file and line.
std::string with_places(std::string_view text, std::string message);

/// What an assembled text asks for; 0 = as many as the compiler likes.
int registers_of(std::string_view text);

/// The programs of one object on a device. Their codes are those of the device (Device::codes), else on disk, else
/// compiled. The folder on disk is $XDG_CACHE_HOME/vergence or ~/.cache/vergence; VERGENCE_CACHE names another, and
/// VERGENCE_CACHE=off keeps nothing on disk. A broken or foreign file is ignored and written anew; a disk that cannot
/// be written to is no error.
class Programs {
 public:
  explicit Programs(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  /// A kernel of a file; both stay as long as this object. Kernel functions are named after what they do.
  const Kernel& kernel(std::string_view file, const Defines& defines, const std::string& name);
  /// What compiling took since this object was made or last asked, and what `queue` measured of its commands.
  DeviceTimes take_times(Queue& queue) {
    DeviceTimes times = std::exchange(times_, DeviceTimes{});
    const Timing timing = queue.timing();
    times.upload_ms = timing.upload;
    times.kernel_ms = timing.kernel;
    times.download_ms = timing.download;
    return times;
  }
  Device& device() const { return *device_; }

 private:
  struct Loaded {
    std::unique_ptr<Program> program;
    std::map<std::string, std::unique_ptr<Kernel>> kernels;
  };
  std::unique_ptr<Program> build(const std::string& text);

  std::shared_ptr<Device> device_;
  std::map<std::string, Loaded> loaded_;
  DeviceTimes times_;
};

}  // namespace vergence::gpu
