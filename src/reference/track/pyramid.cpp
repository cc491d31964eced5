// SPDX-License-Identifier: Apache-2.0
// The levels of a frame: docs/algorithms/track/pyramid.md.
#include "definitions/track/pyramid.h"

#include "definitions/track/position.h"
#include "reference/track/stages.hpp"

namespace vergence::reference {

template <class P>
void pyramid(const TrackPlan& plan, ImageView<const P> picture, TrackFrame<P>& frame) {
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x)
      frame.pictures[0](x, y) = static_cast<P>(picture(x, y) >> plan.dropped_bits);
  for (std::size_t level = 1; level < plan.levels.size(); ++level) {
    const Image<P>& fine = frame.pictures[level - 1];
    Image<P>& coarse = frame.pictures[level];
    for (int y = 0; y < coarse.height(); ++y)
      for (int x = 0; x < coarse.width(); ++x) {
        int sum = 0;
        for (int v = 0; v < 5; ++v)
          for (int u = 0; u < 5; ++u)
            sum += definitions::pyramid_weight(u) * definitions::pyramid_weight(v) *
                   fine(definitions::mirrored(2 * x + u - 2, fine.width()),
                        definitions::mirrored(2 * y + v - 2, fine.height()));
        coarse(x, y) = static_cast<P>(definitions::pyramid_pixel(sum));
      }
  }
}

template void pyramid(const TrackPlan&, ImageView<const std::uint8_t>, TrackFrame<std::uint8_t>&);
template void pyramid(const TrackPlan&, ImageView<const std::uint16_t>, TrackFrame<std::uint16_t>&);

}  // namespace vergence::reference
