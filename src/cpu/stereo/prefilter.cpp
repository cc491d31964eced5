// SPDX-License-Identifier: Apache-2.0
// x-Sobel of one row, equal to reference/stereo/prefilter.cpp.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/stereo/prefilter.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include <cstdint>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/rows.hpp"
#include "definitions/stereo/xsobel.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lanes hold int16 for 8-bit pixels (the derivative is within +-1020) and int32 for 16-bit ones.
template <class P, class L>
HWY_INLINE void XSobelRow(const P* above, const P* row, const P* below, int width, int cap, uint8_t* out) {
  out[0] = out[width - 1] = static_cast<uint8_t>(cap);
  const hn::ScalableTag<L> d;
  const hn::Rebind<P, decltype(d)> pixels;
  const hn::Rebind<uint8_t, decltype(d)> bytes;
  const int n = static_cast<int>(hn::Lanes(d));
  const auto limit = hn::Set(d, static_cast<L>(cap));
  const auto lowest = hn::Set(d, static_cast<L>(-cap));
  const auto load = [&](const P* p) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(pixels, p)); };
  int x = 1;
  for (; x + n < width; x += n) {
    const auto side =
        hn::Add(hn::Sub(load(above + x + 1), load(above + x - 1)), hn::Sub(load(below + x + 1), load(below + x - 1)));
    const auto middle = hn::Sub(load(row + x + 1), load(row + x - 1));
    const auto derivative = hn::Add(side, hn::Add(middle, middle));
    const auto clipped = hn::Min(hn::Max(derivative, lowest), limit);
    hn::StoreU(hn::DemoteTo(bytes, hn::Add(clipped, limit)), bytes, out + x);
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

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(XSobelRow8);
HWY_EXPORT(XSobelRow16);

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
#endif  // HWY_ONCE
