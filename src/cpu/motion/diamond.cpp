// SPDX-License-Identifier: Apache-2.0
// The diamond search: a diamond of eight points moves until its centre is best, then the four neighbours.
#include <cstdint>

#include "cpu/motion/scratch.hpp"
#include "definitions/motion/pattern.h"

namespace vergence::cpu {

template <class P>
void diamond(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps) {
  search_blocks(plan, context, scratch, maps, [](const MotionWorker<P>& worker) {
    const BlockWalk<P>& walk = worker.walk;
    Candidate best = walk.start();
    for (bool moves = true; moves;) {
      moves = false;
      const Candidate centre = best;
      for (int k = 0; k < 8; ++k)
        moves |= walk.improve(best, centre.dx + definitions::large_diamond_x(k),
                              centre.dy + definitions::large_diamond_y(k));
    }
    const Candidate centre = best;
    for (int k = 0; k < 4; ++k)
      walk.improve(best, centre.dx + definitions::small_diamond_x(k), centre.dy + definitions::small_diamond_y(k));
    return best;
  });
}

template void diamond(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, const MotionMaps&);
template void diamond(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::cpu
