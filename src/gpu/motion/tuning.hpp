// SPDX-License-Identifier: Apache-2.0
// Launch configurations of motion searches, which change speed and nothing else, and the table of entries that
// `vergence tune` tries.
#pragma once

#include <vector>

#include "backend/tuning.hpp"
#include "gpu/device.hpp"
#include "gpu/tuning.hpp"
#include "plan/motion/plan.hpp"

namespace vergence::gpu {

struct MotionTuning {
  int group = 128;            ///< Work-items of a group that has a block, at most the device's largest; a power of two.
  bool serial = false;        ///< One work-item of a group compares what all have found: for CPUs.
  bool tiles = true;          ///< full_sad.cl, where the settings allow it.
  int tile_columns = 0;       ///< Columns of candidates of a group of it; 0 = what wastes least.
  int tile_slabs = 0;         ///< Work-items of a column; 0 = what wastes least.
  int tile_tall = 0;          ///< Rows of candidates of a work-item, at most 16; 0 = what wastes least.
  int tile_chunk = 0;         ///< Rows of the block at once, a multiple of 4; 0 = what suits the block.
  int tile_group = 256;       ///< Most work-items of a group of it.
  int tile_registers = 0;     ///< Of a work-item of it; 0 = what suits the kernel.
  bool eliminate = true;      ///< elimination.cl before it, where the settings allow it.
  int eliminate_group = 256;  ///< Work-items of a group of it, about.
  int eliminate_left = 2048;  ///< Candidates of a block that may be left by cells, or full_sad.cl gets it.
  int eliminate_pixels = 1024;   ///< Of a block, at least: for smaller ones all sums are as fast.
  int eliminate_registers = 48;  ///< Of a work-item of it; 0 = as many as the compiler likes.
  bool sizes = true;             ///< all_sizes.cl, where the settings allow it; else a search for each size.
  int sizes_columns = 0;         ///< Of it, as for tiles: columns of candidates, work-items of a column,
  int sizes_slabs = 0;
  int sizes_tall = 0;       ///< rows of candidates of a work-item,
  int sizes_group = 256;    ///< most work-items of a group,
  int sizes_registers = 0;  ///< registers; 0 = what suits the kernel.
  bool matrices = true;     ///< full_ssd.cl, where the settings and the device allow it.
  bool walk = true;         ///< walk.cl and step_grid.cl, where the settings allow it.
  int walk_rows = 8;        ///< Most rows of a block that a work-item of walk.cl has; a power of two.
  int grid_chunk = 16;      ///< Rows at once of step_grid.cl; a power of two, 4 at least.
};

/// full_sad.cl, all_sizes.cl, walk.cl and step_grid.cl want an instruction that sums differences of bytes: NVIDIA's
/// GPUs have it.
inline MotionTuning default_motion_tuning(const Properties& properties) {
  MotionTuning tuning;
  if (properties.is_cpu) tuning.group = 64;
  tuning.serial = properties.is_cpu;
  tuning.tiles = tuning.sizes = tuning.walk = properties.is_nvidia;
  return tuning;
}

/// What is tuned apart: the exhaustive search by SAD of bytes, which has a kernel of its own, and all others.
const std::vector<TunedEntry<MotionTuning>>& motion_entries();

backend::Tuning numbers_of(const MotionTuning& tuning);

/// What was requested of the plan's entry, else what was kept for it, else the default.
MotionTuning best_tuning(const MotionPlan& plan, const Device& device, const RequestedTuning& requested = {});

}  // namespace vergence::gpu
