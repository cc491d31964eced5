// SPDX-License-Identifier: Apache-2.0
// Searches by SAD on bytes that look at few candidates at a time, for devices that sum differences of bytes fast.
#pragma once

#include <vector>

#include "gpu/motion/search.hpp"

namespace vergence::gpu {

/// What a search of one level reads and writes.
struct WalkFrame {
  const MotionLevel& frames;
  MotionBuffers& buffers;
  const Buffer& coarser;  ///< Vectors of the coarser level, where there is one.
  const Buffer& here;     ///< Those of this one, unless it is the finest.
  bool predicted;
};

/// walk.cl: one level of tz or hierarchical, or all of diamond, hexagon and step with its plain grid.
class Walk {
 public:
  /// `level` is finer than the coarsest of a search that has coarse levels.
  static bool serves(const MotionPlan& plan, const MotionTuning& tuning);
  Walk(const MotionPlan& plan, Size block, int level, Programs& programs, const MotionTuning& tuning);
  void run(Queue& queue, const WalkFrame& frame) const;

 private:
  Size frame_, grid_;
  MotionRange range_x_, range_y_;
  int group_;
  bool is_finest_;
  const Kernel* walk_;
};

/// step_grid.cl: step with grids that do several rounds at once.
class StepGrids {
 public:
  static bool serves(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning);
  StepGrids(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning);
  void run(Queue& queue, const WalkFrame& frame) const;

 private:
  MotionRange range_x_, range_y_;
  int group_;
  const Kernel* search_;
};

}  // namespace vergence::gpu
