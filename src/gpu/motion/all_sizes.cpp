// SPDX-License-Identifier: Apache-2.0
// Launches of all_sizes.cl: which settings it serves, and the tiles of candidates that waste least.
#include "gpu/motion/all_sizes.hpp"

#include <algorithm>

#include "definitions/motion/block.h"
#include "gpu/motion/exhaustive.hpp"
#include "gpu/shared/motion/exhaustive.h"

namespace vergence::gpu {
namespace {

constexpr int square = ALL_SIZES_SQUARE, panel_words = ALL_SIZES_PANEL_WORDS, panel_rows = ALL_SIZES_PANEL_ROWS;

/// Work-items that a column of candidates needs: row 0 is the first one of a work-item.
int slabs_of(MotionRange y, int tall) { return (tall - 1 - y.first) / tall + (y.last + tall) / tall; }

std::size_t local_bytes(const Tiles& shape, bool warps) {
  const int bests = 2 * ALL_SIZES_BLOCKS * shape.group() / (warps ? 32 : 1);
  return window_bytes(shape, panel_words, panel_rows) + 4 * static_cast<std::size_t>(panel_words * panel_rows + bests) +
         local_slack;
}

/// Instructions of a square, in units that only compare: sums and their minima, what a block costs each work-item, the
/// window's copies. In large groups more wait at barriers: on an H200, 256 work-items took 4 % longer than 128.
double effort(const Tiles& shape) {
  const double copies = 4.0 * WINDOW_ROW_COUNT(shape.slabs, shape.tall, panel_rows) * window_words(shape, panel_words) *
                        6.0 / shape.group();
  const double waits = 1 + std::max(0, shape.group() - 128) / 2500.0;
  return shape.tiles_x * shape.tiles_y * shape.group() * (64 * (19.0 * shape.tall + 40.0) + copies) * waits;
}

/// Of a work-item; 0 = as many as the compiler likes. A few words kept elsewhere cost less than fewer groups at once.
int registers_for(const Tiles& shape) { return shape.tall > 13 ? 96 : shape.tall > 10 ? 72 : 0; }

/// columns = 0 where nothing fits.
Tiles shape_for(const MotionPlan& plan, const Properties& properties, const MotionTuning& tuning) {
  const MotionOptions& o = plan.options;
  const int wide = o.range_x.last - first_column(o.range_x) + 1;
  const int largest =
      std::min(tuning.sizes_group, static_cast<int>(std::min<std::size_t>(properties.largest_group, 1024)));
  Tiles best, shape;
  for (shape.tiles_x = 1; shape.tiles_x <= wide; ++shape.tiles_x) {
    shape.columns = shape.tiles_x == 1 ? wide : ((wide + shape.tiles_x - 1) / shape.tiles_x + 3) / 4 * 4;
    if (tuning.sizes_columns > 0) shape.columns = tuning.sizes_columns, shape.tiles_x = (wide - 1) / shape.columns + 1;
    for (shape.tall = 1; shape.tall <= MOST_TALL; ++shape.tall) {
      const int all_slabs = slabs_of(o.range_y, shape.tall);
      if (tuning.sizes_tall > 0 && shape.tall != tuning.sizes_tall) continue;
      for (shape.slabs = 1; shape.slabs <= all_slabs && shape.group() <= largest; ++shape.slabs) {
        if (tuning.sizes_slabs > 0 && shape.slabs != std::min(tuning.sizes_slabs, all_slabs)) continue;
        shape.tiles_y = (all_slabs + shape.slabs - 1) / shape.slabs;
        if (local_bytes(shape, properties.is_nvidia) > properties.local_memory ||
            window_words(shape, panel_words) > shape.group())
          continue;
        if (best.columns == 0 || effort(shape) < effort(best)) best = shape;
      }
    }
    if (tuning.sizes_columns > 0 || shape.columns <= 4) break;
  }
  return best;
}

}  // namespace

bool AllSizes::serves(const MotionPlan& plan, const Properties& properties, const MotionTuning& tuning) {
  const MotionOptions& o = plan.options;
  return plan.all_sizes && tuning.sizes && o.cost != MotionCost::satd && o.depth == Depth::u8 &&
         plan.max_j < 0xFFFFFFFF && shape_for(plan, properties, tuning).columns > 0;
}

AllSizes::AllSizes(const MotionPlan& plan, Programs& programs, const MotionTuning& tuning, bool second_best)
    : shape_(shape_for(plan, programs.device().properties(), tuning)),
      squares_{definitions::block_count(plan.size.width, square), definitions::block_count(plan.size.height, square)} {
  const MotionOptions& o = plan.options;
  const Properties& properties = programs.device().properties();
  Defines defines = candidate_defines(o);
  defines.set("COST", static_cast<int>(o.cost))
      .set("SECOND_BEST", second_best ? 1 : 0)
      .set("FOUND", 0)
      .set("ROLLED", properties.is_cpu ? 1 : 0)
      .set("WARP_MINIMUM", properties.has_warp_minimum ? 1 : 0);
  set_tiles(defines, shape_);
  choose_ = &programs.kernel("motion/choose.cl", defines, "choose");
  const int registers = tuning.sizes_registers > 0 ? tuning.sizes_registers : registers_for(shape_);
  if (registers > 0) defines.registers(registers);
  search_ = &programs.kernel("motion/all_sizes.cl", defines, "all_sizes");
  for (std::size_t i = 0; i < keys_.size(); ++i)
    keys_[i] = programs.device().allocate(8 * static_cast<std::size_t>(plan.grids[i].width) *
                                          static_cast<std::size_t>(plan.grids[i].height) *
                                          static_cast<std::size_t>(shape_.count()));
}

void AllSizes::run(Queue& queue, const MotionLevel& frames, const Fields& fields) const {
  std::vector<Argument> search{*frames.current, *frames.reference};
  for (const Field& field : fields) search.emplace_back(*field.buffers->predictions);
  for (const Field& field : fields) search.emplace_back(*field.buffers->vectors);
  for (const std::unique_ptr<Buffer>& keys : keys_) search.emplace_back(*keys);
  int predicted = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) predicted |= fields[i].predicted ? 1 << i : 0;
  search.emplace_back(shared::AllSizesArguments{.width = frames.size.width,
                                                .height = frames.size.height,
                                                .pitch = frames.pitch,
                                                .predicted = predicted,
                                                .sixteen = 16});
  queue.launch(*search_,
               {static_cast<std::size_t>(squares_.width) * static_cast<std::size_t>(squares_.height),
                static_cast<std::size_t>(shape_.count()), 1},
               {static_cast<std::size_t>(shape_.group()), 1, 1}, search);
  for (std::size_t i = 0; i < fields.size(); ++i)
    choose(queue, *choose_, *keys_[i], *fields[i].buffers, fields[i].predicted, nullptr);
}

}  // namespace vergence::gpu
