// SPDX-License-Identifier: Apache-2.0
// The device `reference`: the specification as a device.
#pragma once

#include <memory>
#include <string>

#include "backend/device.hpp"
#include "vergence/device.hpp"

namespace vergence::reference {

DeviceInfo device_info();
/// Refuses options that it cannot honour.
std::unique_ptr<backend::Device> open_device(const DeviceOptions& options);

}  // namespace vergence::reference
