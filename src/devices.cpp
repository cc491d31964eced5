// SPDX-License-Identifier: Apache-2.0
// The one place that knows every backend: lists, opens and probes devices.
#include "devices.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "core/numa.hpp"
#include "cpu/context.hpp"
#include "cpu/device.hpp"
#include "gpu/backend_device.hpp"
#include "reference/device.hpp"
#include "vergence/device.hpp"
#include "vergence/error.hpp"
#include "vergence/tune.hpp"

namespace vergence {
namespace {

struct Backend {
  std::string_view name;  ///< Its devices are called this, or this, ":" and which one.
  std::vector<DeviceInfo> (*infos)();
  std::unique_ptr<backend::Device> (*open)(std::string_view which, const DeviceOptions&);
};

constexpr std::array backends{
    Backend{"cpu", [] { return std::vector{cpu::device_info()}; },
            [](std::string_view, const DeviceOptions& options) { return cpu::open_device(options); }},
    Backend{"opencl", gpu::opencl_infos, gpu::open_opencl},
    Backend{"cuda", gpu::cuda_infos, gpu::open_cuda},
    Backend{"reference", [] { return std::vector{reference::device_info()}; },
            [](std::string_view, const DeviceOptions& options) { return reference::open_device(options); }},
};

/// "opencl:0" in its two parts.
bool names(std::string_view name, const Backend& backend, std::string_view& which) {
  const bool has_devices = backend.name == "opencl" || backend.name == "cuda";
  if (name.substr(0, backend.name.size()) != backend.name) return false;
  which = name.substr(backend.name.size());
  if (which.empty()) return true;
  if (!has_devices || which.front() != ':') return false;
  which.remove_prefix(1);
  return true;
}

constexpr const char* variable = "VERGENCE_DEVICE";

std::unique_ptr<backend::Device> open(std::string_view name, const DeviceOptions& options) {
  std::string origin;
  if (name.empty()) {
    const char* const value = std::getenv(variable);
    const bool chosen = value != nullptr && *value != '\0';
    name = chosen ? value : "cpu";
    if (chosen) origin = fmt::format(" (from the environment variable {})", variable);
  }
  std::string all;
  for (const Backend& backend : backends) {
    std::string_view which;
    if (names(name, backend, which)) return backend.open(which, options);
    all.append(all.empty() ? "" : ", ").append(backend.name);
  }
  throw Error(ErrorCode::not_found, fmt::format("no device is named '{}'{}: there are {}", name, origin, all));
}

}  // namespace

std::string cache_folder_problem() { return gpu::cache_folder_problem(); }

std::unique_ptr<backend::Stereo> make_host_stereo(const StereoPlan& plan) {
  return cpu::open_device({})->make_stereo(plan);
}

Device::Device(std::string_view name, const DeviceOptions& options)
    : impl_(std::make_shared<Impl>(Impl{open(name, options)})) {}

const std::string& Device::name() const { return impl_->device->name(); }
const std::string& Device::kind() const { return impl_->device->kind(); }
std::shared_ptr<void> Device::pin(void* data, std::size_t bytes) const { return impl_->device->pin(data, bytes); }
std::string Device::pci_address() const { return impl_->device->pci_address(); }
int Device::numa_node() const { return numa_node_of(pci_address()); }
bool Device::on_processor() const { return impl_->device->on_processor(); }

namespace {

/// Devices in host memory have none of their own.
backend::Device& with_memory(backend::Device& device, const char* what) {
  if (device.space() == nullptr)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("device {} works in host memory and has no {}: give pictures and maps as ImageViews, or use "
                    "an OpenCL or CUDA device",
                    device.name(), what));
  return device;
}

}  // namespace

DeviceMemory Device::allocate(std::size_t bytes) const {
  if (bytes == 0) throw Error(ErrorCode::invalid_argument, "memory of 0 bytes: at least 1 is needed");
  return backend::handle(with_memory(*impl_->device, "memory of its own").allocate(bytes));
}
DeviceMemory Device::wrap(void* handle) const {
  return backend::handle(with_memory(*impl_->device, "memory of its own").wrap(handle));
}
NativeDevice Device::native() const { return with_memory(*impl_->device, "API of its own").native(); }

DeviceEvent Device::record(void* stream) const {
  return backend::handle(with_memory(*impl_->device, "streams").record(stream));
}
DeviceEvent Device::wrap_event(void* handle) const {
  return backend::handle(with_memory(*impl_->device, "events").wrap_event(handle));
}

const std::string& Device::description() const { return impl_->device->description(); }

std::vector<DeviceInfo> Device::list() {
  std::vector<DeviceInfo> devices;
  for (const Backend& backend : backends)
    for (DeviceInfo& info : backend.infos()) devices.push_back(std::move(info));
  return devices;
}

std::vector<std::string> Device::simd_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : cpu::simd_targets()) names.push_back(cpu::simd_name(target));
  return names;
}

}  // namespace vergence
