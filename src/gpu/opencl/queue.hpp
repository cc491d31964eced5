// SPDX-License-Identifier: Apache-2.0
// gpu::Queue on OpenCL.
#pragma once

#include <memory>
#include <string>

#include "gpu/device.hpp"
#include "gpu/opencl/driver.hpp"

namespace vergence::gpu::opencl {

cl_kernel kernel_of(const Kernel& kernel);

std::unique_ptr<Event> new_event();
/// A CPU's queue needs no pinned memory for downloads.
std::unique_ptr<Queue> make_queue(std::shared_ptr<ContextHandle> context, cl_device_id device, std::string name,
                                  bool is_cpu);

}  // namespace vergence::gpu::opencl
