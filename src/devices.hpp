// SPDX-License-Identifier: Apache-2.0
// What layers above the devices need of one device in particular.
#pragma once

#include <memory>

#include "backend/stereo.hpp"

namespace vergence {

/// The fastest stereo in host memory, for stages that a device with memory of its own has none for: that of device cpu.
std::unique_ptr<backend::Stereo> make_host_stereo(const StereoPlan& plan);

}  // namespace vergence
