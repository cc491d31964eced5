// SPDX-License-Identifier: Apache-2.0
// Launches of full_sad.cl: which settings it serves, and the tiles of candidates that waste least.
#include "gpu/motion/full_sad.hpp"

#include <algorithm>
#include <vector>

#include "gpu/grid.hpp"
#include "gpu/shared/motion/exhaustive.h"

namespace vergence::gpu {
namespace {

using Shape = FullSad::Shape;

constexpr int groups_of_hard = 4;  ///< Of each multiprocessor, for the blocks that an elimination leaves.
constexpr int most_tall_of_hard =
    8;  ///< The same after an elimination: smaller tiles, as few blocks must fill the device.
constexpr int most_panel_words = 8;  ///< 32 pixels
constexpr int most_panel_rows = 32;
constexpr int most_chunk = 32, most_chunk_of_hard = 16;  ///< As many words of the block in registers.

std::size_t local_bytes(const Shape& shape) {
  return window_bytes(shape, shape.panel_words, shape.panel_rows) +
         4 * static_cast<std::size_t>(shape.panel_words * shape.panel_rows + 2 * shape.group()) + local_slack;
}

/// Instructions per block, in units that only compare: sums by all work-items of all tiles, reads and the window's
/// copies.
double effort(const Shape& shape, Size block) {
  const double words = block.width / 4.0;
  const double rows = block.height;
  const double panels = words / shape.panel_words * (rows / shape.panel_rows);
  const double reads = 0.5 * (shape.tall + shape.chunk - 1) / shape.chunk;
  const double sums = words * rows * (shape.tall + reads);
  const double copies = panels * WINDOW_ROW_COUNT(shape.slabs, shape.tall, shape.panel_rows) *
                        window_words(shape, shape.panel_words) * 16.0 / shape.group();
  return shape.tiles_x * shape.tiles_y * shape.group() * (sums + copies + 60.0 + 6.0 * shape.tall);
}

/// Rows of a block that are added at once, at most so many: as many as divide each panel.
int chunk_for(int rows, int panel_rows, int most) {
  int chunk = most;
  while (chunk > 4 && (panel_rows % chunk != 0 || rows % chunk != 0)) chunk -= 4;
  return chunk;
}

/// columns = 0 where nothing fits.
Shape shape_for(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning,
                int tallest) {
  const MotionOptions& o = plan.options;
  const int wide = o.range_x.last - first_column(o.range_x) + 1, high = o.range_y.last - o.range_y.first + 1;
  const int largest =
      std::min(tuning.tile_group, static_cast<int>(std::min<std::size_t>(properties.largest_group, 1024)));
  Shape best;
  double least = 0;
  Shape shape;
  shape.panel_words = block.width / 4 <= most_panel_words ? block.width / 4 : (block.width / 4 + 1) / 2;
  shape.panel_rows = block.height <= most_panel_rows ? block.height : (block.height / 2 + 3) / 4 * 4;
  const int most = tallest == MOST_TALL ? most_chunk : most_chunk_of_hard;
  shape.chunk = tuning.tile_chunk > 0 ? std::min(tuning.tile_chunk, shape.panel_rows)
                                      : chunk_for(block.height, shape.panel_rows, most);
  for (shape.tiles_x = 1; shape.tiles_x <= wide; ++shape.tiles_x) {
    shape.columns = shape.tiles_x == 1 ? wide : ((wide + shape.tiles_x - 1) / shape.tiles_x + 3) / 4 * 4;
    if (tuning.tile_columns > 0) shape.columns = tuning.tile_columns, shape.tiles_x = (wide - 1) / shape.columns + 1;
    if (shape.columns < 4 && shape.tiles_x > 1) break;
    for (shape.slabs = 1; shape.slabs * shape.columns <= largest; ++shape.slabs) {
      if (tuning.tile_slabs > 0 && shape.slabs != tuning.tile_slabs) continue;
      for (shape.tall = 1; shape.tall <= tallest; ++shape.tall) {
        if (tuning.tile_tall > 0 && shape.tall != tuning.tile_tall) continue;
        shape.tiles_y = (high + shape.slabs * shape.tall - 1) / (shape.slabs * shape.tall);
        if (local_bytes(shape) > properties.local_memory || shape.group() > largest) continue;
        const double cost = effort(shape, block);
        if (best.columns > 0 && cost >= least) continue;
        best = shape;
        least = cost;
      }
    }
    if (tuning.tile_columns > 0 || shape.columns <= 4) break;
  }
  return best;
}

}  // namespace

bool FullSad::serves(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning) {
  const MotionOptions& o = plan.options;
  return tuning.tiles && o.search == MotionSearch::full && o.cost == MotionCost::sad && o.depth == Depth::u8 &&
         shape_for(plan, block, properties, tuning, MOST_TALL).columns > 0;
}

FullSad::FullSad(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning, bool second_best) {
  const MotionOptions& o = plan.options;
  const Properties& properties = programs.device().properties();
  const bool eliminates = !second_best && Elimination::serves(plan, block, properties, tuning);
  shape_ =
      shape_for(plan, block, properties, tuning, eliminates && tuning.tile_tall == 0 ? most_tall_of_hard : MOST_TALL);
  const Size grid{(plan.size.width + block.width - 1) / block.width,
                  (plan.size.height + block.height - 1) / block.height};
  Defines defines = candidate_defines(o);
  defines.set("BLOCK_W", block.width)
      .set("BLOCK_H", block.height)
      .set("SECOND_BEST", second_best ? 1 : 0)
      .set("ROLLED", properties.is_cpu ? 1 : 0)
      .set("WARP_MINIMUM", properties.has_warp_minimum ? 1 : 0)
      .set("CHUNK", shape_.chunk)
      .set("PANEL_WORDS", shape_.panel_words)
      .set("PANEL_ROWS", shape_.panel_rows);
  set_tiles(defines, shape_);
  if (tuning.tile_registers > 0) defines.registers(tuning.tile_registers);
  if (eliminates) eliminate_ = std::make_unique<Elimination>(plan, block, programs, tuning);
  defines.set("FOUND", eliminate_ != nullptr ? 1 : 0);
  hard_groups_ = static_cast<std::size_t>(groups_of_hard * std::max(properties.compute_units, 1));
  search_ = &programs.kernel("motion/full_sad.cl", defines, "full_sad");
  choose_ = &programs.kernel("motion/choose.cl", defines, "choose");
  keys_ = programs.device().allocate(8 * static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height) *
                                     static_cast<std::size_t>(shape_.count()));
}

void FullSad::run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers, bool predicted) const {
  const int blocks = buffers.grid.width * buffers.grid.height;
  std::vector<Argument> search{*frames.current, *frames.reference, *buffers.predictions, *buffers.vectors, *keys_};
  if (eliminate_ != nullptr) {
    eliminate_->run(queue, frames, buffers, predicted);
    search.emplace_back(eliminate_->hard());
  }
  search.emplace_back(shared::FullSadArguments{.width = frames.size.width,
                                               .height = frames.size.height,
                                               .pitch = frames.pitch,
                                               .across = buffers.grid.width,
                                               .predicted = predicted ? 1 : 0});
  const std::size_t groups = static_cast<std::size_t>(shape_.count()) * static_cast<std::size_t>(blocks);
  const Range all = eliminate_ == nullptr
                        ? Range{static_cast<std::size_t>(blocks), static_cast<std::size_t>(shape_.count()), 1}
                        : Range{std::min(hard_groups_, groups), 1, 1};
  queue.launch(*search_, all, {static_cast<std::size_t>(shape_.group()), 1, 1}, search);
  choose(queue, *choose_, *keys_, buffers, predicted, eliminate_ == nullptr ? nullptr : &eliminate_->found());
}

}  // namespace vergence::gpu
