// SPDX-License-Identifier: Apache-2.0
// Launches of search.cl: a group for each block, level by level where the search has levels.
#include "gpu/motion/search.hpp"

#include <algorithm>
#include <array>

#include "definitions/motion/block.h"
#include "definitions/motion/pyramid.h"
#include "definitions/motion/tz.h"
#include "gpu/motion/exhaustive.hpp"
#include "gpu/motion/full_sad.hpp"
#include "gpu/motion/walk.hpp"
#include "plan/motion/candidate.hpp"

namespace vergence::gpu {
namespace {

std::size_t count(Size grid) { return static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height); }

std::size_t row_bytes(Size size, std::size_t pixel_bytes) {
  return (static_cast<std::size_t>(size.width) * pixel_bytes + 15) / 16 * 16;
}

MotionRange on_level(MotionRange range, int level) {
  return {definitions::coarse_range(range.first, level), definitions::coarse_range(range.last, level)};
}

Size cell_of(Size block, int level) {
  return {definitions::tz_cell(block.width, level), definitions::tz_cell(block.height, level)};
}

}  // namespace

shared::FrameArguments frame_arguments(const MotionLevel& frames) {
  return {.width = frames.size.width, .height = frames.size.height, .pitch = frames.pitch};
}
shared::LevelArguments level_arguments(const MotionLevel& frames, MotionRange x, MotionRange y, bool predicted) {
  return {.frame = frame_arguments(frames),
          .first_x = x.first,
          .last_x = x.last,
          .first_y = y.first,
          .last_y = y.last,
          .predicted = predicted ? 1 : 0};
}

MotionLevel::MotionLevel(Size level_size, std::size_t pixel_bytes)
    : size(level_size), pitch(static_cast<int>(row_bytes(size, pixel_bytes) / pixel_bytes)) {}
MotionLevel::MotionLevel(Size level_size, std::size_t pixel_bytes, Device& device)
    : MotionLevel(level_size, pixel_bytes) {
  current = device.allocate(bytes(size, pixel_bytes));
  reference = device.allocate(bytes(size, pixel_bytes));
}
std::size_t MotionLevel::bytes(Size size, std::size_t pixel_bytes) {
  // Words are read whole, up to 7 bytes behind the last pixel.
  return row_bytes(size, pixel_bytes) * static_cast<std::size_t>(size.height) + 16;
}

MotionBuffers::MotionBuffers(Size blocks, Device& device) : grid(blocks) {
  const std::size_t n = count(grid);
  for (auto* one : {&predictions, &vectors}) *one = device.allocate(4 * n);
  for (auto* one : {&coarse[0], &coarse[1]}) *one = device.allocate(4 * n);
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
  exhaustive_ = make_exhaustive(plan_, block_, programs, tuning_, false);
  if (exhaustive_ != nullptr) return;
  const MotionOptions& o = plan_.options;
  if (StepGrids::serves(plan_, block_, programs.device().properties(), tuning_)) {
    grids_ = std::make_unique<StepGrids>(plan_, block_, programs, tuning_);
    return;
  }
  const int coarse = coarse_levels(plan_);
  if (Walk::serves(plan_, tuning_))
    for (int level = 0; level < std::max(coarse, 1); ++level)
      walks_.emplace_back(plan_, block_, level, programs, tuning_);
  if (o.search == MotionSearch::tz && coarse > 0) prepare_coarsest(programs);
  if (walks_.empty() || (coarse > 0 && coarsest_ == nullptr)) prepare_search(programs);
}
BlockSearch::BlockSearch(BlockSearch&&) noexcept = default;
BlockSearch::~BlockSearch() = default;

void BlockSearch::prepare_search(Programs& programs) {
  const MotionOptions& o = plan_.options;
  search_ = &programs.kernel(
      "motion/search.cl",
      block_defines(plan_, block_, tuning_, programs.device().properties())
          .set("SEARCH", static_cast<int>(o.search))
          .set("LAMBDA", o.lambda)
          .set("FARTHEST",
               o.search == MotionSearch::tz ? definitions::tz_farthest(o.levels, plan_.farthest) : plan_.farthest)
          .set("MERGED", merged_rounds(o.step_grid))
          // The published grid of 13x13 misses the outermost ring of 15x15.
          .set("WIDEST_GRID", o.step_grid == MotionStepGrid::g13x13 ? 6 : 7),
      "search");
}

