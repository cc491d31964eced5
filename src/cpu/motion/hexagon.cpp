// SPDX-License-Identifier: Apache-2.0
// The hexagon search: a hexagon of six points moves until its centre is best, then the eight neighbours.
#include <cstdint>

#include "cpu/motion/scratch.hpp"
#include "definitions/motion/pattern.h"

namespace vergence::cpu {

template <class P>
void hexagon(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps) {
  search_blocks(plan, context, scratch, maps, [](const MotionWorker<P>& worker) {
    const BlockWalk<P>& walk = worker.walk;
    Candidate best = walk.start();
    for (bool moves = true; moves;) {
      moves = false;
      const Candidate centre = best;
      for (int k = 0; k < 6; ++k)
        moves |= walk.improve(best, centre.dx + definitions::hexagon_x(k), centre.dy + definitions::hexagon_y(k));
    }
    const Candidate centre = best;
    for (int k = 0; k < 8; ++k)
      walk.improve(best, centre.dx + definitions::neighbour_x(k), centre.dy + definitions::neighbour_y(k));
    return best;
  });
}

template void hexagon(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, const MotionMaps&);
template void hexagon(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::cpu
