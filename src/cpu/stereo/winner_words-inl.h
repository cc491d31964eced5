// SPDX-License-Identifier: Apache-2.0
// Winners of pixels whose candidates' bits fit a word of 64. Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_WINNER_WORDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_WINNER_WORDS_INL_H_
#undef VERGENCE_CPU_STEREO_WINNER_WORDS_INL_H_
#else
#define VERGENCE_CPU_STEREO_WINNER_WORDS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cpu/simd_shims-inl.h"
#include "cpu/stereo/slab.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What is asked about the winners.
struct WinnerWants {
  bool highest = false;     ///< Of equal costs the highest candidate wins.
  bool second = false;      ///< The second-best candidate's cost.
  bool neighbours = false;  ///< The costs beside the winner.
  bool far_end = false;     ///< The other end of the candidates that cost as little.
  int ratio = 0;            ///< > 0: of second-best candidates only those within that percentage matter.
};

/// Position of the lowest (or highest) set bit of a word that is not 0.
template <bool kHighest>
HWY_INLINE int EndBit(uint64_t word) {
  return kHighest ? static_cast<int>(HighestBit(word)) : __builtin_ctzll(word);
}

/// Costs beside candidate k of a slab row.
template <class S>
HWY_INLINE void TakeNear(const S* row, size_t k, NearCosts<S>* near) {
  std::memcpy(near, row - 1 + k, sizeof(NearCosts<S>));
}

#undef VERGENCE_WINNER_WORDS
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define VERGENCE_WINNER_WORDS 1
/// Whether another comparison of all costs serves the uniqueness rule in the place of the second-best cost.
inline constexpr bool compares_for_uniqueness = true;
/// For these numbers of vectors of costs there is a short way to a word of bits.
template <int kVectors, class S>
constexpr bool fits_word = sizeof(S) == 2 ? kVectors == 1 || kVectors == 2 : sizeof(S) == 4 && kVectors == 4;
/// Where costs equal `value`, or are at most as large.
struct Equal {
  static HWY_INLINE __mmask32 Of(uint16_t, __m512i cost, __m512i value) { return _mm512_cmpeq_epi16_mask(cost, value); }
  static HWY_INLINE __mmask16 Of(uint32_t, __m512i cost, __m512i value) { return _mm512_cmpeq_epi32_mask(cost, value); }
};
struct AtMost {
  static HWY_INLINE __mmask32 Of(uint16_t, __m512i cost, __m512i value) { return _mm512_cmple_epu16_mask(cost, value); }
  static HWY_INLINE __mmask16 Of(uint32_t, __m512i cost, __m512i value) { return _mm512_cmple_epu32_mask(cost, value); }
};
template <int kVectors, class Compare, class S>
HWY_INLINE uint64_t BitsOf(const S* row, S value) {
  const hn::ScalableTag<S> d;
  const auto all = hn::Set(d, value);
  const auto compare = [&](size_t v)
                           HWY_ATTR { return Compare::Of(S{}, hn::Load(d, row + v * hn::Lanes(d)).raw, all.raw); };
  if constexpr (kVectors == 1) return compare(0);
  if constexpr (kVectors == 2) return static_cast<uint64_t>(_mm512_kunpackd(compare(1), compare(0)));
  return static_cast<uint64_t>(
      _mm512_kunpackd(_mm512_kunpackw(compare(3), compare(2)), _mm512_kunpackw(compare(1), compare(0))));
}
#elif HWY_TARGET == HWY_AVX2
#define VERGENCE_WINNER_WORDS 1
inline constexpr bool compares_for_uniqueness = false;  // a tournament takes half of the instructions
struct AtMost;
template <int kVectors, class S>
constexpr bool fits_word = sizeof(S) == 2 ? kVectors == 1 || kVectors == 2 || kVectors == 4
                                          : sizeof(S) == 4 && kVectors == 8;
