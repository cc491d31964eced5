// SPDX-License-Identifier: Apache-2.0
// A plan: motion options that have been checked against a frame size, and everything that follows from them.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/motion/maps.hpp"
#include "vergence/motion.hpp"

namespace vergence {

struct MotionPlan {
  MotionOptions options;
  Size size;
  /// All sizes of square blocks in one pass; `options` then says search full and blocks of 8x8.
  bool all_sizes = false;
  /// Block sizes to be searched: options.block, or all of MotionSizesEstimator::sides.
  std::vector<Size> blocks;
  /// Blocks per row and column, for each of `blocks`.
  std::vector<Size> grids;
  /// The farthest displacement of both ranges, in px.
  int farthest = 0;
  /// Largest value of a pixel.
  int max_pixel = 255;
  /// Largest distortion of a block of the largest size, and largest J.
  std::uint64_t max_cost = 0;
  std::uint64_t max_j = 0;
};

/// How a plane lies to the luma: halved in x and y (1) or not (0).
struct PlaneScale {
  bool is_luma = true;
  int x = 0;
  int y = 0;
};
PlaneScale scale_of(MotionPlane plane);
Size plane_size(Size luma, const PlaneScale& scale);

/// Checks every field (throws Error naming field, value and range) and derives the plan.
MotionPlan make_motion_plan(Size size, const MotionOptions& options);
MotionPlan make_motion_sizes_plan(Size size, const MotionSizesOptions& options);

}  // namespace vergence
