// SPDX-License-Identifier: Apache-2.0
// Launches of search.cl: a group for each block, level by level where the search has levels.
#include "gpu/motion/search.hpp"

#include <algorithm>
#include <array>

#include "definitions/motion/pyramid.h"
#include "gpu/motion/full_sad.hpp"
#include "motion/candidate.hpp"

namespace vergence::gpu {
namespace {

std::size_t count(Size grid) { return static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height); }

}  // namespace

MotionLevel::MotionLevel(Size level_size, std::size_t pixel_bytes, Device& device) : size(level_size) {
  const std::size_t row = (static_cast<std::size_t>(size.width) * pixel_bytes + 15) / 16 * 16;
  pitch = static_cast<int>(row / pixel_bytes);
  // Words are read whole, up to 7 bytes behind the last pixel.
  const std::size_t bytes = row * static_cast<std::size_t>(size.height) + 16;
  current = device.allocate(bytes);
  reference = device.allocate(bytes);
}

MotionBuffers::MotionBuffers(Size blocks, Device& device) : grid(blocks) {
  const std::size_t n = count(grid);
  for (auto* one : {&predictions, &vectors, &coarse}) *one = device.allocate(4 * n);
  for (auto* one : {&costs, &j, &second}) *one = device.allocate(8 * n);
  confidences = device.allocate(n);
}

int block_group(const MotionTuning& tuning, const Properties& properties) {
  int group = 1;
  while (2 * group <= tuning.group && 2 * static_cast<std::size_t>(group) <= properties.largest_group) group *= 2;
  return group;
}

Defines block_defines(const MotionPlan& plan, Size block, const MotionTuning& tuning, const Properties& properties) {
  const MotionOptions& o = plan.options;
  Defines defines;
  defines.set("PIXEL", o.depth == Depth::u8 ? "uchar" : "ushort")
      .set("BYTES", o.depth == Depth::u8 ? 1 : 0)
      .set("SUM", plan.max_cost <= 0xFFFFFFFF ? "uint" : "uint64")
      .set("COST", static_cast<int>(o.cost))
      .set("PAD", o.border == MotionBorder::pad ? 1 : 0)
      .set("BLOCK_W", block.width)
      .set("BLOCK_H", block.height)
      .set("ROLLED", properties.is_cpu ? 1 : 0)
      .set("SERIAL", tuning.serial ? 1 : 0)
      .set("GROUP", block_group(tuning, properties));
  return defines;
}

int coarse_levels(const MotionPlan& plan) {
  const MotionSearch search = plan.options.search;
  return search == MotionSearch::tz || search == MotionSearch::hierarchical ? plan.options.levels : 0;
}

BlockSearch::BlockSearch(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning)
    : plan_(plan), block_(block), tuning_(tuning), group_(block_group(tuning, programs.device().properties())) {
  if (FullSad::serves(plan_, block_, programs.device().properties(), tuning_)) {
    full_sad_ = std::make_unique<FullSad>(plan_, block_, programs, tuning_, false);
    return;
  }
  const MotionOptions& o = plan_.options;
  search_ = &programs.kernel("motion/search.cl",
                             block_defines(plan_, block_, tuning_, programs.device().properties())
                                 .set("SEARCH", static_cast<int>(o.search))
                                 .set("LAMBDA", o.lambda)
                                 .set("FARTHEST", plan_.farthest)
                                 .set("MERGED", merged_rounds(o.step_grid))
                                 // The published grid of 13x13 misses the outermost ring of 15x15.
                                 .set("WIDEST_GRID", o.step_grid == StepGrid::g13x13 ? 6 : 7),
                             "search");
}
BlockSearch::BlockSearch(BlockSearch&&) noexcept = default;
BlockSearch::~BlockSearch() = default;

void BlockSearch::prepare_second(Programs& programs) {
  if (full_sad_ != nullptr && second_ == nullptr)
    second_ = std::make_unique<FullSad>(plan_, block_, programs, tuning_, true);
}

void BlockSearch::run(Queue& queue, const std::vector<MotionLevel>& levels, MotionBuffers& buffers, bool predicted,
                      bool want_second) const {
  if (full_sad_ != nullptr) {
    full_sad_->run(queue, levels.front(), buffers, predicted);
    if (want_second) second_->run(queue, levels.front(), buffers, predicted);
    return;
  }
  const MotionOptions& o = plan_.options;
  const int coarse = coarse_levels(plan_);
  // The search tz looks at the coarsest level alone.
  for (int level = coarse; level >= 0; level = o.search == MotionSearch::tz && level > 0 ? 0 : level - 1) {
    const MotionLevel& frames = levels[static_cast<std::size_t>(level)];
    const auto end = [level](int whole) { return definitions::coarse_range(whole, level); };
    const std::array<Argument, 21> arguments{*frames.current,
                                             *frames.reference,
                                             *buffers.predictions,
                                             *buffers.coarse,
                                             *buffers.vectors,
                                             *buffers.costs,
                                             *buffers.j,
                                             *buffers.second,
                                             plan_.size.width,
                                             plan_.size.height,
                                             frames.size.width,
                                             frames.size.height,
                                             frames.pitch,
                                             end(o.range_x.first),
                                             end(o.range_x.last),
                                             end(o.range_y.first),
                                             end(o.range_y.last),
                                             level,
                                             coarse,
                                             predicted ? 1 : 0,
                                             want_second ? 1 : 0};
    queue.launch(*search_,
                 {static_cast<std::size_t>(buffers.grid.width), static_cast<std::size_t>(buffers.grid.height), 1},
                 {static_cast<std::size_t>(group_), 1, 1}, arguments);
  }
}

}  // namespace vergence::gpu
