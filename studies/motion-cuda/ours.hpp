// SPDX-License-Identifier: Apache-2.0
// The library's own motion on the same frames, and what pinning memory is worth.
#pragma once

#include "motion-cuda/clip.hpp"
#include "vergence/motion.hpp"

namespace vergence::studies::motion_cuda {

/// A search of MotionEstimator that stands beside the paper's.
struct OurSearch {
  const char* name;  ///< "full", "step 3x3"
  MotionOptions options;
};
/// With blocks and range as the other rungs have them.
std::vector<OurSearch> our_searches(const Geometry& geometry);

/// A cell per search for each of: one core, all cores, and the device. Vectors of all three are compared.
std::vector<Cell> encode_ours(const std::string& device, const Clip& clip, int rounds);

/// Copies of 1 KiB and on, four times as large each, up to `largest` bytes: ms up and down, least of `rounds`, pageable
/// and pinned (null where the API pins nothing).
Json transfers(const gpu::Opened& device, std::size_t largest, int rounds);

}  // namespace vergence::studies::motion_cuda