struct Equal {
  template <class V>
  static HWY_INLINE auto Of(V cost, V value) {
    return hn::Eq(cost, value);
  }
};
/// Vectors are narrowed to bytes two at a time, their halves apart, which exchanges quarters or eighths.
template <int kVectors, class Compare, class S>
HWY_INLINE uint64_t BitsOf(const S* row, S value) {
  const hn::ScalableTag<S> d;
  const auto all = hn::Set(d, value);
  const auto compare = [&](size_t v) HWY_ATTR {
    return hn::VecFromMask(d, Compare::Of(hn::Load(d, row + v * hn::Lanes(d)), all)).raw;
  };
  const auto bits = [](__m256i bytes) HWY_ATTR { return uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(bytes))}; };
  const auto two = [&](__m256i low, __m256i high)
                       HWY_ATTR { return bits(_mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8)); };
  const auto four = [&](size_t v) HWY_ATTR {
    const __m256i low = _mm256_packs_epi32(compare(v), compare(v + 1));
    const __m256i high = _mm256_packs_epi32(compare(v + 2), compare(v + 3));
    return bits(_mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
  };
  if constexpr (sizeof(S) == 4) return four(0) | four(4) << 32;
  if constexpr (kVectors == 1) return two(compare(0), _mm256_setzero_si256());
  if constexpr (kVectors == 2) return two(compare(0), compare(1));
  if constexpr (kVectors == 4) return two(compare(0), compare(1)) | two(compare(2), compare(3)) << 32;
}
#endif

#ifdef VERGENCE_WINNER_WORDS
/// All bits of a pixel are in a register. With a ratio, results.second becomes 0 where a
/// second-best candidate costs at most (100 + ratio) % of the winner and none elsewhere: all that the uniqueness rule
/// needs, at less than the price of a second best.
template <int kVectors, bool kHighest, bool kNeighbours, bool kSecondBest, bool kFarEnd, class S>
HWY_INLINE void LocateInRegister(const S* slab, std::ptrdiff_t stride, int pixels, int ratio,
                                 const RowResults<S>& results) {
  const S* HWY_RESTRICT cost = results.cost;
  int32_t* HWY_RESTRICT candidate = results.candidate;
  int32_t* HWY_RESTRICT far_end = results.far_end;
  NearCosts<S>* HWY_RESTRICT near = results.near;
  S* HWY_RESTRICT second = results.second;
  S limits[MatchLayout::chunk];
  if constexpr (kSecondBest) {
    using Product = std::conditional_t<sizeof(S) == 2, uint32_t, uint64_t>;
    const auto percent = static_cast<Product>(100 + ratio);
    for (int x = 0; x < MatchLayout::chunk; ++x) {
      const Product limit = percent * cost[x] / 100;
      limits[x] = static_cast<S>(limit < none<S> ? limit : none<S> - 1);
    }
  }
  for (int x = 0; x < pixels; ++x, slab += stride) {
    const uint64_t word = BitsOf<kVectors, Equal>(slab, cost[x]);
    const auto k = static_cast<uint32_t>(EndBit<kHighest>(word));
    candidate[x] = static_cast<int32_t>(k);
    if (kFarEnd) far_end[x] = EndBit<!kHighest>(word);
    if (kNeighbours) TakeNear(slab, k, near + x);
    if constexpr (kSecondBest) {
      const uint64_t cheap = BitsOf<kVectors, AtMost>(slab, limits[x]);
      const uint64_t own = uint64_t{1} << k;
      second[x] = (cheap & ~(own | own << 1 | own >> 1)) != 0 ? 0 : none<S>;
    }
  }
}

template <int kVectors, bool kHighest, class S>
HWY_INLINE void LocateByRegister(const S* slab, std::ptrdiff_t stride, int pixels, const WinnerWants& wants,
                                 const RowResults<S>& results) {
  if (compares_for_uniqueness && wants.ratio > 0)
    LocateInRegister<kVectors, kHighest, true, compares_for_uniqueness, false>(slab, stride, pixels, wants.ratio,
                                                                               results);
  else if (wants.neighbours && wants.far_end)
    LocateInRegister<kVectors, kHighest, true, false, true>(slab, stride, pixels, 0, results);
  else if (wants.neighbours)
    LocateInRegister<kVectors, kHighest, true, false, false>(slab, stride, pixels, 0, results);
  else if (wants.far_end)
    LocateInRegister<kVectors, kHighest, false, false, true>(slab, stride, pixels, 0, results);
  else
    LocateInRegister<kVectors, kHighest, false, false, false>(slab, stride, pixels, 0, results);
}
#endif

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_WINNER_WORDS_INL_H_
