// SPDX-License-Identifier: Apache-2.0
// Launches of cells.cl and elimination.cl.
#include "gpu/motion/elimination.hpp"

#include <algorithm>
#include <array>

#include "gpu/grid.hpp"
#include "gpu/motion/tiles.hpp"
#include "gpu/shared/motion/elimination.h"

namespace vergence::gpu {
namespace {

constexpr int team = ELIMINATION_TEAM;
constexpr int columns = 128;     ///< Work-items of a group that makes sums.
constexpr int rows_behind = 96;  ///< Of the plane: at most what the sliding windows of a group read there.

int group_of(const MotionTuning& tuning) { return (tuning.eliminate_group + team - 1) / team * team; }

bool has_cells(int side) { return side == 16 || side == 32 || side == 64; }

std::size_t local_bytes(Size block, const MotionTuning& tuning) {
  return static_cast<std::size_t>(ELIMINATION_BLOCK_BYTES(block.width, block.height) +
                                  ELIMINATION_LIST_BYTES(tuning.eliminate_left) +
                                  ELIMINATION_TEAM_BYTES(group_of(tuning))) +
         local_slack;
}

}  // namespace

bool Elimination::serves(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning) {
  const MotionOptions& o = plan.options;
  return tuning.eliminate && properties.is_nvidia && o.search == MotionSearch::full && o.cost == MotionCost::sad &&
         o.depth == Depth::u8 && has_cells(block.width) && has_cells(block.height) &&
         block.width * block.height >= tuning.eliminate_pixels &&
         static_cast<std::size_t>(group_of(tuning)) <= properties.largest_group &&
         local_bytes(block, tuning) <= properties.local_memory;
}

Elimination::Elimination(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning)
    : plane_{plan.size.width + plan.options.range_x.last - plan.options.range_x.first,
             plan.size.height + plan.options.range_y.last - plan.options.range_y.first},
      pitch_((plane_.width + 15) / 16 * 16),
      group_(group_of(tuning)) {
  const MotionOptions& o = plan.options;
  Device& device = programs.device();
  Defines defines = candidate_defines(o);
  defines.set("BLOCK_W", block.width)
      .set("BLOCK_H", block.height)
      .set("GROUP", group_)
      .set("GROUP_W", columns)
      .set("FOUND", 0)
      .set("MOST_LEFT", tuning.eliminate_left)
      .set("WARP_MINIMUM", device.properties().has_warp_minimum ? 1 : 0);
  rows_ = &programs.kernel("motion/cells.cl", defines, "rows");
  cells_ = &programs.kernel("motion/cells.cl", defines, "cells");
  if (tuning.eliminate_registers > 0) defines.registers(tuning.eliminate_registers);
  eliminate_ = &programs.kernel("motion/elimination.cl", defines, "elimination");
  const std::size_t places = static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(plane_.height);
  // Partial blocks and candidates that do not count are read whole, and do not count.
  const std::size_t all = places + static_cast<std::size_t>(pitch_) * rows_behind;
  planes_ = device.allocate(4 * all);
  plane_words_ = static_cast<int>(all / 4);
  for (auto* one : {&sums_, &part_sums_, &cell_sums_}) *one = device.allocate(2 * all);
  parts_ = device.allocate(8 * all);
  const auto blocks = [](int side, int of) { return static_cast<std::size_t>((side + of - 1) / of); };
  const std::size_t count = blocks(plan.size.width, block.width) * blocks(plan.size.height, block.height);
  found_ = device.allocate(8 * count);
  hard_ = device.allocate(4 * (1 + count));
}

void Elimination::run(Queue& queue, const MotionLevel& frames, const MotionBuffers& buffers, bool predicted) const {
  const Range group{columns, 1, 1};
  const std::array<Argument, 5> rows{*frames.reference, *planes_, *sums_, *part_sums_,
                                     shared::CellRowsArguments{.plane_pitch = pitch_,
                                                               .plane_words = plane_words_,
                                                               .width = frames.size.width,
                                                               .height = frames.size.height,
                                                               .pitch = frames.pitch}};
  queue.launch(*rows_, {groups_for(pitch_ / 4, columns), static_cast<std::size_t>(plane_.height), 1}, group, rows);
  const std::array<Argument, 6> cells{*sums_, *part_sums_, *cell_sums_, *parts_, *hard_, pitch_};
  queue.launch(*cells_, {groups_for(pitch_ / 2, columns), groups_for(plane_.height, CELLS_STRIP_ROWS), 1}, group,
               cells);
  const shared::EliminationArguments scalars{.width = frames.size.width,
                                             .height = frames.size.height,
                                             .pitch = frames.pitch,
                                             .plane_pitch = pitch_,
                                             .plane_words = plane_words_,
                                             .across = buffers.grid.width,
                                             .predicted = predicted ? 1 : 0};
  const std::array<Argument, 8> elimination{*frames.current,      *planes_, *cell_sums_, *parts_,
                                            *buffers.predictions, *found_,  *hard_,      scalars};
  queue.launch(*eliminate_,
               {static_cast<std::size_t>(buffers.grid.width) * static_cast<std::size_t>(buffers.grid.height), 1, 1},
               {static_cast<std::size_t>(group_), 1, 1}, elimination);
}

}  // namespace vergence::gpu
