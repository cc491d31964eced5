// SPDX-License-Identifier: Apache-2.0
// A plan: track options that have been checked against a frame size, and everything that follows from them.
#pragma once

#include <cstdint>
#include <vector>

#include "vergence/track.hpp"

namespace vergence {

struct TrackPlan {
  TrackOptions options;
  Size size;
  /// Sizes of all levels, that of the frame first; as many as are used.
  std::vector<Size> levels;
  /// The rules of definitions/track/scale.h for the frames' depth.
  int dropped_bits = 0;
  int gradient_shift = 0;
  int patch_shift = 0;
  int patch_scale = 0;
  int corner_shift = 0;
  /// What definitions/track/solve.h compares with, in its units.
  double eigen_limit = 0;
  double step_unit = 0;
  std::int64_t short_step = 0;
  /// Largest residual in TrackedPoint's unit; greatest way_back.
  std::uint32_t residual_limit = ~std::uint32_t{0};
  std::uint32_t back_limit = ~std::uint32_t{0};
  /// Squares of the separation of tracks and of new points, in position units.
  std::int64_t separation = 0;
  std::int64_t distance = 0;
  Rect roi;  ///< The frame where the options have none.

  int top() const { return static_cast<int>(levels.size()) - 1; }
};

/// Checks every field (throws Error naming field, value and range) and derives the plan.
TrackPlan make_track_plan(Size size, const TrackOptions& options);

}  // namespace vergence
