// SPDX-License-Identifier: Apache-2.0
// The hierarchical search: every candidate on the coarsest level, then few around the doubled vector.
#include <cstdint>

#include "cpu/motion/pyramid.hpp"
#include "cpu/motion/scratch.hpp"

namespace vergence::cpu {
namespace {

/// What lies around the doubled vector of the coarser level.
template <class P>
void try_around(const BlockWalk<P>& walk, const Candidate& coarse, Candidate& best) {
  constexpr int reach = definitions::pyramid_reach();
  for (int dy = 2 * coarse.dy - reach; dy <= 2 * coarse.dy + reach; ++dy)
    for (int dx = 2 * coarse.dx - reach; dx <= 2 * coarse.dx + reach; ++dx) walk.improve(best, dx, dy);
}

}  // namespace

template <class P>
void hierarchical(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps) {
  search_blocks(plan, context, scratch, maps, [&](MotionWorker<P>& worker) {
    const int levels = plan.options.levels;
    begin_coarse(scratch, levels, worker.walk, worker.coarse);
    Candidate found = best_of_all(scratch, worker.coarse, worker);
    for (int level = levels - 1; level > 0; --level) {
      begin_coarse(scratch, level, worker.walk, worker.coarse);
      Candidate best = worker.coarse.candidate(0, 0);
      try_around(worker.coarse, found, best);
      found = best;
    }
    Candidate best = worker.walk.start();
    try_around(worker.walk, found, best);
    return best;
  });
}

template void hierarchical(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, const MotionMaps&);
template void hierarchical(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::cpu
