// SPDX-License-Identifier: Apache-2.0
// Makes pixels invalid that show nothing.
#include <cstdint>
#include <cstring>

#include "cpu/postfilter/stages.hpp"

namespace vergence::cpu {

template <class T>
void source(const StereoPlan& plan, Context& context, ImageView<T> disparity) {
  constexpr int rows_per_band = 64;
  const Image<std::uint8_t>& own = plan.masks->of(plan.options.reference);
  const auto width = static_cast<std::size_t>(plan.size.width);
  const auto invalid = static_cast<T>(plan.invalid);
  context.threads.rows(plan.size.height, rows_per_band, [&](int first, int end, int) {
    for (int y = first; y < end; ++y) {
      const std::uint8_t* const mask = own.row(y);
      if (std::memchr(mask, 0, width) == nullptr) continue;
      T* const row = disparity.row(y);
      for (std::size_t x = 0; x < width; ++x) row[x] = mask[x] == 0 ? invalid : row[x];
    }
  });
}

template void source(const StereoPlan&, Context&, ImageView<std::int16_t>);
template void source(const StereoPlan&, Context&, ImageView<std::int32_t>);

}  // namespace vergence::cpu
