// SPDX-License-Identifier: Apache-2.0
// Launches of full_ssd.cl.
#include "gpu/motion/full_ssd.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "gpu/grid.hpp"
#include "gpu/motion/tiles.hpp"
#include "gpu/shared/motion/full_ssd.h"

namespace vergence::gpu {
namespace {

using Shape = FullSsd::Shape;

constexpr int tile_columns = FULL_SSD_COLUMNS, tall = FULL_SSD_TALL;
constexpr int registers = 128;  ///< Of a work-item, at most.
constexpr int strip_rows = SQUARE_BOXES_ROWS;
constexpr int columns = 128;  ///< Work-items of a group that adds squares.

int tiles_for(int count, int tile) { return (count + tile - 1) / tile; }

std::size_t local_bytes(Size block, int warps) {
  const int window = FULL_SSD_WINDOW_ROWS(block.height, warps) * FULL_SSD_WINDOW_ROW(block.width);
  const int pixels = FULL_SSD_BLOCK_ROW(block.width) * block.height, keys = 2 * warps;
  return 4 * static_cast<std::size_t>(window + FULL_SSD_FACTORS(block.width) + pixels + keys) + local_slack;
}

Shape shape_for(const MotionPlan& plan, Size block, const Properties& properties) {
  const MotionOptions& o = plan.options;
  Shape shape;
  shape.origin = first_column(o.range_x);
  shape.tiles_x = tiles_for(o.range_x.last - shape.origin + 1, tile_columns);
  const int rows = o.range_y.last - o.range_y.first + 1;
  for (const int most : {8, 4}) {  // four fill a matrix's words
    if (local_bytes(block, most) > properties.local_memory) continue;
    shape.tiles_y = tiles_for(rows, tall * most);
    shape.warps = rows <= tall * 4 * shape.tiles_y ? 4 : most;
    break;
  }
  return shape;
}

/// The last block's side.
int last_side(int side, int block) { return side % block == 0 ? block : side % block; }

}  // namespace

bool FullSsd::serves(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning) {
  const MotionOptions& o = plan.options;
  return tuning.matrices && properties.is_nvidia && properties.has_warp_minimum && o.search == MotionSearch::full &&
         o.cost == MotionCost::ssd && o.depth == Depth::u8 && block.width % 16 == 0 && block.height % 8 == 0 &&
         shape_for(plan, block, properties).warps > 0;
}

FullSsd::FullSsd(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& /*tuning*/,
                 bool second_best)
    : block_(block),
      last_{last_side(plan.size.width, block.width), last_side(plan.size.height, block.height)},
      shape_(shape_for(plan, block, programs.device().properties())) {
  const MotionOptions& o = plan.options;
  plane_ = {plan.size.width + o.range_x.last - shape_.origin, plan.size.height + o.range_y.last - o.range_y.first};
  pitch_ = (plane_.width + 31) / 32 * 32;
  Defines defines = candidate_defines(o);
  defines.set("BLOCK_W", block.width)
      .set("BLOCK_H", block.height)
      .set("SECOND_BEST", second_best ? 1 : 0)
      .set("FOUND", 0)
      .set("GROUP_W", columns)
      .set("ORIGIN_X", shape_.origin)
      .set("TILES_X", shape_.tiles_x)
      .set("TILES", shape_.tiles_x * shape_.tiles_y)
      .set("WARPS", shape_.warps);
  defines.registers(registers);
  square_rows_ = &programs.kernel("motion/full_ssd.cl", defines, "square_rows");
  square_boxes_ = &programs.kernel("motion/full_ssd.cl", defines, "square_boxes");
  search_ = &programs.kernel("motion/full_ssd.cl", defines, "full_ssd");
  choose_ = &programs.kernel("motion/choose.cl", defines, "choose");
  Device& device = programs.device();
  const std::size_t plane = 4 * static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(plane_.height);
  const bool part_x = last_.width < block.width, part_y = last_.height < block.height;
  sums_ = device.allocate(plane);
  // Candidates beyond the range read boxes, too, and do not use them.
  const std::size_t behind = 4 * static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(tall * shape_.warps + 1);
  boxes_ = device.allocate(plane * (part_y ? part_x ? 4 : 3 : part_x ? 2 : 1) + behind + 4 * tile_columns);
  keys_ = device.allocate(8 * static_cast<std::size_t>(tiles_for(plan.size.width, block.width)) *
                          static_cast<std::size_t>(tiles_for(plan.size.height, block.height)) *
                          static_cast<std::size_t>(shape_.tiles_x * shape_.tiles_y));
}

void FullSsd::add_squares(Queue& queue, const MotionLevel& frames) const {
  const Range group{columns, 1, 1};
  const std::int64_t plane = static_cast<std::int64_t>(pitch_) * plane_.height;
  for (const int part_x : {0, 1}) {
    const int w = part_x == 0 ? block_.width : last_.width;
    if (part_x == 1 && w == block_.width) break;
    const int first_column = part_x == 0 ? 0 : frames.size.width - w;
    const std::size_t across = groups_for(plane_.width - first_column, columns);
    const std::array<Argument, 3> rows{*frames.reference, *sums_,
                                       shared::SquareRowsArguments{.first_column = first_column,
                                                                   .plane_pitch = pitch_,
                                                                   .width = frames.size.width,
                                                                   .height = frames.size.height,
                                                                   .pitch = frames.pitch,
                                                                   .count = w}};
    const std::size_t fours = groups_for((pitch_ - first_column + 3) / 4 + 1, columns);
    queue.launch(*square_rows_, {fours, static_cast<std::size_t>(plane_.height), 1}, group, rows);
    for (const int part_y : {0, 1}) {
      const int h = part_y == 0 ? block_.height : last_.height;
      if (part_y == 1 && h == block_.height) break;
      const int first_row = part_y == 0 ? 0 : frames.size.height - h;
      const std::array<Argument, 3> boxes{*sums_, *boxes_,
                                          shared::SquareBoxesArguments{.offset = plane * (part_x + 2 * part_y),
                                                                       .first_column = first_column,
                                                                       .first_row = first_row,
                                                                       .plane_width = plane_.width,
                                                                       .plane_height = plane_.height,
                                                                       .plane_pitch = pitch_,
                                                                       .count = h}};
      queue.launch(*square_boxes_, {across, groups_for(plane_.height - first_row, strip_rows), 1}, group, boxes);
    }
  }
}

void FullSsd::run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers, bool predicted) const {
  add_squares(queue, frames);
  const int blocks = buffers.grid.width * buffers.grid.height;
  const shared::FullSsdArguments scalars{.width = frames.size.width,
                                         .height = frames.size.height,
                                         .pitch = frames.pitch,
                                         .plane_pitch = pitch_,
                                         .plane_height = plane_.height,
                                         .across = buffers.grid.width,
                                         .predicted = predicted ? 1 : 0};
  const std::array<Argument, 7> search{
      *frames.current, *frames.reference, *boxes_, *buffers.predictions, *buffers.vectors, *keys_, scalars};
  queue.launch(*search_,
               {static_cast<std::size_t>(blocks), static_cast<std::size_t>(shape_.tiles_x * shape_.tiles_y), 1},
               {static_cast<std::size_t>(32 * shape_.warps), 1, 1}, search);
  choose(queue, *choose_, *keys_, buffers, predicted, nullptr);
}

}  // namespace vergence::gpu
