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

namespace vergence {
namespace {

using namespace option_checks;  // NOLINT(google-build-using-namespace): this file is made of them

/// NaN is in no range.
void check_real(const char* field, double value, double low, double high) {
  if (!(value >= low && value <= high)) refuse(fmt::format("{} is {}: allowed are {} .. {}", field, value, low, high));
}

void check_window(Size size, int window) {
  const bool odd = window >= 3 && window <= 63 && window % 2 == 1;
  const bool even = window == 8 || window == 16 || window == 32 || window == 48;
  if (!odd && !even) refuse(fmt::format("window is {}: allowed are odd numbers 3 .. 63, and 8, 16, 32, 48 px", window));
  if (window >= size.width || window >= size.height)
    refuse(fmt::format("window is {}, but the frame is {}x{}: both sides must exceed the window, use a smaller one",
                       window, size.width, size.height));
}

void check_detection(Size size, const TrackOptions& o) {
  check_range("points", o.points, 0, 1000000);
  check_range("refill", o.refill, 1, 100);
  check_range("harris-k", o.harris_k, 1, 25);
  if (o.block != 3 && o.block != 5 && o.block != 7) refuse(fmt::format("block is {}: allowed are 3, 5, 7 px", o.block));
  if (!(o.quality >= 0 && o.quality < 1)) refuse(fmt::format("quality is {}: allowed are 0 .. below 1", o.quality));
  check_range("min-distance", o.min_distance, 0, 65535);
  if (o.grid.width < 1 || o.grid.height < 1 || o.grid.width > 256 || o.grid.height > 256)
    refuse(fmt::format("grid is {}x{}: allowed are 1x1 .. 256x256 cells", o.grid.width, o.grid.height));
  if (!o.roi) return;
  const Rect roi = *o.roi;
  const bool inside = roi.x >= 0 && roi.y >= 0 && roi.width >= 1 && roi.height >= 1 && roi.x < size.width &&
                      roi.y < size.height && roi.width <= size.width - roi.x && roi.height <= size.height - roi.y;
  if (!inside)
    refuse(fmt::format("roi is {},{},{},{}: it must have a pixel and lie inside the {}x{} frame", roi.x, roi.y,
                       roi.width, roi.height, size.width, size.height));
}

void check_flow(const TrackOptions& o) {
  check_range("levels", o.levels, 0, 8);
  check_range("iterations", o.iterations, 1, 1000);
  check_real("epsilon", o.epsilon, 0, 1);
  check_real("min-eigen", o.min_eigen, 0, 1e6);
  check_real("max-residual", o.max_residual, 0, 65535);
  check_real("forward-backward", o.forward_backward, 0, 65535);
  check_real("min-separation", o.min_separation, 0, 65535);
  check_range("history", o.history, 1, 65536);
  check_range("max-value", o.max_value, 1, 65535);
}

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
  plan.back_limit = square_units(o.forward_backward);
  if (o.max_residual > 0) plan.residual_limit = static_cast<std::uint32_t>(std::floor(o.max_residual * 1024));
}

}  // namespace

TrackPlan make_track_plan(Size size, const TrackOptions& options) {
  check_enum("corner", options.corner, TrackCorner::harris);
  check_enum("guess", options.guess, TrackGuess::velocity);
  check_enum("depth", options.depth, Depth::u16);
  check_size("frame", size, 1);
  check_window(size, options.window);
  check_detection(size, options);
  check_flow(options);
  TrackPlan plan;
  plan.options = options;
  plan.size = size;
  plan.roi = options.roi.value_or(Rect{0, 0, size.width, size.height});
  derive_levels(plan);
  derive_units(plan);
  return plan;
}

}  // namespace vergence
