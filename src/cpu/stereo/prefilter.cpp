// SPDX-License-Identifier: Apache-2.0
// x-Sobel of one row, equal to reference/stereo/prefilter.cpp.
#define VERGENCE_SIMD_FILE "cpu/stereo/prefilter.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/rows.hpp"
#include "definitions/stereo/xsobel.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lanes hold int16 for 8-bit pixels (the derivative is within +-1020) and int32 for 16-bit ones. First the columns are
/// summed down, then neighbours subtracted: a piece of the row at a time, on the stack.
template <class P, class L>
HWY_INLINE void XSobelRow(const P* above, const P* row, const P* below, int width, int cap, uint8_t* out) {
  const hn::ScalableTag<L> d;
  const hn::Rebind<P, decltype(d)> pixels;
  const hn::Rebind<uint8_t, decltype(d)> bytes;
  const int n = static_cast<int>(hn::Lanes(d));
  const auto limit = hn::Set(d, static_cast<L>(cap)), lowest = hn::Set(d, static_cast<L>(-cap));
  const auto load = [&](const P* p) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(pixels, p)); };
  constexpr int kPiece = 256;
  alignas(64) L sums[kPiece + 2 * HWY_MAX_BYTES];
  out[0] = out[width - 1] = static_cast<uint8_t>(cap);
  int x = 1;
  while (x + n < width) {
    // Whole vectors of results from x on need the sums of columns x - 1 to x + count.
    const int count = std::min(kPiece, (width - 1 - x) / n * n);
    int i = 0;
    for (; i + n <= count + 2; i += n) {
      const auto middle = load(row + x - 1 + i);
      hn::StoreU(hn::Add(hn::Add(load(above + x - 1 + i), load(below + x - 1 + i)), hn::Add(middle, middle)), d,
                 sums + i);
    }
    for (; i < count + 2; ++i) {
      const int column = x - 1 + i;
      sums[i] = static_cast<L>(above[column] + 2 * row[column] + below[column]);
    }
    for (i = 0; i < count; i += n) {
      const auto derivative = hn::Sub(hn::LoadU(d, sums + i + 2), hn::LoadU(d, sums + i));
      const auto clipped = hn::Min(hn::Max(derivative, lowest), limit);
      hn::StoreU(hn::DemoteTo(bytes, hn::Add(clipped, limit)), bytes, out + x + i);
    }
    x += count;
  }
  for (; x < width - 1; ++x)
    out[x] = static_cast<uint8_t>(
        definitions::xsobel(above[x - 1], above[x + 1], row[x - 1], row[x + 1], below[x - 1], below[x + 1], cap));
}

void XSobelRow8(const uint8_t* above, const uint8_t* row, const uint8_t* below, int width, int cap, uint8_t* out) {
  XSobelRow<uint8_t, int16_t>(above, row, below, width, cap, out);
}
void XSobelRow16(const uint16_t* above, const uint16_t* row, const uint16_t* below, int width, int cap, uint8_t* out) {
  XSobelRow<uint16_t, int32_t>(above, row, below, width, cap, out);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(XSobelRow8);
VERGENCE_SIMD_EXPORT(XSobelRow16);

template <>
void xsobel_row(const Context& context, const std::uint8_t* above, const std::uint8_t* row, const std::uint8_t* below,
                int width, int cap, std::uint8_t* out) {
  VERGENCE_DISPATCH(XSobelRow8, context.target)(above, row, below, width, cap, out);
}
template <>
void xsobel_row(const Context& context, const std::uint16_t* above, const std::uint16_t* row,
                const std::uint16_t* below, int width, int cap, std::uint8_t* out) {
  VERGENCE_DISPATCH(XSobelRow16, context.target)(above, row, below, width, cap, out);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
