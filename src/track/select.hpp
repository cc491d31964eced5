// SPDX-License-Identifier: Apache-2.0
// Which corners become points: the best ones that keep their distance and the quota of their cell of the grid.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backend/track.hpp"
#include "plan/track/plan.hpp"
#include "track/best_first.hpp"
#include "track/near_pixels.hpp"

namespace vergence {

class CornerSelection {
 public:
  /// At most `most` of the corners, best first. `occupied` are points that exist.
  std::vector<TrackPosition> select(const TrackPlan& plan, const std::vector<backend::Corner>& corners,
                                    std::size_t most, std::span<const TrackPosition> occupied);
  std::size_t bytes() const { return best_first_.bytes() + near_.bytes() + counts_.capacity() * sizeof(std::size_t); }

 private:
  BestFirst best_first_;
  NearPixels near_;
  std::vector<std::size_t> counts_;  ///< points per cell of the grid
};

}  // namespace vergence
