// SPDX-License-Identifier: Apache-2.0
// Operations that Highway 1.0.3 lacks on some targets, one small function each: the generic form, and beside it the
// instruction where a target has one. Compiled once per target.

#if defined(VERGENCE_CPU_SIMD_SHIMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_SIMD_SHIMS_INL_H_
#undef VERGENCE_CPU_SIMD_SHIMS_INL_H_
#else
#define VERGENCE_CPU_SIMD_SHIMS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "cpu/pair_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// |a - b| of unsigned bytes.
template <class V>
HWY_INLINE V AbsDiff8(V a, V b) {
#if HWY_TARGET == HWY_NEON
  return V(vabdq_u8(a.raw, b.raw));
#else
  return hn::Sub(hn::Max(a, b), hn::Min(a, b));
#endif
}

/// Sums of |a - b| over each eight bytes, one per 64-bit lane.
template <class V>
HWY_INLINE auto SumsOf8AbsDiff8(V a, V b) {
#if HWY_TARGET == HWY_NEON || HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  return hn::SumsOf8(AbsDiff8(a, b));
#else
  using Sums = hn::VFromD<hn::Repartition<uint64_t, hn::DFromV<V>>>;
  if constexpr (sizeof(V) <= 16) {
    return Sums{_mm_sad_epu8(a.raw, b.raw)};
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  } else if constexpr (sizeof(V) == 32) {
    return Sums{_mm256_sad_epu8(a.raw, b.raw)};
#endif
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  } else {
    return Sums{_mm512_sad_epu8(a.raw, b.raw)};
#endif
  }
#endif
}

/// Position of the highest bit of a word that is not 0. Every processor with AVX2 has LZCNT, but compilers use it only
/// where the target's list names it, which Highway's does not: they take BSR, which is slow on many.
HWY_INLINE uint32_t HighestBit(uint64_t word) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  uint64_t zeros;
  __asm__("lzcntq %1, %0" : "=r"(zeros) : "r"(word) : "cc");
  return 63 ^ static_cast<uint32_t>(zeros);  // one instruction, 63 - zeros two
#else
  return 63 - static_cast<uint32_t>(__builtin_clzll(word));
#endif
}

/// kTimes times the set bits of each byte.
template <uint8_t kTimes, class V>
HWY_INLINE V PopCount8(V v) {
#if HWY_TARGET == HWY_AVX3_DL
  static_assert(kTimes == 1);
  return V{_mm512_popcnt_epi8(v.raw)};
#elif HWY_TARGET == HWY_NEON
  static_assert(kTimes == 1);
  return V(vcntq_u8(v.raw));
#else
  const hn::DFromV<V> d;
  const auto nibble = hn::Set(d, uint8_t{15});
  constexpr uint8_t n1 = kTimes, n2 = 2 * n1, n3 = 3 * n1, n4 = 4 * n1;
  alignas(16) static constexpr uint8_t kCounts[16] = {0, n1, n1, n2, n1, n2, n2, n3, n1, n2, n2, n3, n2, n3, n3, n4};
  const auto counts = hn::LoadDup128(d, kCounts);
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const auto high = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(d16, v))), nibble);
  return hn::Add(hn::TableLookupBytes(counts, hn::And(v, nibble)), hn::TableLookupBytes(counts, high));
#endif
}

/// A digit and a carry of the sum of three bits, at each bit.
template <class V>
struct BitSum {
  V digit, carry;
  HWY_INLINE BitSum(V a, V b, V c) {
    const V differ = hn::Xor(a, b);
    digit = hn::Xor(differ, c);
    carry = hn::Or(hn::And(a, b), hn::And(differ, c));
  }
};

