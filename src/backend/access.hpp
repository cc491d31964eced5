// SPDX-License-Identifier: Apache-2.0
// From the public handles to what a backend implements, and back: the public headers name none of it.
#pragma once

#include <memory>
#include <utility>

#include "vergence/device.hpp"

namespace vergence {
namespace backend {
class Device;
class Event;
class Memory;
}  // namespace backend

struct Device::Impl {
  std::shared_ptr<backend::Device> device;
};
struct DeviceMemory::Impl {
  std::shared_ptr<backend::Memory> memory;
};
struct DeviceEvent::Impl {
  std::shared_ptr<backend::Event> event;
};

namespace detail {
/// The one friend of the handles.
struct HandleAccess {
  static backend::Device& of(const Device& device) { return *device.impl_->device; }
  static const std::shared_ptr<backend::Memory>& of(const DeviceMemory& memory) { return memory.impl_->memory; }
  static Device handle(std::shared_ptr<backend::Device> device) {
    return Device(std::make_shared<Device::Impl>(Device::Impl{std::move(device)}));
  }
  static backend::Event& of(const DeviceEvent& event) { return *event.impl_->event; }
  static DeviceEvent handle(std::shared_ptr<backend::Event> event) {
    return DeviceEvent(std::make_shared<DeviceEvent::Impl>(DeviceEvent::Impl{std::move(event)}));
  }
  static DeviceMemory handle(std::shared_ptr<backend::Memory> memory) {
    return DeviceMemory(std::make_shared<DeviceMemory::Impl>(DeviceMemory::Impl{std::move(memory)}));
  }
};
}  // namespace detail

namespace backend {

/// What a handle stands for. The memory's and the event's must not be empty.
inline Device& of(const vergence::Device& device) { return detail::HandleAccess::of(device); }
inline Event& of(const DeviceEvent& event) { return detail::HandleAccess::of(event); }
inline const std::shared_ptr<Memory>& of(const DeviceMemory& memory) { return detail::HandleAccess::of(memory); }

/// A handle of a device that was opened, or made up, by other means than its name; not null.
inline vergence::Device handle(std::shared_ptr<Device> device) {
  return detail::HandleAccess::handle(std::move(device));
}
/// A handle of an event; not null.
inline DeviceEvent handle(std::shared_ptr<Event> event) { return detail::HandleAccess::handle(std::move(event)); }
/// A handle of memory; not null.
inline DeviceMemory handle(std::shared_ptr<Memory> memory) { return detail::HandleAccess::handle(std::move(memory)); }

}  // namespace backend
}  // namespace vergence
