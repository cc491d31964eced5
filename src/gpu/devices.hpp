// SPDX-License-Identifier: Apache-2.0
// Which GPU devices there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device.hpp"

namespace vergence::gpu {

/// Work-items that a work-group must be able to hold; kernels ask for more only where the device has more.
inline constexpr std::size_t least_group = 64;
/// Bytes of local memory that a work-group must have: more than any kernel declares that has no other way of working.
inline constexpr std::uint64_t least_local_memory = 8192;

/// A device, or an API without one.
struct Found {
  std::string name;       ///< "opencl:0", "cuda:0"; the bare "opencl" or "cuda" where the API has no device.
  Properties properties;  ///< Empty without a device.
  bool available = false;
  std::string reason;  ///< Why not: which library was looked for, or what it answered.
};

namespace opencl {
std::vector<Found> find();
/// The device `opencl:INDEX` of find(); Error(device) where there is none.
std::shared_ptr<Device> open(int index);
}  // namespace opencl

namespace cuda {
std::vector<Found> find();
/// The device `cuda:INDEX` of find(); Error(device) where there is none.
std::shared_ptr<Device> open(int index);
}  // namespace cuda

/// A device and what it is called: "opencl:0".
struct Opened {
  std::string name;
  std::shared_ptr<Device> device;
};
/// By a name as users write it: "opencl", "opencl:1", "cuda:h200"; once it has passed the bit probe. Error(not_found)
/// for a name that no GPU API has, Error(device) where there is no such device.
Opened open_by_name(std::string_view name);

}  // namespace vergence::gpu
