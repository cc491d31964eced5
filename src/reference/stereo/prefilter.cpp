// SPDX-License-Identifier: Apache-2.0
// Reference: the picture that is matched, the pixels themselves or their clipped x-Sobel derivative.
#include "reference/stereo/stages.hpp"
#include "reference/stereo/xsobel_picture.hpp"

namespace vergence::reference {

template <class P>
void prefilter(const StereoPlan& plan, ImageView<const P> picture, ImageView<std::uint16_t> out) {
  if (plan.options.prefilter != StereoPrefilter::none) {
    xsobel_picture(plan, picture, out);
    return;
  }
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) out(x, y) = picture(x, y);
}

template void prefilter(const StereoPlan&, ImageView<const std::uint8_t>, ImageView<std::uint16_t>);
template void prefilter(const StereoPlan&, ImageView<const std::uint16_t>, ImageView<std::uint16_t>);

}  // namespace vergence::reference
