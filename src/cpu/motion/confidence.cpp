// SPDX-License-Identifier: Apache-2.0
// How much each block's final vector can be relied upon.
#include "definitions/motion/confidence.h"

#include <cstdint>

#include "cpu/motion/scratch.hpp"

namespace vergence::cpu {

template <class P>
void confidence(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, Size block,
                const MotionMaps& maps) {
  // SATD has no texture of its own and takes SAD's.
  const MotionCost cost = plan.options.cost;
  const CostFunctions<P> texture =
      cost_functions<P>(cost == MotionCost::ssd ? MotionCost::ssd : MotionCost::sad, context.target, plan.max_pixel);
  for_blocks(context, scratch, maps.vectors.size(), [&](MotionWorker<P>& worker, int column, int row) {
    worker.walk.begin(scratch.frame, block_rect(plan.size, block, column, row), {});
    const PackedBlock<P>& pixels = worker.walk.pixels();
    // The block against itself, one pixel to the side or down, over the pairs of pixels inside it.
    PackedBlock<P>& pairs = worker.pairs;
    const auto moved = [&](int dx, int dy) {
      Rect rect = worker.walk.block();
      rect.width -= dx;
      rect.height -= dy;
      pairs.pack(scratch.frame.current, rect);
      return texture.one(pairs, pixels.pixels.data() + dy * PackedBlock<P>::stride + dx, PackedBlock<P>::stride);
    };
    const MotionVector v = maps.vectors(column, row);
    maps.confidence(column, row) = static_cast<std::uint8_t>(definitions::motion_confidence(
        maps.cost(column, row), worker.walk.distortion(0, 0), v.dx == 0 && v.dy == 0, moved(1, 0), moved(0, 1)));
  });
}

template void confidence(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, Size, const MotionMaps&);
template void confidence(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, Size, const MotionMaps&);

}  // namespace vergence::cpu
