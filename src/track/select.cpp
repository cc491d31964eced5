// SPDX-License-Identifier: Apache-2.0
// The choice among corners. It is serial, since each choice excludes later ones near it, and the same for all devices.
#include "track/select.hpp"

#include <algorithm>

#include "definitions/track/position.h"

namespace vergence {

std::vector<TrackPosition> CornerSelection::select(const TrackPlan& plan, const std::vector<backend::Corner>& corners,
                                                   std::size_t most, std::span<const TrackPosition> occupied) {
  const Size grid = plan.options.grid;
  const auto cells = static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height);
  const std::size_t quota = (most + occupied.size() + cells - 1) / cells;
  const auto cell_of = [&](TrackPosition at) {
    const auto part = [](std::int32_t component, int side, int parts) {
      const std::int64_t pixel = std::clamp(definitions::whole_position(component), 0, side - 1);
      return static_cast<std::size_t>(pixel * parts / side);
    };
    return part(at.y, plan.size.height, grid.height) * static_cast<std::size_t>(grid.width) +
           part(at.x, plan.size.width, grid.width);
  };
  near_.restart(plan.size, plan.distance);
  counts_.assign(cells, 0);
  for (const TrackPosition at : occupied) {
    near_.add(at);
    ++counts_[cell_of(at)];
  }

  std::vector<TrackPosition> chosen;
  best_first_.restart(corners);
  while (chosen.size() < most) {
    const backend::Corner* const corner = best_first_.next();
    if (corner == nullptr) break;
    if (near_.holds(corner->x, corner->y)) continue;
    const TrackPosition at{corner->x * definitions::position_units(), corner->y * definitions::position_units()};
    std::size_t& count = counts_[cell_of(at)];
    if (count >= quota) continue;
    ++count;
    near_.add(corner->x, corner->y);
    chosen.push_back(at);
  }
  return chosen;
}

}  // namespace vergence
