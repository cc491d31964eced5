// SPDX-License-Identifier: Apache-2.0
// Clients and devices of the page.
#include "view/work.hpp"

#include <algorithm>
#include <utility>

namespace vergence::cli {
namespace {

constexpr std::size_t most_clients = 256;

/// Only the device cpu has threads and SIMD targets, only GPUs a cache of kernels.
Device open_view_device(const std::string& name, const DeviceArguments& given) {
  DeviceArguments arguments;
  arguments.name = name;
  if (name == "cpu") {
    arguments.threads = given.threads;
    arguments.simd = given.simd;
  }
  if (name != "cpu" && name != "reference") arguments.no_kernel_cache = given.no_kernel_cache;
  return open_device(arguments);
}

}  // namespace

void ViewClients::come(const ViewCaller& request) {
  if (request.client.empty()) return;
  const std::lock_guard lock(mutex_);
  if (newest_.size() >= most_clients && !newest_.contains(request.client)) newest_.erase(newest_.begin());
  std::uint64_t& newest = newest_[request.client];
  newest = std::max(newest, request.serial);
}

void ViewClients::check(const ViewCaller& request) const {
  if (request.client.empty()) return;
  const std::lock_guard lock(mutex_);
  const auto found = newest_.find(request.client);
  if (found != newest_.end() && found->second > request.serial) throw Superseded();
}

/// By the name that the device has: "cuda" and "cuda:0" are one, whose work takes turns.
std::shared_ptr<ViewDevice> ViewDevices::keep(Device device) {
  const auto made = std::shared_ptr<ViewDevice>(new ViewDevice{std::move(device), {}});
  return devices_.try_emplace(made->device.name(), made).first->second;
}

ViewDevice& ViewDevices::given() {
  const std::lock_guard lock(mutex_);
  if (!given_) given_ = keep(open_device(arguments_));
  return *given_;
}

ViewDevice& ViewDevices::open(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = devices_.find(name);
  if (found != devices_.end()) return *found->second;
  const std::shared_ptr<ViewDevice> own = keep(open_view_device(name, arguments_));
  devices_[name] = own;
  return *own;
}

}  // namespace vergence::cli
