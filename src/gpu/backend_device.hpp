// SPDX-License-Identifier: Apache-2.0
// The devices `opencl` and `cuda` as the rest of the library sees them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/device.hpp"
#include "gpu/device.hpp"
#include "vergence/device.hpp"

namespace vergence::gpu {

/// See vergence::cache_folder_problem.
std::string cache_folder_problem();
std::vector<DeviceInfo> opencl_infos();
std::vector<DeviceInfo> cuda_infos();

/// `which` is empty (the first that is available), a number, or a part of the device's name, upper or lower case.
/// Refuses options that only the device `cpu` has.
std::unique_ptr<backend::Device> open_opencl(std::string_view which, const DeviceOptions& options);
std::unique_ptr<backend::Device> open_cuda(std::string_view which, const DeviceOptions& options);

/// An open device of either API as the rest of the library sees it.
std::unique_ptr<backend::Device> make_device(std::string name, std::string kind, std::shared_ptr<Device> device);

}  // namespace vergence::gpu
