// SPDX-License-Identifier: Apache-2.0
// The step search: grids of points around the best one so far, ever finer.
#include "definitions/motion/step.h"

#include <cstdint>

#include "cpu/motion/scratch.hpp"

namespace vergence::cpu {
namespace {

template <class P>
Candidate find(const BlockWalk<P>& walk, MotionStepGrid grid, int farthest) {
  const int plain = definitions::step_plain_rounds(farthest);
  const int merged = merged_rounds(grid);
  Candidate best = walk.candidate(0, 0);
  for (int round = 0; round < definitions::step_rounds(plain, merged); ++round) {
    const int spacing = definitions::step_spacing(plain, merged, round);
    int reach = definitions::step_reach(plain, merged, round);
    if (grid == MotionStepGrid::g13x13 && reach == 7) reach = 6;  // the published grid misses the outermost ring
    const Candidate centre = best;
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x)
        if (x != 0 || y != 0) walk.improve(best, centre.dx + x * spacing, centre.dy + y * spacing);
  }
  return best;
}

}  // namespace

template <class P>
void step(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps) {
  search_blocks(plan, context, scratch, maps, [&](const MotionWorker<P>& worker) {
    return find(worker.walk, plan.options.step_grid, plan.farthest);
  });
}

template void step(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, const MotionMaps&);
template void step(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::cpu
