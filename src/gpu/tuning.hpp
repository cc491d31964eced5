// SPDX-License-Identifier: Apache-2.0
// Keeps winners of `vergence tune` in the cache folder, by entry point, device and driver.
#pragma once

#include <optional>
#include <string>

#include "backend/device.hpp"
#include "gpu/device.hpp"

namespace vergence::gpu {

/// "group 64, rows 32"
std::string text_of(const backend::Tuning& tuning);

/// What was kept; nothing where there is none, the file is broken, or the device is not to use the cache folder.
std::optional<backend::Tuning> stored_tuning(const Device& device, const std::string& entry);

/// Where tunings are kept; Error(io) where there is no folder for them.
std::string tuning_folder(const Device& device);

/// Replaces what was kept, whole or not at all. Throws Error(io) where it cannot.
void keep_tuning(const Device& device, const std::string& entry, const backend::Tuning& tuning);

}  // namespace vergence::gpu
