// SPDX-License-Identifier: Apache-2.0
// Reference: the hexagon search: a hexagon of six points moves until its centre is best, then the eight neighbours.
#include <cstdint>

#include "definitions/motion/pattern.h"
#include "reference/motion/block_search.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {

template <class P>
void hexagon(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps) {
  for_blocks(plan, pictures, maps, [](const BlockSearch<P>& search) {
    Candidate best = start_of(search);
    for (bool moves = true; moves;) {
      moves = false;
      const Candidate centre = best;
      for (int k = 0; k < 6; ++k)
        moves |= search.improve(best, centre.dx + definitions::hexagon_x(k), centre.dy + definitions::hexagon_y(k));
    }
    const Candidate centre = best;
    for (int k = 0; k < 8; ++k)
      search.improve(best, centre.dx + definitions::neighbour_x(k), centre.dy + definitions::neighbour_y(k));
    return best;
  });
}

template void hexagon(const MotionPlan&, const MotionPictures<std::uint8_t>&, const MotionMaps&);
template void hexagon(const MotionPlan&, const MotionPictures<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::reference
