// SPDX-License-Identifier: Apache-2.0
// Devices and arrays in their memory.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "vergence/device.hpp"

namespace vergence::python {

/// An array without gaps in the memory of an OpenCL or CUDA device.
struct DeviceArray {
  Device device;
  DeviceMemory memory;
  std::vector<std::int64_t> shape;
  ElementType type;

  std::int64_t bytes() const;
};

/// New memory for an array.
DeviceArray new_device_array(const Device& device, const ElementType& type, std::vector<std::int64_t> shape);

/// A Device as it is, or the one of that name.
Device to_device(nb::handle value);

/// Waits on the host until a stream of `device`, one of CUDA, has done what it was given; 1 and 2 are the default
/// streams.
void wait_for_stream(const Device& device, std::uintptr_t stream);

void register_devices(nb::module_& module);

}  // namespace vergence::python
