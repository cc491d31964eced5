// SPDX-License-Identifier: Apache-2.0
// Launches of walk.cl and step_grid.cl.
#include "gpu/motion/walk.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "definitions/motion/block.h"
#include "definitions/motion/pyramid.h"
#include "definitions/motion/step.h"
#include "definitions/motion/tz.h"
#include "gpu/motion/tiles.hpp"
#include "gpu/shared/motion/step_grid.h"
#include "plan/motion/candidate.hpp"

namespace vergence::gpu {
namespace {

constexpr int team = 32;
constexpr int most_rounds = STEP_GRID_MOST_ROUNDS;

int power_of_two(int count) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(count))); }
int columns_of(int width) { return power_of_two((width + 3) / 4); }

bool is_sad_of_bytes(const MotionPlan& plan) {
  return plan.options.cost == MotionCost::sad && plan.options.depth == Depth::u8;
}

Size size_on(Size size, int level) {
  for (int i = 0; i < level; ++i) size = {definitions::half_side(size.width), definitions::half_side(size.height)};
  return size;
}

/// The longest piece of a side that is searched on a level.
int longest(const MotionOptions& options, int block, int side, int level) {
  if (level == 0) return block;
  if (options.search == MotionSearch::tz) return definitions::tz_cell(block, level);
  int most = 0;
  const int half = size_on({side, side}, level).width;
  for (int i = 0; i < definitions::block_count(side, block); ++i)
    most =
        std::max(most, definitions::coarse_extent(i * block, definitions::block_extent(i, block, side), level, half));
  return most;
}

struct Rounds {
  explicit Rounds(const MotionPlan& plan)
      : plain(definitions::step_plain_rounds(plan.farthest)),
        merged(merged_rounds(plan.options.step_grid)),
        count(definitions::step_rounds(plain, merged)),
        // The published grid of 13x13 misses the outermost ring of 15x15.
        widest(plan.options.step_grid == MotionStepGrid::g13x13 ? 6 : 7) {}
  int side(int round) const { return 2 * std::min(definitions::step_reach(plain, merged, round), widest) + 1; }
  int spacing(int round) const { return definitions::step_spacing(plain, merged, round); }
  int most() const {
    int side_of_all = 0;
    for (int i = 0; i < count; ++i) side_of_all = std::max(side_of_all, side(i));
    return side_of_all;
  }
  int plain, merged, count, widest;
};

int group_of_grid(const MotionPlan& plan, Size block) {
  return (Rounds(plan).most() * columns_of(block.width) + team - 1) / team * team;
}

}  // namespace

bool Walk::serves(const MotionPlan& plan, const MotionTuning& tuning) {
  const MotionOptions& o = plan.options;
  const bool walks = o.search == MotionSearch::hierarchical || o.search == MotionSearch::diamond ||
                     o.search == MotionSearch::hexagon || (o.search == MotionSearch::tz && o.levels > 0) ||
                     (o.search == MotionSearch::step && o.step_grid == MotionStepGrid::g3x3);
  return tuning.walk && walks && is_sad_of_bytes(plan);
}

Walk::Walk(const MotionPlan& plan, Size block, int level, Programs& programs, const MotionTuning& tuning)
    : frame_(plan.size), is_finest_(level == 0) {
  const MotionOptions& o = plan.options;
  const Size size = size_on(plan.size, level);
  const Size most{longest(o, block.width, plan.size.width, level), longest(o, block.height, plan.size.height, level)};
  const Size one = level > 0 && o.search == MotionSearch::tz ? most : block;
  const Size whole = level > 0 && o.search == MotionSearch::tz ? size : plan.size;
  grid_ = {definitions::block_count(whole.width, one.width), definitions::block_count(whole.height, one.height)};
  range_x_ = {definitions::coarse_range(o.range_x.first, level), definitions::coarse_range(o.range_x.last, level)};
  range_y_ = {definitions::coarse_range(o.range_y.first, level), definitions::coarse_range(o.range_y.last, level)};
  const Properties& properties = programs.device().properties();
  const int columns = columns_of(most.width), largest = static_cast<int>(properties.largest_group);
  const int wanted = columns * power_of_two((most.height + tuning.walk_rows - 1) / tuning.walk_rows);
  group_ = std::max(team, std::min(wanted, static_cast<int>(std::bit_floor(static_cast<unsigned>(largest)))));
  const int row_groups = group_ / columns;
  walk_ = &programs.kernel(
      "motion/walk.cl",
      Defines()
          .set("SEARCH", static_cast<int>(o.search))
          .set("LEVEL", level)
          .set("BLOCK_W", block.width)
          .set("BLOCK_H", block.height)
          .set("FARTHEST",
               o.search == MotionSearch::tz ? definitions::tz_farthest(o.levels, plan.farthest) : plan.farthest)
          .set("COLUMNS", columns)
          .set("ROWS", (most.height + row_groups - 1) / row_groups)
          .set("GROUP", group_)
          .set("PAD", o.border == MotionBorder::pad ? 1 : 0)
          .set("LAMBDA", level == 0 ? o.lambda : 0)
          .set("FOUND", 0)
          .set("ROLLED", properties.is_cpu ? 1 : 0)
          .set("WARP_MINIMUM", properties.has_warp_minimum ? 1 : 0),
      "walking");
}

