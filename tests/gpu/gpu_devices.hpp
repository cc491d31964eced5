// SPDX-License-Identifier: Apache-2.0
// The GPU devices of this machine, for tests that run on all of them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/devices.hpp"
#include "gpu/program.hpp"

namespace vergence::test {

struct GpuDevice {
  std::string name;
  std::shared_ptr<gpu::Device> device;
};

/// Every device that can be used, or those whose names hold VERGENCE_GPU_DEVICE; why there is none goes to `reasons`.
/// Each is opened once and stays open: a context of PoCL that compiles reads all functions of OpenCL C, for most of a
/// second.
inline std::vector<GpuDevice> gpu_devices(std::string& reasons) {
  const char* const wanted = std::getenv("VERGENCE_GPU_DEVICE");
  static auto& opened = *new std::map<std::string, std::shared_ptr<gpu::Device>>;  // drivers may end before us
  std::vector<GpuDevice> devices;
  const auto add = [&](const std::vector<gpu::Found>& found, std::shared_ptr<gpu::Device> (*open)(int)) {
    int index = 0;
    for (const gpu::Found& one : found) {
      if (wanted != nullptr && one.name.find(wanted) == std::string::npos)
        reasons += one.name + ": not wanted by VERGENCE_GPU_DEVICE\n";
      else if (one.available) {
        std::shared_ptr<gpu::Device> device = opened[one.name];
        if (device == nullptr) device = open(index);
        if (open == gpu::opencl::open) opened[one.name] = device;
        devices.push_back({one.name, device});
      } else
        reasons += one.name + ": " + one.reason + "\n";
      ++index;
    }
  };
  add(gpu::opencl::find(), gpu::opencl::open);
  add(gpu::cuda::find(), gpu::cuda::open);
  return devices;
}

/// run(seed, gpu) for the seeds first to last on every device, until one fails.
template <class Run>
void run_everywhere(int first, int last, const Run& run) {
  std::string reasons;
  const std::vector<GpuDevice> devices = gpu_devices(reasons);
  if (devices.empty()) GTEST_SKIP() << reasons;
  for (const GpuDevice& gpu : devices)
    for (int seed = first; seed <= last; ++seed) {
      run(seed, gpu);
      if (testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace vergence::test
