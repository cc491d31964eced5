// SPDX-License-Identifier: Apache-2.0
// Scharr gradients of two rows, both in one pass, and from the same loads the sums down that the next level is made of.
#include <cstddef>
#include <cstdint>

#include "cpu/track/sweep.hpp"

#define VERGENCE_SIMD_FILE "cpu/track/gradients.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/motion/rows-inl.h"
#include "cpu/pair_products-inl.h"
#include "cpu/simd_shims-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Numbers of 16 bits from a vector of bytes: the first half of the bytes and the second.
template <class V>
struct Halves {
  V low, high;
  friend HWY_INLINE Halves operator+(Halves a, Halves b) { return {hn::Add(a.low, b.low), hn::Add(a.high, b.high)}; }
  friend HWY_INLINE Halves operator-(Halves a, Halves b) { return {hn::Sub(a.low, b.low), hn::Sub(a.high, b.high)}; }
};

/// kA a + kB b of bytes that came through LoadForHalves; sums fit 16 bits.
template <int kA, int kB, class V8>
HWY_INLINE auto Weighed(V8 a, V8 b) {
  const hn::DFromV<V8> d8;
  const hn::Repartition<int16_t, decltype(d8)> d16;
  const auto low = hn::InterleaveLower(a, b), high = hn::InterleaveUpper(d8, a, b);
#if HWY_ARCH_X86
  const auto weights = hn::Set(d16, static_cast<int16_t>((kA & 0xFF) | kB * 256));
  return Halves<hn::VFromD<decltype(d16)>>{PairsOfBytes(low, weights), PairsOfBytes(high, weights)};
#else
  const auto sum = [&](V8 pairs) {
    const auto first = hn::And(hn::BitCast(d16, pairs), hn::Set(d16, int16_t{0xFF}));
    const hn::RebindToUnsigned<decltype(d16)> du;
    const auto second = hn::BitCast(d16, hn::ShiftRight<8>(hn::BitCast(du, pairs)));
    return hn::Add(hn::Mul(first, hn::Set(d16, int16_t{kA})), hn::Mul(second, hn::Set(d16, int16_t{kB})));
  };
  return Halves<hn::VFromD<decltype(d16)>>{sum(low), sum(high)};
#endif
}

/// What the columns beside a pixel add to gradients: their difference times 3 and 10, and their sum times 3.
template <class V16>
struct RowTerms {
  Halves<V16> side, middle, smooth;
};

/// Both gradients of both rows, and the sums down, at the vector of bytes at x.
template <bool kStream, bool kSums, bool kEnd>
HWY_INLINE void TwoRowsAt(const TwoRows<uint8_t>& job, int x) {
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<int16_t> d16;
  using V16 = hn::VFromD<decltype(d16)>;
  const int lanes = static_cast<int>(hn::Lanes(d16));
  const auto load = [&](int row, int at) { return LoadForHalves(d8, job.rows[row] + x + at); };
  const auto terms = [&](int row) {
    const auto left = load(row, -1), right = load(row, 1);
    return RowTerms<V16>{Weighed<3, -3>(right, left), Weighed<10, -10>(right, left), Weighed<3, 3>(right, left)};
  };
  const auto above = load(1, 0), here = load(2, 0), below = load(3, 0), last = load(4, 0);
  const RowTerms<V16> a = terms(1), b = terms(2), c = terms(3), d = terms(4);
  const auto store = [&](V16 value, int16_t* to, int at) {
    if constexpr (kEnd) {  // what lies behind a row stays 0
      const int count = job.width - at;
      if (count > 0) hn::StoreU(hn::And(value, FirstLanes(d16, count)), d16, to + at);
    } else if constexpr (kStream) {
      hn::Stream(value, d16, to + at);
    } else {
      hn::StoreU(value, d16, to + at);
    }
  };
  const auto store_both = [&](Halves<V16> value, int16_t* to) {
    store(FirstHalf(d16, value.low, value.high), to, x);
    store(SecondHalf(d16, value.low, value.high), to, x + lanes);
  };
  store_both(a.side + b.middle + c.side, job.dx[0]);
  store_both(c.smooth - a.smooth + Weighed<10, -10>(below, above), job.dy[0]);
  store_both(b.side + c.middle + d.side, job.dx[1]);
  store_both(d.smooth - b.smooth + Weighed<10, -10>(last, here), job.dy[1]);
  if constexpr (kSums) {
    const hn::ScalableTag<uint16_t> du16;
    const hn::Rebind<uint8_t, decltype(d16)> half;
    const auto promoted = [&](int at) { return hn::PromoteTo(d16, hn::LoadU(half, job.rows[0] + x + at)); };
    const auto sums = Weighed<1, 6>(last, here) + Weighed<4, 4>(below, above);
    const auto first = hn::Add(FirstHalf(d16, sums.low, sums.high), promoted(0));
    const auto second = hn::Add(SecondHalf(d16, sums.low, sums.high), promoted(lanes));
    hn::StoreU(hn::BitCast(du16, first), du16, job.sums + x);
    hn::StoreU(hn::BitCast(du16, second), du16, job.sums + x + lanes);
  }
}

