// SPDX-License-Identifier: Apache-2.0
// Samples a picture where a map says: docs/algorithms/rectify/remap.md.
#include <cstdint>

#include "definitions/rectify/bilinear.h"
#include "reference/rectify/stages.hpp"

namespace vergence::reference {

template <class P>
void remap(const rectify::SourceMap& map, ImageView<const P> in, ImageView<P> out, int largest) {
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      const int across = definitions::source_place(map.x(x, y)), down = map.y(x, y);
      const int u = across / 1024, v = down / 1024;
      const auto tap = [&](int dx, int dy) {
        const bool inside = u + dx < in.width() && v + dy < in.height();
        return inside ? int{in(u + dx, v + dy)} : 0;  // 0: its weight is 0
      };
      out(x, y) = static_cast<P>(
          definitions::bilinear(tap(0, 0), tap(1, 0), tap(0, 1), tap(1, 1), across % 1024, down % 1024, largest));
    }
}

template void remap(const rectify::SourceMap&, ImageView<const std::uint8_t>, ImageView<std::uint8_t>, int);
template void remap(const rectify::SourceMap&, ImageView<const std::uint16_t>, ImageView<std::uint16_t>, int);

}  // namespace vergence::reference
