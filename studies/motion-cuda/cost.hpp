// SPDX-License-Identifier: Apache-2.0
// What frames took, and how cells say it.
#pragma once

#include <vector>

#include "motion-cuda/clip.hpp"
#include "motion-cuda/device_search.hpp"

namespace vergence::studies::motion_cuda {

/// What a frame took, extrapolated to all of its blocks.
struct FrameCost {
  double wall = 0, reconstruct = 0;
  HostSplit split;
  gpu::Timing device;
};

/// Means over the frames, in ms per frame.
Json counts_of(const std::vector<FrameCost>& costs);
/// Of cells of one search: residues over the same frames can be compared.
void add_sizes(Json& counts, const Clip& clip, int frames, std::size_t searched, std::uint64_t residue);

}  // namespace vergence::studies::motion_cuda
