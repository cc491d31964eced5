// SPDX-License-Identifier: Apache-2.0
// --device, --threads, --simd and --no-kernel-cache.
#include "cli/device_option.hpp"

#include <algorithm>
#include <utility>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "vergence/tune.hpp"

namespace vergence::cli {

void add_device_options(Command command, DeviceArguments& arguments) {
  command
      .add("--device", arguments.name,
           "Where to run; `vergence devices` lists them, all give the same bits [default: $VERGENCE_DEVICE, else cpu]")
      .type("NAME")
      .group("Device")
      .choices({"reference", "cpu", "opencl", "cuda"});
  command
      .add("--threads", arguments.threads,
           "Threads of the device cpu; changes speed only [0 .. 1024, 0 = one per core; default: 0]")
      .type("N")
      .group("Device");
  command
      .add("--simd", arguments.simd,
           "SIMD target of the device cpu; `vergence --version` lists them [default: the best one]")
      .type("TARGET")
      .group("Device");
  command
      .flag("--no-kernel-cache", arguments.no_kernel_cache,
            "OpenCL, CUDA: read and keep no files in the cache folder: compile all kernels, use no tuning")
      .group("Device");
}

Device open_device(const DeviceArguments& arguments) {
  if (arguments.name.find(',') != std::string::npos)
    throw UsageError("--device is '" + arguments.name +
                     "': one device is wanted here; several share a sequence or video of `stereo` and `motion`, and "
                     "--map gives the stages of `track` to them");
  DeviceOptions options;
  options.threads = static_cast<int>(parse_integer("--threads", arguments.threads, 0, 1024));
  options.simd = arguments.simd;
  options.kernel_cache = !arguments.no_kernel_cache;
  try {
    return as_usage([&] { return Device(arguments.name, options); });
  } catch (const Error& error) {  // an option that this device does not have
    if (error.code() == ErrorCode::unsupported) throw UsageError(error.what());
    throw;
  }
}

void check_device_options(const DeviceArguments& arguments, const std::vector<std::string>& names) {
  const auto is_host = [](const std::string& name) { return name == "cpu" || name == "reference"; };
  const bool has_cpu = std::find(names.begin(), names.end(), "cpu") != names.end();
  const bool has_gpu = !std::all_of(names.begin(), names.end(), is_host);
  const auto refuse = [&names](const char* option, const char* kind) {
    std::string all;
    for (const std::string& name : names) all.append(all.empty() ? "" : ",").append(name);
    throw UsageError(std::string(option) + " is for " + kind + ", which is not among " + all + ": leave it out");
  };
  if (!has_cpu && arguments.threads != "0") refuse("--threads", "device cpu");
  if (!has_cpu && !arguments.simd.empty()) refuse("--simd", "device cpu");
  if (!has_gpu && arguments.no_kernel_cache) refuse("--no-kernel-cache", "OpenCL and CUDA devices");
}

void add_cache_warning(const Device& device, const DeviceArguments& arguments, std::vector<std::string>& warnings) {
  if (arguments.no_kernel_cache || (device.kind() != "opencl" && device.kind() != "cuda")) return;
  std::string problem = cache_folder_problem();
  if (!problem.empty() && std::find(warnings.begin(), warnings.end(), problem) == warnings.end())
    warnings.push_back(std::move(problem));
}

}  // namespace vergence::cli
