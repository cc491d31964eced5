// SPDX-License-Identifier: Apache-2.0
// gpu::Queue on OpenCL.
#pragma once

#include <memory>
#include <string>

#include "gpu/device.hpp"
#include "gpu/opencl/driver.hpp"
#include "gpu/opencl/pinned.hpp"

namespace vergence::gpu::opencl {

cl_kernel kernel_of(const Kernel& kernel);

/// A CPU's queue needs no pinned memory for downloads. Rows in `pinned` are copied from and to where they lie.
std::unique_ptr<Queue> make_queue(std::shared_ptr<ContextHandle> context, cl_device_id device, std::string name,
                                  bool is_cpu, std::shared_ptr<const PinnedRanges> pinned);

}  // namespace vergence::gpu::opencl
