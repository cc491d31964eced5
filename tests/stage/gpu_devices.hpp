// SPDX-License-Identifier: Apache-2.0
// The GPU devices of this machine as tests of the public classes see them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "vergence/device.hpp"

namespace vergence::test {

/// Every device; none, with the reasons, where there is none.
inline std::vector<Device> devices_under_test(std::uint64_t /*turn*/, std::string& reasons) {
  std::vector<Device> devices;
  for (const GpuDevice& gpu : gpu_devices(reasons))
    devices.push_back(backend::handle(gpu::make_device(gpu.name, "opencl", gpu.device)));
  return devices;
}

/// Of `all` cases: `few`, because compilers for kernels take about a second for each; VERGENCE_GPU_CASES asks for more.
inline int cases_to_run(int few, int all) {
  const char* const cases = std::getenv("VERGENCE_GPU_CASES");
  return cases == nullptr ? few : std::clamp(std::atoi(cases), few, all);
}

}  // namespace vergence::test
