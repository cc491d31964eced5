// SPDX-License-Identifier: Apache-2.0
// Validation of track options against a frame size, for all devices at once, and what follows from them.
#include "plan/track/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/option_checks.hpp"
#include "definitions/motion/pyramid.h"
#include "definitions/track/position.h"
#include "definitions/track/scale.h"
#include "plan/track/fields.hpp"

namespace vergence {
namespace {

/// The square of a length in px, in position units, rounded down.
std::int64_t square_units(double pixels) {
  const double units = pixels * definitions::position_units();
  return static_cast<std::int64_t>(std::floor(units * units));
}

void derive_levels(TrackPlan& plan) {
  Size level = plan.size;
  plan.levels = {level};
  while (plan.top() < plan.options.levels) {
    level = {definitions::half_side(level.width), definitions::half_side(level.height)};
    if (level.width <= plan.options.window || level.height <= plan.options.window) break;
    plan.levels.push_back(level);
  }
}

void derive_units(TrackPlan& plan) {
  const TrackOptions& o = plan.options;
  const int largest = o.depth == Depth::u8 ? 255 : o.max_value;
  const int depth = definitions::track_depth(largest);
  plan.dropped_bits = definitions::dropped_bits(largest);
  plan.gradient_shift = definitions::gradient_shift(depth);
  plan.patch_shift = definitions::patch_shift(depth);
  plan.patch_scale = definitions::patch_scale(depth);
  plan.corner_shift = definitions::corner_shift(depth);
  // Gradients have 32 >> gradient_shift units a grey level of pixel and px; at 8 bits both scales are 32.
  const double gradient_scale = 32 >> plan.gradient_shift;
  plan.step_unit = definitions::position_units() * gradient_scale / plan.patch_scale;
  const double to_8_bits = gradient_scale / 32 * (1 << (depth - 8));
  plan.eigen_limit = o.min_eigen * 2 * o.window * o.window * 1048576 * to_8_bits * to_8_bits;
  plan.short_step = square_units(o.epsilon);
  plan.separation = square_units(o.min_separation);
  plan.distance = square_units(o.min_distance);
  if (o.forward_backward > 0) plan.back_limit = static_cast<std::uint32_t>(square_units(o.forward_backward));
  const int levels_per_8_bit_level = 1 << (depth + plan.dropped_bits - 8);
  if (o.max_residual > 0)
    plan.residual_limit = static_cast<std::uint32_t>(std::floor(o.max_residual * levels_per_8_bit_level * 1024));
}

}  // namespace

TrackPlan make_track_plan(Size size, const TrackOptions& options) {
  option_checks::check_size("frame", size, 1);
  track_table().check(options, size);
  TrackPlan plan;
  plan.options = options;
  plan.size = size;
  plan.roi = options.roi.value_or(Rect{0, 0, size.width, size.height});
  derive_levels(plan);
  derive_units(plan);
  return plan;
}

}  // namespace vergence
