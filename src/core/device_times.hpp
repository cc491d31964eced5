// SPDX-License-Identifier: Apache-2.0
// The sum of what several queues of a device took.
#pragma once

#include <optional>

#include "vergence/device.hpp"

namespace vergence {

/// Adds what another queue has seen; nothing where it has no clock.
inline void add_times(std::optional<DeviceTimes>& sum, const std::optional<DeviceTimes>& times) {
  if (!times) return;
  if (!sum) sum.emplace();
  *sum += *times;
}

}  // namespace vergence
