// SPDX-License-Identifier: Apache-2.0
// The winner of each pixel of a slab (rows of candidates' costs): smallest cost, its candidate, the neighbours' costs
// and the best cost more than one candidate away. Minima of many pixels are found together by a tournament of
// interleaved vectors, the candidate by comparing all lanes with the minimum. Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_WINNER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_WINNER_INL_H_
#undef VERGENCE_CPU_STEREO_WINNER_INL_H_
#else
#define VERGENCE_CPU_STEREO_WINNER_INL_H_
#endif

#include <cstdint>
#include <cstring>
#include <limits>

#include "cpu/simd_shims-inl.h"
#include "cpu/stereo/layout.hpp"
#include "cpu/stereo/row_results.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lanewise minimum over the `vectors` vectors at `costs`; kVectors > 0 fixes their number.
template <int kVectors, class D>
HWY_INLINE hn::VFromD<D> FoldMin(D d, const hn::TFromD<D>* costs, int vectors) {
  const size_t n = hn::Lanes(d);
  auto least = hn::Load(d, costs);
  const int count = kVectors > 0 ? kVectors : vectors;
  for (int v = 1; v < count; ++v) least = hn::Min(least, hn::Load(d, costs + static_cast<size_t>(v) * n));
  return least;
}

/// Tournament of 2^kLevel pixels, `step` slab rows apart: lane i of each 128-bit block holds the minimum of pixel i
/// over the candidates that lie in that block.
template <int kLevel, int kVectors, class D>
HWY_INLINE hn::VFromD<D> BlockMinima(D d, const hn::TFromD<D>* slab, std::ptrdiff_t step, int vectors) {
  if constexpr (kLevel == 0) {
    return FoldMin<kVectors>(d, slab, vectors);
  } else {
    const auto even = BlockMinima<kLevel - 1, kVectors>(d, slab, 2 * step, vectors);
    const auto odd = BlockMinima<kLevel - 1, kVectors>(d, slab + step, 2 * step, vectors);
    return hn::Min(hn::InterleaveLower(even, odd), hn::InterleaveUpper(d, even, odd));
  }
}

/// Minima of Lanes(d) pixels.
template <int kVectors, class D>
HWY_INLINE hn::VFromD<D> Minima(D d, const hn::TFromD<D>* slab, std::ptrdiff_t stride, int vectors) {
  constexpr int kPerBlock = static_cast<int>(16 / sizeof(hn::TFromD<D>));
  constexpr int kLevel = kPerBlock == 8 ? 3 : 2;
  const auto a = BlockMinima<kLevel, kVectors>(d, slab, stride, vectors);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const auto b = BlockMinima<kLevel, kVectors>(d, slab + kPerBlock * stride, stride, vectors);
  const auto ab = hn::Min(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
#if HWY_TARGET == HWY_AVX2
  return ab;
#else
  using V = hn::VFromD<D>;
  const auto c = BlockMinima<kLevel, kVectors>(d, slab + 2 * kPerBlock * stride, stride, vectors);
  const auto e = BlockMinima<kLevel, kVectors>(d, slab + 3 * kPerBlock * stride, stride, vectors);
  const auto ce = hn::Min(hn::ConcatLowerLower(d, e, c), hn::ConcatUpperUpper(d, e, c));
  return hn::Min(V{_mm512_shuffle_i64x2(ab.raw, ce.raw, 0x88)}, V{_mm512_shuffle_i64x2(ab.raw, ce.raw, 0xDD)});
#endif
#else
  static_assert(HWY_TARGET != HWY_RVV, "blocks of 128 bits are combined for fixed vector sizes only");
  return a;
#endif
}

/// Minimum of each of MatchLayout::chunk slab rows.
template <int kVectors, class S>
HWY_INLINE void ChunkMinima(const S* slab, std::ptrdiff_t stride, int vectors, S* out) {
  const hn::ScalableTag<S> d;
  const int n = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < MatchLayout::chunk; x += n)
    hn::StoreU(Minima<kVectors>(d, slab + x * stride, stride, vectors), d, out + x);
}

/// Where each candidate equals its pixel's minimum: one bit each, at least 8 to a vector, `step` bytes to a pixel.
template <int kVectors, class S>
HWY_INLINE void MatchBits(const S* slab, std::ptrdiff_t stride, int vectors, const S* minima, int pixels, size_t step,
                          uint8_t* bits) {
  const hn::ScalableTag<S> d;
  const size_t n = hn::Lanes(d);
  const size_t bytes = n < 8 ? 1 : n / 8;
  const int count = kVectors > 0 ? kVectors : vectors;
  for (int x = 0; x < pixels; ++x) {
    const auto minimum = hn::Set(d, minima[x]);
    for (int v = 0; v < count; ++v)
      hn::StoreMaskBits(d, hn::Eq(hn::Load(d, slab + static_cast<size_t>(v) * n), minimum),
                        bits + static_cast<size_t>(v) * bytes);
    slab += stride;
    bits += step;
  }
}

