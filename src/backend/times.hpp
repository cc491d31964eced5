// SPDX-License-Identifier: Apache-2.0
// Where the time of what works on a device went.
#pragma once

#include <optional>

#include "vergence/device.hpp"

namespace vergence::backend {

/// What has a clock, and perhaps a compiler, of its own.
class Timed {
 public:
  virtual ~Timed() = default;
  /// Devices that work in host memory have neither.
  virtual void measure(bool /*on*/) {}
  /// Since it was made or last asked; waits for what is under way.
  virtual std::optional<DeviceTimes> times() { return std::nullopt; }
};

}  // namespace vergence::backend
