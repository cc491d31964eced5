// SPDX-License-Identifier: Apache-2.0
// Reference: the hierarchical search: every candidate on the coarsest level, then few around the doubled vector.
#include <cstdint>

#include "reference/motion/block_search.hpp"
#include "reference/motion/pyramid.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {
namespace {

/// Zero, and what lies around the doubled vector of the coarser level.
template <class P>
void refine(const BlockSearch<P>& search, const Candidate& coarse, Candidate& best) {
  constexpr int reach = definitions::pyramid_reach();
  for (int dy = 2 * coarse.dy - reach; dy <= 2 * coarse.dy + reach; ++dy)
    for (int dx = 2 * coarse.dx - reach; dx <= 2 * coarse.dx + reach; ++dx) search.improve(best, dx, dy);
}

}  // namespace

template <class P>
void hierarchical(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps) {
  const Pyramid<P> pyramid(pictures, plan.options.levels);
  for_blocks(plan, pictures, maps, [&](const BlockSearch<P>& search) {
    Candidate found = exhaustive(coarse_search(plan, search.block, pyramid, pyramid.levels()));
    for (int level = pyramid.levels() - 1; level > 0; --level) {
      const BlockSearch<P> coarse = coarse_search(plan, search.block, pyramid, level);
      Candidate best = coarse.candidate(0, 0);
      refine(coarse, found, best);
      found = best;
    }
    Candidate best = start_of(search);
    refine(search, found, best);
    return best;
  });
}

template void hierarchical(const MotionPlan&, const MotionPictures<std::uint8_t>&, const MotionMaps&);
template void hierarchical(const MotionPlan&, const MotionPictures<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::reference