/// Position of the lowest (or highest) set bit in `words` words; any if none is set.
template <bool kHighest, int kWords>
HWY_INLINE int PickBit(const uint8_t* bits, int words) {
  int bit = 0;
  const int count = kWords > 0 ? kWords : words;
  for (int i = 0; i < count; ++i) {
    const int w = kHighest ? i : count - 1 - i, byte = 8 * w;
    uint64_t word = 0;
    std::memcpy(&word, bits + byte, 8);
    const int found =
        64 * w + (kHighest ? static_cast<int>(HighestBit(word | 1)) : __builtin_ctzll(word | (uint64_t{1} << 63)));
    bit = kWords == 1 || word != 0 ? found : bit;
  }
  return bit;
}

/// Candidates of `pixels` slab rows by way of the bits.
template <bool kHighest, int kWords, class S>
HWY_INLINE void PickCandidates(const uint8_t* bits, int words, int pixels, int32_t* HWY_RESTRICT candidate) {
  constexpr bool kSparse = HWY_MAX_BYTES / sizeof(S) < 8;  // vectors of fewer than 8 candidates
  const std::ptrdiff_t step = kWords > 0 ? kWords * 8 : words * 8;
  for (int x = 0; x < pixels; ++x, bits += step) {
    int k = PickBit<kHighest, kWords>(bits, words);
    if (kSparse) k = k / 8 * static_cast<int>(hn::Lanes(hn::ScalableTag<S>())) + k % 8;
    candidate[x] = k;
  }
}

/// Costs beside candidate k of a slab row.
template <class S>
HWY_INLINE void TakeNear(const S* row, size_t k, NearCosts<S>* near) {
  std::memcpy(near, row - 1 + k, sizeof(NearCosts<S>));
}

template <int kVectors, class S>
HWY_INLINE void LocateByBits(const S* slab, std::ptrdiff_t stride, int vectors, int pixels, bool highest,
                             MatchBitsBuffer& buffer, const RowResults<S>& results) {
  const int lanes = static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  const int words = (vectors * (lanes < 8 ? 8 : lanes) + 63) / 64;
  uint8_t* bits = buffer.get(static_cast<size_t>(words) * 8 * MatchLayout::chunk, vectors);
  MatchBits<kVectors, S>(slab, stride, vectors, results.cost, pixels, static_cast<size_t>(words) * 8, bits);
  if (words == 1 && highest)
    PickCandidates<true, 1, S>(bits, 1, pixels, results.candidate);
  else if (words == 1)
    PickCandidates<false, 1, S>(bits, 1, pixels, results.candidate);
  else if (highest)
    PickCandidates<true, 0, S>(bits, words, pixels, results.candidate);
  else
    PickCandidates<false, 0, S>(bits, words, pixels, results.candidate);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// Which of 32 or 64 costs the comparison holds for.
template <int kVectors, class Compare>
HWY_INLINE uint64_t BitsOf(const uint16_t* row, Compare compare) {
  const hn::ScalableTag<uint16_t> d;
  const __mmask32 low = compare(hn::Load(d, row).raw);
  if constexpr (kVectors == 1) return low;
  return static_cast<uint64_t>(_mm512_kunpackd(compare(hn::Load(d, row + 32).raw), low));
}

/// Where a pixel has up to 64 candidates all its bits fit a register. With a ratio, results.second becomes 0 where a
/// second-best candidate costs at most (100 + ratio) % of the winner and none elsewhere: all that the uniqueness rule
/// needs, at less than the price of a second best.
template <int kVectors, bool kHighest, bool kNeighbours, bool kSecondBest>
HWY_INLINE void LocateInRegister(const uint16_t* slab, std::ptrdiff_t stride, int pixels, int ratio,
                                 const RowResults<uint16_t>& results) {
  const uint16_t* HWY_RESTRICT cost = results.cost;
  int32_t* HWY_RESTRICT candidate = results.candidate;
  NearCosts<uint16_t>* HWY_RESTRICT near = results.near;
  uint16_t* HWY_RESTRICT second = results.second;
  uint16_t limits[MatchLayout::chunk];
  if (kSecondBest) {
    const auto percent = static_cast<uint32_t>(100 + ratio);
    for (int x = 0; x < MatchLayout::chunk; ++x) {
      const uint32_t limit = percent * cost[x] / 100;
      limits[x] = static_cast<uint16_t>(limit < none<uint16_t> ? limit : none<uint16_t> - 1);
    }
  }
  for (int x = 0; x < pixels; ++x, slab += stride) {
    const __m512i minimum = _mm512_set1_epi16(static_cast<int16_t>(cost[x]));
    const uint64_t word =
        BitsOf<kVectors>(slab, [&](__m512i c) HWY_ATTR { return _mm512_cmpeq_epi16_mask(c, minimum); });
    const uint32_t k = kHighest ? HighestBit(word) : static_cast<uint32_t>(__builtin_ctzll(word));
    candidate[x] = static_cast<int32_t>(k);
    if (kNeighbours) TakeNear(slab, k, near + x);
    if (kSecondBest) {
      const __m512i limit = _mm512_set1_epi16(static_cast<int16_t>(limits[x]));
      const uint64_t cheap =
          BitsOf<kVectors>(slab, [&](__m512i c) HWY_ATTR { return _mm512_cmple_epu16_mask(c, limit); });
      const uint64_t own = uint64_t{1} << k;
      second[x] = (cheap & ~(own | own << 1 | own >> 1)) != 0 ? 0 : none<uint16_t>;
    }
  }
}

template <int kVectors, bool kHighest>
HWY_INLINE void LocateByRegister(const uint16_t* slab, std::ptrdiff_t stride, int pixels, bool want_neighbours,
                                 int ratio, const RowResults<uint16_t>& results) {
  if (ratio > 0)
    LocateInRegister<kVectors, kHighest, true, true>(slab, stride, pixels, ratio, results);
  else if (want_neighbours)
    LocateInRegister<kVectors, kHighest, true, false>(slab, stride, pixels, 0, results);
  else
    LocateInRegister<kVectors, kHighest, false, false>(slab, stride, pixels, 0, results);
}
#endif

/// Candidates and near costs; true if results.second is settled too, in the way of LocateInRegister.
template <int kVectors, class S>
HWY_INLINE bool Locate(const S* slab, std::ptrdiff_t stride, int vectors, int pixels, bool highest,
                       bool want_neighbours, [[maybe_unused]] int ratio, MatchBitsBuffer& buffer,
                       const RowResults<S>& results) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr ((kVectors == 1 || kVectors == 2) && sizeof(S) == 2) {
    if (highest)
      LocateByRegister<kVectors, true>(slab, stride, pixels, want_neighbours, ratio, results);
    else
      LocateByRegister<kVectors, false>(slab, stride, pixels, want_neighbours, ratio, results);
    return ratio > 0;
  }
#endif
  LocateByBits<kVectors>(slab, stride, vectors, pixels, highest, buffer, results);
  if (want_neighbours)
    for (int x = 0; x < pixels; ++x)
      TakeNear(slab + x * stride, static_cast<size_t>(results.candidate[x]), results.near + x);
  return false;
}

