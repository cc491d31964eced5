// SPDX-License-Identifier: Apache-2.0
// Scharr gradients of all levels, both in one pass.
#include <cstddef>
#include <cstdint>

#include "cpu/track_stages.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/track/gradients.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Numbers of the type of D from pixels.
template <class D, class P>
HWY_INLINE hn::VFromD<D> LoadAs(D d, const P* p) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<P, D>(), p));
}

/// 3 (a + c) + 10 b.
template <class V>
HWY_INLINE V Along(V a, V b, V c) {
  const auto twice = hn::Add(b, b);
  const auto sum = hn::Add(hn::Add(a, c), twice);  // a + 2 b + c
  return hn::Add(hn::Add(sum, hn::Add(sum, sum)), hn::ShiftLeft<1>(twice));
}

/// Sums of pixels of 8 bits fit 16 bits, deeper ones need 32. Rows of results begin where vectors do; with `kStream`
/// they go past the caches.
template <class Wide, bool kStream, class P>
HWY_INLINE void GradientRow(const P* in, std::ptrdiff_t stride, int width, int shift, int16_t* dx, int16_t* dy) {
  const hn::ScalableTag<Wide> d;
  const hn::Rebind<int16_t, decltype(d)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const P* const p = in + x;
    const auto store = [&](hn::VFromD<decltype(d)> value, int16_t* to) {
      if constexpr (kStream)
        hn::Stream(value, d, to);
      else if constexpr (sizeof(Wide) == 2)
        hn::StoreU(value, d, to);
      else
        hn::StoreU(hn::DemoteTo(d16, hn::ShiftRightSame(value, shift)), d16, to);
    };
    const auto difference = [&](std::ptrdiff_t at, std::ptrdiff_t step) {
      return hn::Sub(LoadAs(d, p + at + step), LoadAs(d, p + at - step));
    };
    store(Along(difference(-stride, 1), difference(0, 1), difference(stride, 1)), dx + x);
    store(Along(difference(-1, stride), difference(0, stride), difference(1, stride)), dy + x);
  }
}
void GradientRowBytes(const uint8_t* in, std::ptrdiff_t stride, int width, int shift, int16_t* dx, int16_t* dy) {
  GradientRow<int16_t, false>(in, stride, width, shift, dx, dy);
}
void GradientRowBytesStreamed(const uint8_t* in, std::ptrdiff_t stride, int width, int shift, int16_t* dx,
                              int16_t* dy) {
  GradientRow<int16_t, true>(in, stride, width, shift, dx, dy);
}
void GradientRowWords(const uint16_t* in, std::ptrdiff_t stride, int width, int shift, int16_t* dx, int16_t* dy) {
  GradientRow<int32_t, false>(in, stride, width, shift, dx, dy);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(GradientRowBytes);
HWY_EXPORT(GradientRowBytesStreamed);
HWY_EXPORT(GradientRowWords);

namespace {

using Row = std::int16_t*;

template <class P>
using RowFunction = void (*)(const P*, std::ptrdiff_t, int, int, Row, Row);

RowFunction<std::uint8_t> row_function(const Context& context, bool stream, const std::uint8_t* /*type*/) {
  return stream ? &VERGENCE_DISPATCH(GradientRowBytesStreamed, context.target)
                : &VERGENCE_DISPATCH(GradientRowBytes, context.target);
}
RowFunction<std::uint16_t> row_function(const Context& context, bool /*stream*/, const std::uint16_t* /*type*/) {
  return &VERGENCE_DISPATCH(GradientRowWords, context.target);
}

}  // namespace

template <class P>
void gradients(const TrackPlan& plan, Context& context, TrackPlanes<P>& frame) {
  constexpr int worth_a_thread = 32;                                // rows
  constexpr std::size_t larger_than_caches = std::size_t{1} << 20;  // bytes of one of both
  for (std::size_t level = 0; level < plan.levels.size(); ++level) {
    const TrackPlane<P>& picture = frame.pictures[level];
    TrackPlane<std::int16_t>&dx = frame.dx[level], &dy = frame.dy[level];
    // Few windows are read of large gradients; lines that are written in passing would be read first.
    const bool stream = dx.bytes() > larger_than_caches;
    // Vectors, of 128 elements at most, end with the row: nothing is written behind it, where zeros have been from the
    // start.
    const bool is_whole = picture.size().width % 128 == 0;
    const RowFunction<P> row = row_function(context, stream, picture.at(0, 0));
    context.threads.rows(picture.size().height, worth_a_thread, [&](int first, int last, int) {
      for (int y = first; y < last; ++y) {
        row(picture.at(0, y), picture.stride(), picture.size().width, plan.gradient_shift, dx.at(0, y), dy.at(0, y));
        if (!is_whole) {
          dx.clear_behind(y);
          dy.clear_behind(y);
        }
      }
      if (stream) hwy::FlushStream();
    });
  }
}
template void gradients(const TrackPlan&, Context&, TrackPlanes<std::uint8_t>&);
template void gradients(const TrackPlan&, Context&, TrackPlanes<std::uint16_t>&);

}  // namespace vergence::cpu
#endif  // HWY_ONCE
