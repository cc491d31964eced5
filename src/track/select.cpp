// SPDX-License-Identifier: Apache-2.0
// The choice among corners. It is serial, since each choice excludes later ones near it, and the same for all devices.
#include "track/select.hpp"

#include <algorithm>

#include "definitions/track/position.h"

namespace vergence {

std::vector<TrackPosition> CornerSelection::select(const TrackPlan& plan, std::vector<backend::Corner>& corners,
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
  neighbours_.restart(plan.size, plan.distance);
  counts_.assign(cells, 0);
  for (const TrackPosition at : occupied) {
    neighbours_.add(at);
    ++counts_[cell_of(at)];
  }

  std::vector<TrackPosition> chosen;
  // Few of many corners are chosen: they are put in order part by part, as far as they are looked at.
  auto sorted = corners.begin();
  std::size_t part = std::max<std::size_t>(2 * most, 256);
  for (auto corner = corners.begin(); corner != corners.end() && chosen.size() < most; ++corner) {
    if (corner == sorted) {
      const auto left = static_cast<std::size_t>(corners.end() - sorted);
      const auto end = sorted + static_cast<std::ptrdiff_t>(std::min(part, left));
      if (end != corners.end()) std::nth_element(sorted, end, corners.end(), backend::is_better);
      std::sort(sorted, end, backend::is_better);
      sorted = end;
      part *= 2;
    }
    const TrackPosition at{corner->x * definitions::position_units(), corner->y * definitions::position_units()};
    std::size_t& count = counts_[cell_of(at)];
    if (count >= quota || !neighbours_.is_free(at)) continue;
    ++count;
    neighbours_.add(at);
    chosen.push_back(at);
  }
  return chosen;
}

}  // namespace vergence