void Walk::run(Queue& queue, const WalkFrame& frame) const {
  const MotionLevel& frames = frame.frames;
  MotionBuffers& buffers = frame.buffers;
  const shared::WalkArguments scalars{
      .level = level_arguments(frames, range_x_, range_y_, frame.predicted && is_finest_),
      .frame_width = frame_.width,
      .frame_height = frame_.height};
  const std::array<Argument, 9> arguments{*frames.current, *frames.reference, *buffers.predictions,
                                          frame.coarser,   frame.here,        *buffers.vectors,
                                          *buffers.costs,  *buffers.j,        scalars};
  queue.launch(*walk_, {static_cast<std::size_t>(grid_.width), static_cast<std::size_t>(grid_.height), 1},
               {static_cast<std::size_t>(group_), 1, 1}, arguments);
}

bool StepGrids::serves(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning) {
  const MotionOptions& o = plan.options;
  if (!tuning.walk || !is_sad_of_bytes(plan) || o.search != MotionSearch::step || o.step_grid == MotionStepGrid::g3x3)
    return false;
  const Rounds rounds(plan);
  const int columns = columns_of(block.width), group = group_of_grid(plan, block);
  const int words = STEP_GRID_BLOCK_WORDS(columns, block.height) + STEP_GRID_AGREEMENT_WORDS(group) +
                    STEP_GRID_SUM_WORDS(columns, rounds.most());
  return rounds.count <= most_rounds && static_cast<std::size_t>(group) <= properties.largest_group &&
         4 * static_cast<std::size_t>(words) + local_slack <= properties.local_memory;
}

StepGrids::StepGrids(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning)
    : range_x_(plan.options.range_x), range_y_(plan.options.range_y), group_(group_of_grid(plan, block)) {
  const Properties& properties = programs.device().properties();
  const Rounds rounds(plan);
  Defines defines;
  defines.set("BLOCK_W", block.width)
      .set("BLOCK_H", block.height)
      .set("COLUMNS", columns_of(block.width))
      .set("GROUP", group_)
      .set("CHUNK", tuning.grid_chunk)
      .set("MOST_SIDE", rounds.most())
      .set("ROUNDS", rounds.count)
      .set("PAD", plan.options.border == MotionBorder::pad ? 1 : 0)
      .set("LAMBDA", plan.options.lambda)
      .set("FOUND", 0)
      .set("ROLLED", properties.is_cpu ? 1 : 0)
      .set("WARP_MINIMUM", properties.has_warp_minimum ? 1 : 0);
  for (int i = 0; i < most_rounds; ++i) {
    const bool is_round = i < rounds.count;
    defines.set("SIDE_" + std::to_string(i), is_round ? rounds.side(i) : 1)
        .set("SPACING_" + std::to_string(i), is_round ? rounds.spacing(i) : 1);
  }
  search_ = &programs.kernel("motion/step_grid.cl", defines, "step_grid");
}

void StepGrids::run(Queue& queue, const WalkFrame& frame) const {
  const MotionLevel& frames = frame.frames;
  MotionBuffers& buffers = frame.buffers;
  const std::array<Argument, 7> arguments{*frames.current,
                                          *frames.reference,
                                          *buffers.predictions,
                                          *buffers.vectors,
                                          *buffers.costs,
                                          *buffers.j,
                                          level_arguments(frames, range_x_, range_y_, frame.predicted)};
  queue.launch(*search_,
               {static_cast<std::size_t>(buffers.grid.width), static_cast<std::size_t>(buffers.grid.height), 1},
               {static_cast<std::size_t>(group_), 1, 1}, arguments);
}

}  // namespace vergence::gpu
