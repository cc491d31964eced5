// SPDX-License-Identifier: Apache-2.0
// --device, --threads, --simd and --no-kernel-cache, for every command that runs on a device.
#pragma once

#include <string>
#include <vector>

#include "vergence/device.hpp"

namespace vergence::cli {

class Command;

struct DeviceArguments {
  std::string name;
  std::string threads = "0";
  std::string simd;
  bool no_kernel_cache = false;
};

void add_device_options(Command command, DeviceArguments& arguments);
/// Opens it: an unknown name is wrong usage, a device that is absent a failure.
Device open_device(const DeviceArguments& arguments);
/// UsageError where an option is for a kind of device that is not among several.
void check_device_options(const DeviceArguments& arguments, const std::vector<std::string>& names);
/// Adds what keeps a GPU from using its cache folder, where the warnings do not have it yet.
void add_cache_warning(const Device& device, const DeviceArguments& arguments, std::vector<std::string>& warnings);

}  // namespace vergence::cli
