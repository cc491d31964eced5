// SPDX-License-Identifier: Apache-2.0
// How many rows a group slides its windows down.
#pragma once

#include <algorithm>
#include <cmath>

#include "gpu/grid.hpp"

namespace vergence::gpu {

/// Groups of so many work-items, of so many registers each, that are at work on a multiprocessor at a time.
inline int groups_of(int threads, int registers) { return std::max(1, 65536 / (threads * registers)); }

/// Rows that keep all multiprocessors equally long at work: few waves of groups, so many of them on a multiprocessor at
/// a time, and not too many rows that only start windows, which cost as much as `starting` others. The slowest group
/// takes longer than others by the part `spread`.
inline int rows_for(Size size, int step, double starting, double spread, int groups_at_once,
                    const Properties& properties) {
  const double places = std::max(properties.compute_units, 1) * groups_at_once;
  const auto across = static_cast<double>(groups_for(size.width, step));
  int best = 1;
  double best_time = 0;
  for (int rows = 128; rows >= 2; --rows) {
    const double waves = std::ceil(across * static_cast<double>(groups_for(size.height, rows)) / places);
    const double time = (waves + spread) * (rows + starting);
    if (best == 1 || time < best_time) {
      best = rows;
      best_time = time;
    }
  }
  return best;
}

}  // namespace vergence::gpu
