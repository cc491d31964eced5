// SPDX-License-Identifier: Apache-2.0
// Reference: the diamond search: a diamond of eight points moves until its centre is best, then the four neighbours.
#include <cstdint>

#include "definitions/motion/pattern.h"
#include "reference/motion/block_search.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {

template <class P>
void diamond(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps) {
  for_blocks(plan, pictures, maps, [](const BlockSearch<P>& search) {
    Candidate best = start_of(search);
    for (bool moves = true; moves;) {
      moves = false;
      const Candidate centre = best;
      for (int k = 0; k < 8; ++k)
        moves |= search.improve(best, centre.dx + definitions::large_diamond_x(k),
                                centre.dy + definitions::large_diamond_y(k));
    }
    const Candidate centre = best;
    for (int k = 0; k < 4; ++k)
      search.improve(best, centre.dx + definitions::small_diamond_x(k), centre.dy + definitions::small_diamond_y(k));
    return best;
  });
}

template void diamond(const MotionPlan&, const MotionPictures<std::uint8_t>&, const MotionMaps&);
template void diamond(const MotionPlan&, const MotionPictures<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::reference
