// SPDX-License-Identifier: Apache-2.0
// The one place that knows every wing: lists, opens and probes devices.
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "backend.hpp"
#include "cpu/context.hpp"
#include "cpu/device.hpp"
#include "reference/device.hpp"
#include "vergence/device.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

struct Wing {
  std::string_view name;
  DeviceInfo (*info)();
  std::unique_ptr<backend::Device> (*open)(const DeviceOptions&);
};

constexpr std::array wings{
    Wing{"cpu", cpu::device_info, cpu::open_device},
    Wing{"reference", reference::device_info, reference::open_device},
};

constexpr const char* variable = "VERGENCE_DEVICE";

std::unique_ptr<backend::Device> open(std::string_view name, const DeviceOptions& options) {
  std::string origin;
  if (name.empty()) {
    const char* const value = std::getenv(variable);
    const bool chosen = value != nullptr && *value != '\0';
    name = chosen ? value : "cpu";
    if (chosen) origin = fmt::format(" (from the environment variable {})", variable);
  }
  std::string names;
  for (const Wing& wing : wings) {
    if (wing.name == name) return wing.open(options);
    names.append(names.empty() ? "" : ", ").append(wing.name);
  }
  throw Error(ErrorCode::not_found, fmt::format("no device is named '{}'{}: there are {}", name, origin, names));
}

}  // namespace

Device::Device(std::string_view name, const DeviceOptions& options) : backend_(open(name, options)) {}

const std::string& Device::name() const { return backend_->name(); }
const std::string& Device::kind() const { return backend_->kind(); }
const std::string& Device::description() const { return backend_->description(); }

std::vector<DeviceInfo> Device::list() {
  std::vector<DeviceInfo> devices;
  for (const Wing& wing : wings) devices.push_back(wing.info());
  return devices;
}

std::vector<std::string> Device::simd_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : cpu::simd_targets()) names.push_back(cpu::simd_name(target));
  return names;
}

}  // namespace vergence
