// SPDX-License-Identifier: Apache-2.0
// What PoCL, the OpenCL driver for processors, needs of its surroundings, and does not say or does not survive.
#pragma once

#include <string>
#include <string_view>

namespace vergence::gpu::opencl {

/// Whether a device with this CL_DEVICE_VERSION is one of PoCL.
bool is_pocl(std::string_view version);

/// Why PoCL cannot compile for a processor here, with the cure; "" where nothing is known to be missing. It calls the
/// linker, and ends the process where there is none.
std::string pocl_refusal();

/// The folder that PoCL would keep its kernels in, where neither it nor the folder above it can be written.
std::string unusable_cache_folder();

}  // namespace vergence::gpu::opencl
