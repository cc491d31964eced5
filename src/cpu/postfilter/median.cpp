// SPDX-License-Identifier: Apache-2.0
// The median filter: tiles of columns, bands of rows, and in them vectors of windows.
#include <algorithm>
#include <cstdint>

#include "cpu/postfilter/stages.hpp"

#define VERGENCE_SIMD_FILE "cpu/postfilter/median.cpp"
#include "cpu/foreach_target.hpp"
// foreach_target.h comes first.
#include <hwy/highway.h>
#include "cpu/dispatch.hpp"
#include "cpu/postfilter/median_3x3-inl.h"
#include "cpu/postfilter/median_5x5-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

template <class Median, class T>
void MedianRows(ImageView<const T> in, ImageView<T> out, T invalid, int first, int last) {
  Median median(in, out, invalid);
  for (int x = 0; x < in.width(); x += kMedianTile<T>)
    median.Tile(x, std::min(kMedianTile<T>, in.width() - x), first, last);
}

void Median16(int window, ImageView<const std::int16_t> in, ImageView<std::int16_t> out, std::int16_t invalid,
              int first, int last) {
  if (window == 3) return MedianRows<Median3x3<std::int16_t>>(in, out, invalid, first, last);
  MedianRows<Median5x5<std::int16_t>>(in, out, invalid, first, last);
}
void Median32(int window, ImageView<const std::int32_t> in, ImageView<std::int32_t> out, std::int32_t invalid,
              int first, int last) {
  if (window == 3) return MedianRows<Median3x3<std::int32_t>>(in, out, invalid, first, last);
  MedianRows<Median5x5<std::int32_t>>(in, out, invalid, first, last);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(Median16);
VERGENCE_SIMD_EXPORT(Median32);

template <class T>
void median(const StereoPlan& plan, Context& context, ImageView<const T> in, ImageView<T> out) {
  constexpr int rows_per_band = 32;  // the fewest that are worth a thread
  const int window = plan.options.median;
  const auto invalid = static_cast<T>(plan.invalid);
  const auto band = [&](int first, int last, int) {
    if constexpr (sizeof(T) == 2)
      VERGENCE_DISPATCH(Median16, context.target)(window, in, out, invalid, first, last);
    else
      VERGENCE_DISPATCH(Median32, context.target)(window, in, out, invalid, first, last);
  };
  context.threads.rows(plan.size.height, rows_per_band, band);
}

template void median(const StereoPlan&, Context&, ImageView<const std::int16_t>, ImageView<std::int16_t>);
template void median(const StereoPlan&, Context&, ImageView<const std::int32_t>, ImageView<std::int32_t>);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
