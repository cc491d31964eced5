// SPDX-License-Identifier: Apache-2.0
// Which blocks of a frame the device and the host search.
#pragma once

#include <vector>

#include "motion-cuda/encode.hpp"

namespace vergence::studies::motion_cuda {

/// Blocks of one kind of which a part is searched.
struct Share {
  std::vector<int> all, searched;
  double factor() const {
    return searched.empty() ? 0 : static_cast<double>(all.size()) / static_cast<double>(searched.size());
  }
};

/// Who searches which blocks.
struct Plan {
  Share device, host;
};

/// Of frame `step`. A rung with a launch for each candidate searches others in each frame, where it does not search
/// all.
Plan plan_of(const Clip& clip, const Variant& variant, const Effort& effort, int step);

}  // namespace vergence::studies::motion_cuda
