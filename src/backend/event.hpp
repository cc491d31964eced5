// SPDX-License-Identifier: Apache-2.0
// Points in the work of a device with memory of its own.
#pragma once

#include <span>
#include <string>

#include "vergence/device.hpp"

namespace vergence::backend {

/// See vergence::DeviceEvent, whose calls these are.
class Event {
 public:
  virtual ~Event() = default;
  virtual void* handle() const = 0;
  virtual bool is_done() = 0;
  virtual void wait() = 0;
  virtual void make_wait(void* stream) = 0;
  /// The name of its device.
  virtual const std::string& device() const = 0;
  /// See Device::space.
  virtual const void* space() const = 0;
};

/// When a device with a space of its own does what a call asks for: once the events `after` have come, and before
/// `done`, where that is given: the call sets it and does not wait for the work.
struct Order {
  std::span<const DeviceEvent> after{};  ///< Valid until the work has been given to the device.
  DeviceEvent done{};                    ///< Of Device::new_event.
};

}  // namespace vergence::backend
