// SPDX-License-Identifier: Apache-2.0
// Reference: the step search: grids of points around the best one so far, ever finer.
#include <cstdint>

#include "definitions/motion/step.h"
#include "reference/motion/block_search.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {
namespace {

template <class P>
Candidate find(const BlockSearch<P>& search, MotionStepGrid grid, int farthest) {
  const int plain = definitions::step_plain_rounds(farthest);
  const int merged = merged_rounds(grid);
  Candidate best = search.candidate(0, 0);
  for (int round = 0; round < definitions::step_rounds(plain, merged); ++round) {
    const int spacing = definitions::step_spacing(plain, merged, round);
    int reach = definitions::step_reach(plain, merged, round);
    if (grid == MotionStepGrid::g13x13 && reach == 7) reach = 6;  // the published grid misses the outermost ring
    const Candidate centre = best;
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) search.improve(best, centre.dx + x * spacing, centre.dy + y * spacing);
  }
  return best;
}

}  // namespace

template <class P>
void step(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps) {
  for_blocks(plan, pictures, maps,
             [&](const BlockSearch<P>& search) { return find(search, plan.options.step_grid, plan.farthest); });
}

template void step(const MotionPlan&, const MotionPictures<std::uint8_t>&, const MotionMaps&);
template void step(const MotionPlan&, const MotionPictures<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::reference
