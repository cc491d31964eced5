// SPDX-License-Identifier: Apache-2.0
// Means over frames.
#include "motion-cuda/cost.hpp"

#include <cmath>

namespace vergence::studies::motion_cuda {
namespace {

double rounded(double ms) { return std::round(ms * 1e4) / 1e4; }

}  // namespace

Json counts_of(const std::vector<FrameCost>& costs) {
  FrameCost mean;
  for (const FrameCost& cost : costs) {
    mean.split += cost.split;
    mean.reconstruct += cost.reconstruct;
    mean.wall += cost.wall;
  }
  const double share = 1 / static_cast<double>(costs.size());
  const HostSplit split = mean.split.scaled(share);
  return Json{{"launch_ms", rounded(split.launch)},
              {"copy_ms", rounded(split.copy)},
              {"wait_ms", rounded(split.wait)},
              {"cpu_ms", rounded(mean.wall * share - split.launch - split.copy - split.wait)},
              {"reconstruct_ms", rounded(mean.reconstruct * share)},
              {"launches", split.launches},
              {"copies", split.copies}};
}

void add_sizes(Json& counts, const Clip& clip, int frames, std::size_t searched, std::uint64_t residue) {
  counts["search"] = "";
  counts["frames"] = frames;
  counts["blocks"] = clip.block_count();
  counts["searched"] = searched;
  counts["residue"] = residue;
}

}  // namespace vergence::studies::motion_cuda
