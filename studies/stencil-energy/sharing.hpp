// SPDX-License-Identifier: Apache-2.0
// What it costs to bring a frame to an OpenCL device and its result back: copies, memory of the driver's that the host
// maps, and the host's own memory.
#pragma once

#include "common/study.hpp"
#include "stencil-energy/effort.hpp"

namespace vergence::studies::stencil_energy {

/// A frame of the paper's sizes, blurred in one pass, by each of the three ways.
void run_sharing(Context& context, Bench& bench, const Effort& effort);

}  // namespace vergence::studies::stencil_energy
