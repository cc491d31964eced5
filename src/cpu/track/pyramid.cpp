// SPDX-License-Identifier: Apache-2.0
// The levels of a frame: each row is filtered down into one row, then across at every second pixel.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/track_stages.hpp"
#include "definitions/track/pyramid.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/track/pyramid.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::VFromD<D> LoadWords(D d, const uint8_t* p) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<uint8_t, D>(), p));
}
template <class D>
HWY_INLINE hn::VFromD<D> LoadWords(D d, const uint16_t* p) {
  return hn::LoadU(d, p);
}

/// 1 4 6 4 1 of five numbers.
template <class V>
HWY_INLINE V FiveTaps(V a, V b, V c, V d, V e) {
  return hn::Add(hn::Add(hn::Add(a, e), hn::Add(c, c)), hn::ShiftLeft<2>(hn::Add(hn::Add(b, d), c)));
}

/// Down: `count` sums of five rows that lie `stride` apart, the middle one at `in`; at most 16 x 4095, so they fit.
template <class P>
HWY_INLINE void Down(const P* in, std::ptrdiff_t stride, int count, uint16_t* HWY_RESTRICT out) {
  const hn::ScalableTag<uint16_t> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < count; x += lanes) {
    const P* const p = in + x;
    hn::StoreU(FiveTaps(LoadWords(d, p - 2 * stride), LoadWords(d, p - stride), LoadWords(d, p),
                        LoadWords(d, p + stride), LoadWords(d, p + 2 * stride)),
               d, out + x);
  }
}

/// Across, at every second of the sums, the first at `in`.
HWY_INLINE void Across(const uint16_t* HWY_RESTRICT in, int count, uint8_t* HWY_RESTRICT out) {
  const hn::ScalableTag<uint16_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < count; x += lanes) {
    hn::VFromD<decltype(d)> a, b, c, e, f, unused;
    hn::LoadInterleaved2(d, in + 2 * x - 2, a, b);
    hn::LoadInterleaved2(d, in + 2 * x, c, e);
    hn::LoadInterleaved2(d, in + 2 * x + 2, f, unused);
    const auto pixel = hn::ShiftRight<8>(hn::Add(FiveTaps(a, b, c, e, f), hn::Set(d, uint16_t{128})));
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, pixel)), d8, out + x);
  }
}
HWY_INLINE void Across(const uint16_t* HWY_RESTRICT in, int count, uint16_t* HWY_RESTRICT out) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < count; x += lanes) {
    hn::VFromD<decltype(d16)> a, b, c, e, f, unused;
    hn::LoadInterleaved2(d16, in + 2 * x - 2, a, b);
    hn::LoadInterleaved2(d16, in + 2 * x, c, e);
    hn::LoadInterleaved2(d16, in + 2 * x + 2, f, unused);
    const auto sum = FiveTaps(hn::PromoteTo(d, a), hn::PromoteTo(d, b), hn::PromoteTo(d, c), hn::PromoteTo(d, e),
                              hn::PromoteTo(d, f));
    const auto pixel = hn::ShiftRight<8>(hn::Add(sum, hn::Set(d, uint32_t{128})));
    hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, pixel)), d16, out + x);
  }
}

/// A row of a level from the row `in` of the one below. `sums` has room for a margin of 32 and vectors.
template <class P>
HWY_INLINE void HalfRow(const P* in, std::ptrdiff_t stride, int width, uint16_t* sums, P* out) {
  Down(in - 2, stride, width + 4, sums + 30);
  Across(sums + 32, (width + 1) / 2, out);
}
void HalfRowBytes(const uint8_t* in, std::ptrdiff_t stride, int width, uint16_t* sums, uint8_t* out) {
  HalfRow(in, stride, width, sums, out);
}
void HalfRowWords(const uint16_t* in, std::ptrdiff_t stride, int width, uint16_t* sums, uint16_t* out) {
  HalfRow(in, stride, width, sums, out);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(HalfRowBytes);
HWY_EXPORT(HalfRowWords);

namespace {

constexpr int worth_a_thread = 32;  // rows

template <class P>
using RowFunction = void (*)(const P*, std::ptrdiff_t, int, std::uint16_t*, P*);

RowFunction<std::uint8_t> row_function(const Context& context, const std::uint8_t* /*type*/) {
  return &VERGENCE_DISPATCH(HalfRowBytes, context.target);
}
RowFunction<std::uint16_t> row_function(const Context& context, const std::uint16_t* /*type*/) {
  return &VERGENCE_DISPATCH(HalfRowWords, context.target);
}

}  // namespace

template <class P>
void pyramid(const TrackPlan& plan, Context& context, TrackScratch& scratch, ImageView<const P> picture,
             TrackPlanes<P>& frame) {
  TrackPlane<P>& whole = frame.pictures[0];
  context.threads.rows(plan.size.height, worth_a_thread, [&](int first, int last, int) {
    for (int y = first; y < last; ++y) {
      const P* const from = picture.row(y);
      P* const to = whole.at(0, y);
      if (plan.dropped_bits == 0)
        std::copy_n(from, plan.size.width, to);
      else
        for (int x = 0; x < plan.size.width; ++x) to[x] = static_cast<P>(from[x] >> plan.dropped_bits);
      whole.mirror_row(y);
    }
  });
  whole.mirror_rows();
  const RowFunction<P> half_row = row_function(context, whole.at(0, 0));
  for (std::size_t level = 1; level < plan.levels.size(); ++level) {
    const TrackPlane<P>& fine = frame.pictures[level - 1];
    TrackPlane<P>& coarse = frame.pictures[level];
    context.threads.rows(coarse.size().height, worth_a_thread, [&](int first, int last, int worker) {
      std::uint16_t* const sums = scratch.rows[static_cast<std::size_t>(worker)].data();
      for (int y = first; y < last; ++y) {
        half_row(fine.at(0, 2 * y), fine.stride(), fine.size().width, sums, coarse.at(0, y));
        coarse.mirror_row(y);
      }
    });
    coarse.mirror_rows();
  }
}
template void pyramid(const TrackPlan&, Context&, TrackScratch&, ImageView<const std::uint8_t>,
                      TrackPlanes<std::uint8_t>&);
template void pyramid(const TrackPlan&, Context&, TrackScratch&, ImageView<const std::uint16_t>,
                      TrackPlanes<std::uint16_t>&);

TrackScratch::TrackScratch(const TrackPlan& plan, const Context& context) {
  const auto threads = static_cast<std::size_t>(context.threads.count());
  const auto width = static_cast<std::size_t>(plan.size.width);
  constexpr std::size_t room = 256;
  for (std::size_t i = 0; i < threads; ++i) windows.push_back(std::make_unique<TrackWindows>());
  rows.assign(threads, std::vector<std::uint16_t>(width + room));
  sums.resize(threads);
  scores.resize(threads);
  columns.resize(threads);
  found.resize(threads);
  best.resize(threads);
}

std::size_t TrackScratch::bytes() const {
  std::size_t total = windows.size() * sizeof(TrackWindows);
  for (const auto& one : rows) total += one.capacity() * sizeof(std::uint16_t);
  for (const auto& one : sums) total += one.capacity() * sizeof(std::int32_t);
  for (const auto& one : columns) total += one.capacity() * sizeof(std::int32_t);
  for (const auto& one : scores) total += one.capacity() * sizeof(double);
  for (const auto& one : found) total += one.capacity() * sizeof(backend::Corner);
  return total;
}

}  // namespace vergence::cpu
#endif  // HWY_ONCE
