// SPDX-License-Identifier: Apache-2.0
// Validation of motion options against a frame size, for all devices at once, and what follows from them.
#include "plan/motion/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/option_checks.hpp"
#include "definitions/motion/block.h"
#include "definitions/motion/rate.h"
#include "plan/motion/fields.hpp"
#include "plan/motion/limits.hpp"

namespace vergence {
namespace {

using namespace option_checks;  // NOLINT(google-build-using-namespace): this file is made of them

void check_combinations(const MotionOptions& o) {
  const MotionRange none{0, 0};
  if (o.range_x == none && o.range_y == none)
    refuse("range", "range is 0 in x and y: there is nothing to search, allow at least one pixel on one axis");
  if (o.search == MotionSearch::hierarchical && o.levels < 1)
    refuse("levels", fmt::format("levels is {}: allowed are 1 .. 5 for search hierarchical", o.levels));
}

std::uint64_t largest_cost(MotionCost cost, Size block, int max_pixel) {
  const auto pixel = static_cast<std::uint64_t>(max_pixel);
  const auto area = static_cast<std::uint64_t>(block.width) * static_cast<std::uint64_t>(block.height);
  switch (cost) {
    case MotionCost::sad:
      return pixel * area;
    case MotionCost::ssd:
      return pixel * pixel * area;
    case MotionCost::satd:
      break;
  }
  // The coefficients of an n x n tile keep n^2 times the differences' energy, so the sum of their absolute values is at
  // most n^3 x pixel: (512 x pixel + 2) >> 2 and (64 x pixel + 1) >> 1 are twice the pixels' sum.
  return 2 * pixel * area;
}

MotionPlan make_plan(Size size, const MotionOptions& options, bool all_sizes) {
  check_size("frame", size, 4);
  motion_table().check(options, size);
  check_combinations(options);

  MotionPlan plan;
  plan.options = options;
  plan.size = size;
  plan.all_sizes = all_sizes;
  if (all_sizes)
    for (const int side : MotionSizesEstimator::sides) plan.blocks.push_back({side, side});
  else
    plan.blocks = {options.block};
  for (const Size block : plan.blocks)
    plan.grids.push_back(
        {definitions::block_count(size.width, block.width), definitions::block_count(size.height, block.height)});
  plan.farthest =
      std::max({-options.range_x.first, options.range_x.last, -options.range_y.first, options.range_y.last});
  plan.max_pixel = options.depth == Depth::u8 ? 255 : options.max_value;
  plan.max_cost = largest_cost(options.cost, plan.blocks.back(), plan.max_pixel);
  // Vectors and their predictions are at most `most_motion_px` px long, in quarter pixels.
  const int most_bits = 2 * definitions::component_bits(-2 * 4 * most_motion_px);
  plan.max_j = plan.max_cost + definitions::motion_rate(options.lambda, most_bits);
  return plan;
}

}  // namespace

PlaneScale scale_of(MotionPlane plane) {
  switch (plane) {
    case MotionPlane::luma:
      return {};
    case MotionPlane::chroma_420:
      return {false, 1, 1};
    case MotionPlane::chroma_422:
      return {false, 1, 0};
    case MotionPlane::chroma_444:
      return {false, 0, 0};
  }
  refuse("plane", fmt::format("plane has the unknown value {}", static_cast<int>(plane)));
}

Size plane_size(Size luma, const PlaneScale& scale) {
  return {(luma.width + scale.x) >> scale.x, (luma.height + scale.y) >> scale.y};
}

MotionPlan make_motion_plan(Size size, const MotionOptions& options) { return make_plan(size, options, false); }

MotionSizesOptions sizes_options(const MotionOptions& options) {
  const MotionOptions& o = options;
  return {o.cost, o.range_x, o.range_y, o.border, o.lambda, o.subpel, o.depth, o.max_value};
}
MotionOptions motion_options(const MotionSizesOptions& options) {
  MotionOptions all;
  all.search = MotionSearch::full;
  all.block = {MotionSizesEstimator::sides.front(), MotionSizesEstimator::sides.front()};
  all.cost = options.cost;
  all.range_x = options.range_x;
  all.range_y = options.range_y;
  all.border = options.border;
  all.lambda = options.lambda;
  all.subpel = options.subpel;
  all.depth = options.depth;
  all.max_value = options.max_value;
  return all;
}

MotionPlan make_motion_sizes_plan(Size size, const MotionSizesOptions& options) {
  return make_plan(size, motion_options(options), true);
}

}  // namespace vergence
