// SPDX-License-Identifier: Apache-2.0
// The device cpu as tests of the public classes see it: one device for every SIMD target of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/device.hpp"

namespace vergence::test {

/// One to three threads, which change with `turn`. There is always a device, so that no reasons are given.
inline std::vector<Device> devices_under_test(std::uint64_t turn, std::string& /*reasons*/) {
  std::vector<Device> devices;
  for (const std::string& target : Device::simd_targets())
    devices.emplace_back("cpu", DeviceOptions{.threads = static_cast<int>(turn++ % 3) + 1, .simd = target});
  return devices;
}

/// Of `all` cases: every one.
inline int cases_to_run(int /*few*/, int all) { return all; }

}  // namespace vergence::test
