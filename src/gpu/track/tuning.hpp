// SPDX-License-Identifier: Apache-2.0
// Launch configurations of tracks, which change speed and nothing else, and the table of entries that `vergence tune`
// tries.
#pragma once

#include <algorithm>
#include <vector>

#include "backend/tuning.hpp"
#include "gpu/device.hpp"
#include "gpu/tuning.hpp"

namespace vergence::gpu {

struct TrackTuning {
  int lanes = 0;      ///< Work-items that have a point; 0 = what suits the window.
  int fours = 4;      ///< With lanes 0: how many times four samples a work-item is to have at most.
  int registers = 0;  ///< Of a work-item that has part of a point; 0 = as many as the compiler likes.
  int pass = 4;       ///< Levels that are prepared in one pass, at most: 1 to 4.
  /// Pixels of a pass's first level that a group has; multiples of 2 << pass and, across, of 16. Fewer rows where local
  /// memory asks so.
  int tile_width = 64, tile_height = 64;
  int threads = 256;  ///< Work-items of a group that prepares.
};

/// On CPUs one work-item has a point: groups are loops there.
inline TrackTuning default_track_tuning(const Properties& properties) {
  TrackTuning tuning;
  if (properties.is_cpu) {
    tuning.lanes = 1;
    tuning.pass = 1;  // each level by itself does no work twice
    tuning.tile_width = 256, tuning.tile_height = 8, tuning.threads = 64;
  }
  if (properties.is_nvidia) tuning.registers = 128;  // more of them leave room for fewer points at a time
  return tuning;
}

/// Work-items of a point: whole warps.
inline int track_lanes(const TrackTuning& tuning, int window, const Properties& properties) {
  if (tuning.lanes > 0) return tuning.lanes;
  const int fours = (window + 3) / 4 * window, warps = (fours + 32 * tuning.fours - 1) / (32 * tuning.fours);
  return std::min(32 * warps, static_cast<int>(properties.largest_group) / 32 * 32);
}

/// What is tuned apart: pyramid and gradients ("track-prepare": pass, tile and threads), and points ("track-points":
/// the other fields).
const std::vector<TunedEntry<TrackTuning>>& track_entries();

/// What was requested of one entry, what was kept for the other or both, else the default.
TrackTuning best_track_tuning(const Device& device, const RequestedTuning& requested = {});

}  // namespace vergence::gpu
