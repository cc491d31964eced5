// SPDX-License-Identifier: Apache-2.0
// Reference: the exhaustive search. Every candidate of every block, in the order in which docs/algorithms tells it.
#include <cstdint>
#include <vector>

#include "reference/motion/choice.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {

template <class P>
void full(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps) {
  const MotionOptions& o = plan.options;
  const Size grid = plan.grids.front();
  for (int row = 0; row < grid.height; ++row)
    for (int column = 0; column < grid.width; ++column) {
      const BlockSearch<P> search =
          make_search(plan, pictures, plan.blocks.front(), column, row, prediction_of(maps, column, row));
      std::vector<Candidate> all;
      for (int dy = o.range_y.first; dy <= o.range_y.last; ++dy)
        for (int dx = o.range_x.first; dx <= o.range_x.last; ++dx)
          if (search.is_candidate(dx, dy)) all.push_back(search.candidate(dx, dy));
      put_choice(maps, column, row, all);
    }
}

template void full(const MotionPlan&, const MotionPictures<std::uint8_t>&, const MotionMaps&);
template void full(const MotionPlan&, const MotionPictures<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::reference