/// Set bits of kCount vectors together, byte by byte. Without an instruction that counts, bits are first added up to
/// fewer vectors of digits (carry-save adders), since counting takes more instructions than adding.
template <size_t kCount, class V>
HWY_INLINE V PopCountAll8(const V (&v)[kCount]) {
  static_assert(kCount == 3 || kCount == 4 || kCount == 8);
#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_NEON
  V sum = PopCount8<1>(v[0]);
  for (size_t i = 1; i < kCount; ++i) sum = hn::Add(sum, PopCount8<1>(v[i]));
  return sum;
#else
  const BitSum<V> first(v[0], v[1], v[2]);
  if constexpr (kCount == 8) {
    const BitSum<V> second(v[3], v[4], v[5]), third(first.digit, second.digit, v[6]);
    const BitSum<V> twos(first.carry, second.carry, third.carry);
    return hn::Add(hn::Add(PopCount8<1>(third.digit), PopCount8<1>(v[7])),
                   hn::Add(PopCount8<2>(twos.digit), PopCount8<4>(twos.carry)));
  } else {
    const V sum = hn::Add(PopCount8<1>(first.digit), PopCount8<2>(first.carry));
    return kCount == 3 ? sum : hn::Add(sum, PopCount8<1>(v[kCount - 1]));
  }
#endif
}

/// Loads bytes in the order that makes InterleaveLower yield the first half of them and InterleaveUpper the second:
/// these work within blocks of 128 bits, so the 64-bit quarters are laid out as lower and upper halves of the blocks.
template <class D8>
HWY_INLINE hn::VFromD<D8> LoadForInterleave(D8 d, const uint8_t* HWY_RESTRICT p) {
#if HWY_TARGET == HWY_AVX2
  return hn::VFromD<D8>{_mm256_permute4x64_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)), 0xD8)};
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const __m512i order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
  return hn::VFromD<D8>{_mm512_permutexvar_epi64(order, _mm512_loadu_si512(p))};
#else
  return hn::LoadU(d, p);
#endif
}

/// The other way: bytes are loaded in order, and what InterleaveLower and InterleaveUpper made of them is put in order
/// at the end. With AVX2 an exchange of quarters takes longer than one of halves.
template <class D8>
HWY_INLINE hn::VFromD<D8> LoadForHalves(D8 d, const uint8_t* HWY_RESTRICT p) {
#if HWY_TARGET == HWY_AVX2
  return hn::LoadU(d, p);
#else
  return LoadForInterleave(d, p);
#endif
}
template <class D, class V>
HWY_INLINE V FirstHalf([[maybe_unused]] D d, V lower, [[maybe_unused]] V upper) {
#if HWY_TARGET == HWY_AVX2
  return hn::ConcatLowerLower(d, upper, lower);
#else
  return lower;
#endif
}
template <class D, class V>
HWY_INLINE V SecondHalf([[maybe_unused]] D d, [[maybe_unused]] V lower, V upper) {
#if HWY_TARGET == HWY_AVX2
  return hn::ConcatUpperUpper(d, upper, lower);
#else
  return upper;
#endif
}

/// The same for two interleaves, one after the other: the lower half's lower half comes first, then its upper half.
template <class D8>
HWY_INLINE hn::VFromD<D8> LoadForTwoInterleaves(D8 d, const uint8_t* HWY_RESTRICT p) {
#if HWY_TARGET == HWY_AVX2
  const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
  return hn::VFromD<D8>{_mm256_permutevar8x32_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)), order)};
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const __m512i order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
  return hn::VFromD<D8>{_mm512_permutexvar_epi32(order, _mm512_loadu_si512(p))};
#else
  return hn::LoadU(d, p);
#endif
}

