// SPDX-License-Identifier: Apache-2.0
// Half the size: the blur's rows, of which every second one is filtered down, at every second pixel.
#include <array>
#include <cstddef>
#include <cstdint>

#include "cpu/imgproc/blur_rows.hpp"

#define VERGENCE_SIMD_FILE "cpu/imgproc/half.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/imgproc/result-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The even ones of twice as many numbers.
template <class D>
HWY_INLINE hn::VFromD<D> LoadEven(D d, const hn::TFromD<D>* p) {
  hn::VFromD<D> even, odd;
  hn::LoadInterleaved2(d, p, even, odd);
  return even;
}

/// Whole vectors alone; returns how many pixels it did.
int HalfDownFloats(const float* const* rows, int count, float* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= count; x += lanes) {
    const auto load = [&](int k) { return LoadEven(d, rows[k] + 2 * x); };
    const auto outer = hn::Add(load(0), load(4));
    const auto inner = hn::Mul(hn::Set(d, 4.0f), hn::Add(load(1), load(3)));
    const auto middle = hn::Mul(hn::Set(d, 6.0f), load(2));
    hn::StoreU(Result(hn::Mul(hn::Add(hn::Add(outer, inner), middle), hn::Set(d, 0.0625f))), d, out + x);
  }
  return x;
}
int HalfDownBytes(const uint16_t* const* rows, int count, uint8_t* HWY_RESTRICT out) {
  const hn::ScalableTag<uint16_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= count; x += lanes) {
    const auto load = [&](int k) { return LoadEven(d, rows[k] + 2 * x); };
    const auto c = load(2);
    const auto four = hn::ShiftLeft<2>(hn::Add(hn::Add(load(1), load(3)), c));
    const auto sum = hn::Add(hn::Add(hn::Add(load(0), load(4)), hn::Add(c, c)), four);
    const auto pixel = hn::ShiftRight<8>(hn::Add(sum, hn::Set(d, uint16_t{128})));
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, pixel)), d8, out + x);
  }
  return x;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(HalfDownFloats);
VERGENCE_SIMD_EXPORT(HalfDownBytes);

namespace {

void half_down(const Context& context, const float* const* rows, int count, float* out) {
  for (int x = VERGENCE_DISPATCH(HalfDownFloats, context.target)(rows, count, out); x < count; ++x)
    out[x] = definitions::filter_result(
        definitions::blur_float(rows[0][2 * x], rows[1][2 * x], rows[2][2 * x], rows[3][2 * x], rows[4][2 * x]));
}
void half_down(const Context& context, const std::uint16_t* const* rows, int count, std::uint8_t* out) {
  for (int x = VERGENCE_DISPATCH(HalfDownBytes, context.target)(rows, count, out); x < count; ++x)
    out[x] = static_cast<std::uint8_t>(definitions::blur_pixel(
        definitions::blur_sum(rows[0][2 * x], rows[1][2 * x], rows[2][2 * x], rows[3][2 * x], rows[4][2 * x])));
}

}  // namespace

template <class P>
void half(Context& context, FilterScratch& scratch, ImageView<const P> in, ImageView<P> out, FilterBorder border) {
  using Sum = BlurSum<P>;
  const int width = in.width(), height = in.height();
  context.threads.rows(out.height(), filter_rows_worth_a_thread, [&](int first, int last, int worker) {
    const auto fill = [&](int v, int slot) {
      blur_across<P>(context, in.row(v), width, border, scratch.row<Sum>(worker, slot));
    };
    const auto finish = [&](int y, const std::array<int, 5>& slots) {
      std::array<const Sum*, 5> rows;
      for (std::size_t k = 0; k < 5; ++k)
        rows[k] = slots[k] < 0 ? scratch.zeros<Sum>() : scratch.row<Sum>(worker, slots[k]);
      half_down(context, rows.data(), out.width(), out.row(y / 2));
      if (border == FilterBorder::blank)
        for_edges(width, 2, [&](int x) {
          if (x % 2 == 0) out(x / 2, y / 2) = 0;
        });
    };
    walk_rows<2>(2 * first, 2 * last, 2, height, border, fill, finish,
                 [&](int y) { std::fill_n(out.row(y / 2), out.width(), P{0}); });
  });
}
template void half(Context&, FilterScratch&, ImageView<const float>, ImageView<float>, FilterBorder);
template void half(Context&, FilterScratch&, ImageView<const std::uint8_t>, ImageView<std::uint8_t>, FilterBorder);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
