// SPDX-License-Identifier: Apache-2.0
// Motion of the device cpu, for tests: every SIMD target with one to three threads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stage/cpu_devices.hpp"
#include "verify/motion_cases.hpp"

namespace vergence::test {

constexpr bool measures_times = false;

struct MotionConfiguration {
  Device device;
  std::string name;
  bool all_maps;
};
/// Each target with all maps and with those alone that let candidates be left out.
inline std::vector<MotionConfiguration> motion_configurations(const MotionCase& one) {
  std::vector<MotionConfiguration> all;
  int count = static_cast<int>(one.seed % 3);
  for (const std::string& target : Device::simd_targets())
    for (const bool all_maps : {true, false}) {
      const int threads = count++ % 3 + 1;
      all.push_back({Device("cpu", DeviceOptions{.threads = threads, .simd = target}),
                     target + ", threads " + std::to_string(threads), all_maps});
    }
  return all;
}

/// First and last seed of each test.
inline std::vector<std::pair<int, int>> motion_seeds() { return {{1, 80}, {81, 160}}; }

}  // namespace vergence::test
