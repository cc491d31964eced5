// SPDX-License-Identifier: Apache-2.0
// Reference: makes pixels invalid that show nothing.
#include "reference/postfilter/stages.hpp"

namespace vergence::reference {

template <class T>
void source(const StereoPlan& plan, ImageView<T> disparity) {
  const Image<std::uint8_t>& own = plan.masks->of(plan.options.reference);
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x)
      if (own(x, y) == 0) disparity(x, y) = static_cast<T>(plan.invalid);
}

template void source(const StereoPlan&, ImageView<std::int16_t>);
template void source(const StereoPlan&, ImageView<std::int32_t>);

}  // namespace vergence::reference
