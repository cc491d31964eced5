// SPDX-License-Identifier: Apache-2.0
// The stencil on the processor without OpenCL: the scalar program, and this library's filter on 1 to all threads.
#pragma once

#include <vector>

#include "stencil-energy/effort.hpp"
#include "stencil-energy/variant.hpp"

namespace vergence::studies::stencil_energy {

/// What runs on the processor.
struct HostRow {
  std::string name;  ///< "C", "C restrict", "ours".
  int threads = 1;
};
/// Both scalar programs, and the filter on 1, 2, 4, ... and all threads.
std::vector<HostRow> host_rows();
Cell measure_host(const Effort& effort, Joules& joules, const Pictures& pictures, const HostRow& row, bool with_energy);

/// The processor: its name, threads, caches, and what one core can do with vectors of 256 bits.
Json host_limits();

}  // namespace vergence::studies::stencil_energy
