// SPDX-License-Identifier: Apache-2.0
// Half the size: every second pixel of the blurred picture: docs/algorithms/imgproc/half.md.
#include "reference/imgproc/stages.hpp"

namespace vergence::reference {

template <class P>
void half(ImageView<const P> in, ImageView<P> out, FilterBorder border) {
  Image<P> blurred(in.size());
  blur(in, blurred.view(), border);
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) out(x, y) = blurred(2 * x, 2 * y);
}

template void half(ImageView<const float>, ImageView<float>, FilterBorder);
template void half(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, FilterBorder);

}  // namespace vergence::reference
