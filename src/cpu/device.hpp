// SPDX-License-Identifier: Apache-2.0
// The device `cpu`: SIMD and threads.
#pragma once

#include <memory>
#include <string>

#include "backend/device.hpp"
#include "vergence/device.hpp"

namespace vergence::cpu {

DeviceInfo device_info();
/// Refuses options that it cannot honour, and a SIMD target that fails its bit probe.
std::unique_ptr<backend::Device> open_device(const DeviceOptions& options);

}  // namespace vergence::cpu