/// Winners of `pixels` slab rows of `lanes` candidates; kVectors > 0 fixes the number of their vectors. The slab's
/// entries beside each winner are overwritten when a second best is wanted. ratio > 0: of second-best
/// candidates only those within that percentage matter.
template <int kVectors, class S>
HWY_NOINLINE void FindWinnersOf(const MatchLayout& layout, S* slab, int pixels, int lanes, bool highest,
                                bool want_second, bool want_neighbours, int ratio, MatchBitsBuffer& buffer,
                                const RowResults<S>& results) {
  const std::ptrdiff_t stride = layout.slab_stride();
  const int vectors = lanes / static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  ChunkMinima<kVectors, S>(slab, stride, vectors, results.cost);
  if (Locate<kVectors>(slab, stride, vectors, pixels, highest, want_neighbours, ratio, buffer, results)) return;
  if (!want_second) return;
  for (int x = 0; x < pixels; ++x) {
    S* row = slab + x * stride + results.candidate[x];
    row[-1] = row[0] = row[1] = none<S>;
  }
  ChunkMinima<kVectors, S>(slab, stride, vectors, results.second);
}

/// The usual numbers of vectors get code of their own.
template <class S>
HWY_INLINE void FindWinners(const MatchLayout& layout, S* slab, int pixels, int lanes, bool highest, bool want_second,
                            bool want_neighbours, int ratio, MatchBitsBuffer& buffer, const RowResults<S>& results) {
  const int vectors = lanes / static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  if (vectors == 1)
    FindWinnersOf<1>(layout, slab, pixels, lanes, highest, want_second, want_neighbours, ratio, buffer, results);
  else if (vectors == 2)
    FindWinnersOf<2>(layout, slab, pixels, lanes, highest, want_second, want_neighbours, ratio, buffer, results);
  else if (vectors == 4)
    FindWinnersOf<4>(layout, slab, pixels, lanes, highest, want_second, want_neighbours, ratio, buffer, results);
  else
    FindWinnersOf<0>(layout, slab, pixels, lanes, highest, want_second, want_neighbours, ratio, buffer, results);
}

/// The same for sums of 64 bits, which no target compares well.
template <>
HWY_INLINE void FindWinners<uint64_t>(const MatchLayout& layout, uint64_t* slab, int pixels, int lanes, bool highest,
                                      bool want_second, bool, int, MatchBitsBuffer&,
                                      const RowResults<uint64_t>& results) {
  for (int x = 0; x < pixels; ++x, slab += layout.slab_stride()) {
    int best = 0;
    for (int k = 1; k < lanes; ++k)
      if (slab[k] < slab[best] || (highest && slab[k] == slab[best])) best = k;
    results.candidate[x] = best;
    results.cost[x] = slab[best];
    TakeNear(slab, static_cast<size_t>(best), results.near + x);
    if (!want_second) continue;
    uint64_t second = std::numeric_limits<uint64_t>::max();
    for (int k = 0; k < lanes; ++k)
      if ((k < best - 1 || k > best + 1) && slab[k] < second) second = slab[k];
    results.second[x] = second;
  }
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_WINNER_INL_H_
