// SPDX-License-Identifier: Apache-2.0
// How the work of tracks is cut; changes speed and nothing else.
#pragma once

#include <algorithm>

#include "gpu/device.hpp"

namespace vergence::gpu {

struct TrackTuning {
  int lanes = 0;      ///< Work-items that have a point; 0 = what suits the window.
  int fours = 4;      ///< With lanes 0: how many times four samples a work-item is to have at most.
  int rows = 2;       ///< Rows of a work-item that prepares a level; even.
  int registers = 0;  ///< Of a work-item that has part of a point; 0 = as many as the compiler likes.
};

/// On processors one work-item has a point: groups are loops there.
inline TrackTuning default_track_tuning(const Properties& properties) {
  TrackTuning tuning;
  if (properties.is_cpu) tuning.lanes = 1, tuning.rows = 8;
  if (properties.is_nvidia) tuning.registers = 128;  // more of them leave room for fewer points at a time
  return tuning;
}

/// Work-items of a point: whole warps.
inline int track_lanes(const TrackTuning& tuning, int window, const Properties& properties) {
  if (tuning.lanes > 0) return tuning.lanes;
  const int fours = (window + 3) / 4 * window, warps = (fours + 32 * tuning.fours - 1) / (32 * tuning.fours);
  return std::min(32 * warps, static_cast<int>(properties.largest_group) / 32 * 32);
}

}  // namespace vergence::gpu
