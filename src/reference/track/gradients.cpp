// SPDX-License-Identifier: Apache-2.0
// Gradients of all levels: docs/algorithms/track/gradients.md.
#include "definitions/track/gradient.h"
#include "definitions/track/position.h"
#include "reference/track/stages.hpp"

namespace vergence::reference {

template <class P>
void gradients(const TrackPlan& plan, TrackFrame<P>& frame) {
  for (std::size_t level = 0; level < plan.levels.size(); ++level) {
    const Image<P>& picture = frame.pictures[level];
    const auto pixel = [&](int x, int y) {
      return int{picture(definitions::mirrored(x, picture.width()), definitions::mirrored(y, picture.height()))};
    };
    const auto down = [&](int x, int y) {
      return definitions::gradient_smooth(pixel(x, y - 1), pixel(x, y), pixel(x, y + 1));
    };
    const auto across = [&](int x, int y) {
      return definitions::gradient_smooth(pixel(x - 1, y), pixel(x, y), pixel(x + 1, y));
    };
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const int dx = definitions::gradient(down(x - 1, y), down(x + 1, y), plan.gradient_shift);
        const int dy = definitions::gradient(across(x, y - 1), across(x, y + 1), plan.gradient_shift);
        frame.dx[level](x, y) = static_cast<std::int16_t>(dx);
        frame.dy[level](x, y) = static_cast<std::int16_t>(dy);
      }
  }
}

template void gradients(const TrackPlan&, TrackFrame<std::uint8_t>&);
template void gradients(const TrackPlan&, TrackFrame<std::uint16_t>&);

}  // namespace vergence::reference