void BlockSearch::prepare_coarsest(Programs& programs) {
  const int level = plan_.options.levels;
  MotionPlan plan = plan_;
  for (int i = 0; i < level; ++i)
    plan.size = {definitions::half_side(plan.size.width), definitions::half_side(plan.size.height)};
  plan.options.search = MotionSearch::full;
  plan.options.lambda = 0;
  plan.options.range_x = on_level(plan.options.range_x, level);
  plan.options.range_y = on_level(plan.options.range_y, level);
  const Size cell = cell_of(block_, level);
  if (cell.width % 4 != 0 || cell.height % 4 != 0) return;
  MotionTuning tuning = tuning_;
  tuning.eliminate = false;  // its launches would take longer than all sums of a small level
  if (!FullSad::serves(plan, cell, programs.device().properties(), tuning)) return;
  coarsest_ = std::make_unique<FullSad>(plan, cell, programs, tuning, false);
  coarsest_buffers_ = std::make_unique<MotionBuffers>(grid_of(level, plan.size), programs.device());
}

Size BlockSearch::grid_of(int level, Size size) const {
  const Size one = level > 0 && plan_.options.search == MotionSearch::tz ? cell_of(block_, level) : block_;
  return {definitions::block_count(size.width, one.width), definitions::block_count(size.height, one.height)};
}

void BlockSearch::prepare_second(Programs& programs) {
  if (exhaustive_ != nullptr && second_ == nullptr) second_ = make_exhaustive(plan_, block_, programs, tuning_, true);
}

void BlockSearch::run(Queue& queue, const std::vector<MotionLevel>& levels, MotionBuffers& buffers, bool predicted,
                      bool want_second) const {
  if (exhaustive_ != nullptr) {
    exhaustive_->run(queue, levels.front(), buffers, predicted);
    if (want_second) second_->run(queue, levels.front(), buffers, predicted);
    return;
  }
  if (grids_ != nullptr) {
    grids_->run(queue, {levels.front(), buffers, *buffers.coarse[0], *buffers.coarse[1], predicted});
    return;
  }
  const MotionOptions& o = plan_.options;
  const int coarse = coarse_levels(plan_);
  const bool is_cells = o.search == MotionSearch::tz;
  const Buffer* coarser = buffers.coarse[0].get();
  for (int level = coarse; level >= 0; --level) {
    const MotionLevel& frames = levels[static_cast<std::size_t>(level)];
    if (level == coarse && coarsest_ != nullptr) {
      coarsest_->run(queue, frames, *coarsest_buffers_, false);
      coarser = coarsest_buffers_->vectors.get();
      continue;
    }
    // What is read is never what is written: cells look at their neighbours' vectors.
    const Buffer& here = *buffers.coarse[static_cast<std::size_t>(level % 2)];
    if (level == coarse) coarser = buffers.coarse[static_cast<std::size_t>(1 - level % 2)].get();
    if (static_cast<std::size_t>(level) < walks_.size()) {
      walks_[static_cast<std::size_t>(level)].run(queue, {frames, buffers, *coarser, here, predicted});
      coarser = &here;
      continue;
    }
    const shared::SearchArguments scalars{.level = level_arguments(frames, on_level(o.range_x, level),
                                                                   on_level(o.range_y, level), predicted && level == 0),
                                          .frame_width = plan_.size.width,
                                          .frame_height = plan_.size.height,
                                          .number = level,
                                          .coarsest = coarse,
                                          .want_second = want_second ? 1 : 0};
    const std::array<Argument, 10> arguments{
        *frames.current,  *frames.reference, *buffers.predictions, *coarser,        here,
        *buffers.vectors, *buffers.costs,    *buffers.j,           *buffers.second, scalars};
    const Size grid = is_cells ? grid_of(level, frames.size) : buffers.grid;
    queue.launch(*search_, {static_cast<std::size_t>(grid.width), static_cast<std::size_t>(grid.height), 1},
                 {static_cast<std::size_t>(group_), 1, 1}, arguments);
    coarser = &here;
  }
}

}  // namespace vergence::gpu
