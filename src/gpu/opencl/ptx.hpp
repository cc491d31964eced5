// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's OpenCL makes of a program: the text of PTX, which the driver then translates for the card.
#pragma once

#include <cstddef>
#include <vector>

namespace vergence::gpu::opencl {

/// Asks for as many groups on a multiprocessor as fit where a work-item has so many registers, as prelude_cuda.h does
/// with __launch_bounds__: for every kernel in the text that requires a size of its groups. The compiler's own option,
/// -cl-nv-maxrregcount, is dropped without a word for such kernels. What is no PTX, and `registers` = 0, change
/// nothing.
std::vector<std::byte> limit_registers(std::vector<std::byte> program, int registers);

}  // namespace vergence::gpu::opencl