/// Columns beside the picture are those within, mirrored.
inline void MirrorSums(uint16_t* sums, int width) {
  for (const int k : {1, 2}) {
    sums[-k] = sums[k];
    sums[width - 1 + k] = sums[width - 1 - k];
  }
}

template <bool kStream, bool kSums>
HWY_INLINE void SweepBytes(const TwoRows<uint8_t>& given) {
  // Stores of vectors might change anything that is not a local variable, for all that compilers know.
  const TwoRows<uint8_t> job = given;
  const int lanes = static_cast<int>(hn::Lanes(hn::ScalableTag<uint8_t>()));
  int x = 0;
  for (; x + lanes <= job.width; x += lanes) TwoRowsAt<kStream, kSums, false>(job, x);
  if (x < job.width) TwoRowsAt<false, kSums, true>(job, x);
  if constexpr (kSums) MirrorSums(job.sums, job.width);
}
void TwoRowsBytes(const TwoRows<uint8_t>& job) {
  job.sums != nullptr ? SweepBytes<false, true>(job) : SweepBytes<false, false>(job);
}
void TwoRowsBytesStreamed(const TwoRows<uint8_t>& job) {
  job.sums != nullptr ? SweepBytes<true, true>(job) : SweepBytes<true, false>(job);
}

/// 3 (a + c) + 10 b.
template <class V>
HWY_INLINE V Along(V a, V b, V c) {
  const auto twice = hn::Add(b, b);
  const auto sum = hn::Add(hn::Add(a, c), twice);  // a + 2 b + c
  return hn::Add(hn::Add(sum, hn::Add(sum, sum)), hn::ShiftLeft<1>(twice));
}

/// Deeper pixels: sums need 32 bits, and a row is done by itself.
HWY_INLINE void GradientsOfWords(const uint16_t* above, const uint16_t* here, const uint16_t* below, int width,
                                 int shift, int16_t* HWY_RESTRICT dx, int16_t* HWY_RESTRICT dy) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<int16_t, decltype(d)> d16;
  const hn::Rebind<uint16_t, decltype(d)> du16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const auto load = [&](const uint16_t* row, int at) { return hn::PromoteTo(d, hn::LoadU(du16, row + x + at)); };
    const auto across = [&](const uint16_t* row) { return hn::Sub(load(row, 1), load(row, -1)); };
    const auto down = [&](int at) { return hn::Sub(load(below, at), load(above, at)); };
    const auto mask = FirstLanes(d16, width - x);
    const auto store = [&](hn::VFromD<decltype(d)> value, int16_t* to) {
      hn::StoreU(hn::And(hn::DemoteTo(d16, hn::ShiftRightSame(value, shift)), mask), d16, to + x);
    };
    store(Along(across(above), across(here), across(below)), dx);
    store(Along(down(-1), down(0), down(1)), dy);
  }
}
/// 1 4 6 4 1 down; at most 16 x 4095, so sums fit.
HWY_INLINE void SumsOfWords(const uint16_t* const* rows, int width, uint16_t* HWY_RESTRICT sums) {
  const hn::ScalableTag<uint16_t> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const auto load = [&](int row) { return hn::LoadU(d, rows[row] + x); };
    const auto here = load(2);
    const auto outer = hn::Add(load(0), load(4)), inner = hn::Add(load(1), load(3));
    hn::StoreU(hn::Add(hn::Add(outer, hn::Add(here, here)), hn::ShiftLeft<2>(hn::Add(inner, here))), d, sums + x);
  }
  MirrorSums(sums, width);
}
void TwoRowsWords(const TwoRows<uint16_t>& job) {
  for (int k = 0; k < 2; ++k)
    GradientsOfWords(job.rows[k + 1], job.rows[k + 2], job.rows[k + 3], job.width, job.shift, job.dx[k], job.dy[k]);
  if (job.sums != nullptr) SumsOfWords(job.rows, job.width, job.sums);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(TwoRowsBytes);
VERGENCE_SIMD_EXPORT(TwoRowsBytesStreamed);
VERGENCE_SIMD_EXPORT(TwoRowsWords);

TwoRowsFunction<std::uint8_t> two_rows(const Context& context, bool stream, const std::uint8_t* /*type*/) {
  return stream ? &VERGENCE_DISPATCH(TwoRowsBytesStreamed, context.target)
                : &VERGENCE_DISPATCH(TwoRowsBytes, context.target);
}
TwoRowsFunction<std::uint16_t> two_rows(const Context& context, bool /*stream*/, const std::uint16_t* /*type*/) {
  return &VERGENCE_DISPATCH(TwoRowsWords, context.target);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
