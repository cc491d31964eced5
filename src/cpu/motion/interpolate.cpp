// SPDX-License-Identifier: Apache-2.0
// HEVC's filters on vectors of 32-bit sums.
#include "cpu/motion/interpolate.hpp"

#define VERGENCE_SIMD_FILE "cpu/motion/interpolate.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <algorithm>

#include "cpu/dispatch.hpp"
#include "definitions/motion/interpolate.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DFilter = hn::CappedTag<int32_t, 16>;
using VFilter = hn::VFromD<DFilter>;

/// Filters a rectangle; kTaps is 8 or 4.
template <class P, int kTaps>
class Filtering {
 public:
  Filtering(const Interpolation& filters, std::ptrdiff_t stride, int width, int height)
      : filters_(filters), stride_(stride), width_(width), height_(height) {}

  void Run(const P* from, int32_t* HWY_RESTRICT scratch, P* HWY_RESTRICT out) const {
    const int shift = definitions::first_shift(filters_.depth);
    const P* const left = from + filters_.first;
    const std::ptrdiff_t above = filters_.first * stride_;
    if (!filters_.down) {
      Each([&](int x, int y) { return hn::ShiftRightSame(Sum(left + y * stride_ + x, 1, filters_.x), shift); }, height_,
           [&](int x, int y, VFilter sum) { Store(sum, out + y * 64 + x); });
    } else if (!filters_.across) {
      Each([&](int x,
               int y) { return hn::ShiftRightSame(Sum(from + above + y * stride_ + x, stride_, filters_.y), shift); },
           height_, [&](int x, int y, VFilter sum) { Store(sum, out + y * 64 + x); });
    } else {
      constexpr int pitch = Interpolation::pitch;
      Each([&](int x, int y) { return hn::ShiftRightSame(Sum(left + above + y * stride_ + x, 1, filters_.x), shift); },
           height_ + kTaps - 1,
           [&](int x, int y, VFilter sum) { hn::StoreU(sum, DFilter(), scratch + y * pitch + x); });
      Each([&](int x, int y) { return hn::ShiftRight<6>(Sum(scratch + y * pitch + x, pitch, filters_.y)); }, height_,
           [&](int x, int y, VFilter sum) { Store(sum, out + y * 64 + x); });
    }
  }

 private:
  template <class Make, class Take>
  HWY_INLINE void Each(Make&& make, int rows, Take&& take) const {
    const int lanes = static_cast<int>(hn::Lanes(DFilter()));
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < width_; x += lanes) take(x, y, make(x, y));
  }
  static HWY_INLINE VFilter Load(const int32_t* p) { return hn::LoadU(DFilter(), p); }
  template <class T>
  static HWY_INLINE VFilter Load(const T* p) {
    return hn::PromoteTo(DFilter(), hn::LoadU(hn::Rebind<T, DFilter>(), p));
  }
  template <class T>
  static HWY_INLINE VFilter Sum(const T* p, std::ptrdiff_t step, const std::array<int32_t, 8>& weights) {
    auto sum = hn::Mul(Load(p), hn::Set(DFilter(), weights[0]));
    for (int k = 1; k < kTaps; ++k)
      sum = hn::Add(sum, hn::Mul(Load(p + k * step), hn::Set(DFilter(), weights[static_cast<size_t>(k)])));
    return sum;
  }
  /// From 14 bits back to a pixel.
  HWY_INLINE void Store(VFilter value, P* to) const {
    const int shift = filters_.depth < 12 ? 14 - filters_.depth : 2;
    const auto rounded = hn::ShiftRightSame(hn::Add(value, hn::Set(DFilter(), 1 << (shift - 1))), shift);
    const auto clipped =
        hn::Min(hn::Max(rounded, hn::Zero(DFilter())), hn::Set(DFilter(), int32_t{filters_.max_pixel}));
    const hn::Rebind<P, DFilter> pixels;
    hn::StoreU(hn::DemoteTo(pixels, clipped), pixels, to);
  }

  const Interpolation& filters_;
  std::ptrdiff_t stride_;
  int width_, height_;
};

template <class P>
HWY_INLINE void RunFilters(const Interpolation& filters, const P* from, std::ptrdiff_t stride, int width, int height,
                           int32_t* scratch, P* out) {
  if (!filters.across && !filters.down) {
    for (int y = 0; y < height; ++y) std::copy_n(from + y * stride, width, out + y * 64);
  } else if (filters.taps == 8) {
    Filtering<P, 8>(filters, stride, width, height).Run(from, scratch, out);
  } else {
    Filtering<P, 4>(filters, stride, width, height).Run(from, scratch, out);
  }
}

void InterpolateBytes(const Interpolation& filters, const uint8_t* from, std::ptrdiff_t stride, int width, int height,
                      int32_t* scratch, uint8_t* out) {
  RunFilters(filters, from, stride, width, height, scratch, out);
}
void InterpolateWords(const Interpolation& filters, const uint16_t* from, std::ptrdiff_t stride, int width, int height,
                      int32_t* scratch, uint16_t* out) {
  RunFilters(filters, from, stride, width, height, scratch, out);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(InterpolateBytes);
VERGENCE_SIMD_EXPORT(InterpolateWords);

template <>
Interpolate<std::uint8_t> interpolate(std::int64_t target) {
  return HWY_DISPATCH_TABLE(InterpolateBytes)[dispatch_index(target)];
}
template <>
Interpolate<std::uint16_t> interpolate(std::int64_t target) {
  return HWY_DISPATCH_TABLE(InterpolateWords)[dispatch_index(target)];
}

namespace {

Interpolation filters_of(int taps, int first, int fraction_x, int fraction_y, int max_pixel, int (*weight)(int, int)) {
  Interpolation filters;
  filters.taps = taps;
  filters.first = first;
  filters.across = fraction_x != 0;
  filters.down = fraction_y != 0;
  for (int k = 0; k < taps; ++k) {
    filters.x[static_cast<std::size_t>(k)] = weight(fraction_x, k);
    filters.y[static_cast<std::size_t>(k)] = weight(fraction_y, k);
  }
  filters.depth = definitions::interpolation_depth(max_pixel);
  filters.max_pixel = max_pixel;
  return filters;
}

}  // namespace

Interpolation Interpolation::luma(int fraction_x, int fraction_y, int max_pixel) {
  return filters_of(8, -3, fraction_x, fraction_y, max_pixel, definitions::luma_tap);
}
Interpolation Interpolation::chroma(int fraction_x, int fraction_y, int max_pixel) {
  return filters_of(4, -1, fraction_x, fraction_y, max_pixel, definitions::chroma_tap);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