/// sum_low += lower half of (plus - minus), sum_high += upper half; bytes that came through LoadForInterleave (or are
/// all equal), sums modulo 2^16.
template <class V8, class V16>
HWY_INLINE void AddDifference(V8 plus, V8 minus, V16& sum_low, V16& sum_high) {
  const hn::DFromV<V16> d16;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_AVX3 || \
    HWY_TARGET == HWY_AVX3_DL
  // One multiply-add per half: 1 * plus + (-1) * minus for each interleaved pair.
  const auto signs = hn::Set(d16, uint16_t{0xFF01});
  const auto low = hn::InterleaveLower(plus, minus);
  const auto high = hn::InterleaveUpper(hn::DFromV<V8>(), plus, minus);
#if HWY_TARGET == HWY_AVX2
  sum_low = hn::Add(sum_low, V16{_mm256_maddubs_epi16(low.raw, signs.raw)});
  sum_high = hn::Add(sum_high, V16{_mm256_maddubs_epi16(high.raw, signs.raw)});
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  sum_low = hn::Add(sum_low, V16{_mm512_maddubs_epi16(low.raw, signs.raw)});
  sum_high = hn::Add(sum_high, V16{_mm512_maddubs_epi16(high.raw, signs.raw)});
#else
  sum_low = hn::Add(sum_low, V16{_mm_maddubs_epi16(low.raw, signs.raw)});
  sum_high = hn::Add(sum_high, V16{_mm_maddubs_epi16(high.raw, signs.raw)});
#endif
#else
  const hn::DFromV<V8> d8;
  const auto zero = hn::Zero(d8);
  const auto widen_low = [&](V8 v) { return hn::BitCast(d16, hn::InterleaveLower(v, zero)); };
  const auto widen_high = [&](V8 v) { return hn::BitCast(d16, hn::InterleaveUpper(d8, v, zero)); };
  sum_low = hn::Add(sum_low, hn::Sub(widen_low(plus), widen_low(minus)));
  sum_high = hn::Add(sum_high, hn::Sub(widen_high(plus), widen_high(minus)));
#endif
}

/// Quarters of plus^2 - minus^2 on top of four sums modulo 2^32; bytes that came through LoadForTwoInterleaves.
template <class V8, class V32>
HWY_INLINE void AddDifferenceOfSquares(V8 plus, V8 minus, V32* sums) {
  const hn::DFromV<V32> d32;
  const hn::RepartitionToNarrow<hn::RebindToSigned<decltype(d32)>> d16;
  const hn::DFromV<V8> d8;
  // (plus - minus) x (plus + minus), whose halves of 16 bits come from two multiplications.
  const auto add = [&](auto difference, auto total, V32& first, V32& second) HWY_ATTR {
    const auto low = hn::Mul(difference, total), high = hn::MulHigh(difference, total);
    first = hn::Add(first, hn::BitCast(d32, hn::InterleaveLower(d16, low, high)));
    second = hn::Add(second, hn::BitCast(d32, hn::InterleaveUpper(d16, low, high)));
  };
#if HWY_ARCH_X86
  const auto lower = hn::InterleaveLower(d8, plus, minus), upper = hn::InterleaveUpper(d8, plus, minus);
  const auto one_less_one = hn::Set(d16, static_cast<int16_t>(0xFF01)), one_and_one = hn::Set(d16, int16_t{0x0101});
  add(PairsOfBytes(lower, one_less_one), PairsOfBytes(lower, one_and_one), sums[0], sums[1]);
  add(PairsOfBytes(upper, one_less_one), PairsOfBytes(upper, one_and_one), sums[2], sums[3]);
#else
  const auto zero = hn::Zero(d8);
  const auto a = hn::BitCast(d16, hn::InterleaveLower(d8, plus, zero)),
             b = hn::BitCast(d16, hn::InterleaveLower(d8, minus, zero)),
             c = hn::BitCast(d16, hn::InterleaveUpper(d8, plus, zero)),
             e = hn::BitCast(d16, hn::InterleaveUpper(d8, minus, zero));
  add(hn::Sub(a, b), hn::Add(a, b), sums[0], sums[1]);
  add(hn::Sub(c, e), hn::Add(c, e), sums[2], sums[3]);
#endif
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_SIMD_SHIMS_INL_H_
