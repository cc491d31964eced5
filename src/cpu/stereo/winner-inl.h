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
#include <type_traits>

#include "cpu/simd_shims-inl.h"
#include "cpu/stereo/slab.hpp"
#include "cpu/stereo/winner_words-inl.h"

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
HWY_NOINLINE void ChunkMinima(const S* slab, std::ptrdiff_t stride, int vectors, S* out) {
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

/// A word for EndBit: any if no bit is set.
template <bool kHighest>
HWY_INLINE uint64_t Guarded(uint64_t word) {
  return word | (kHighest ? uint64_t{1} : uint64_t{1} << 63);
}

/// The same of `words` words; any if no bit is set.
template <bool kHighest, int kWords>
HWY_INLINE int PickBit(const uint8_t* bits, int words) {
  int bit = 0;
  const int count = kWords > 0 ? kWords : words;
  for (int i = 0; i < count; ++i) {
    const int w = kHighest ? i : count - 1 - i, byte = 8 * w;
    uint64_t word = 0;
    std::memcpy(&word, bits + byte, 8);
    bit = kWords == 1 || word != 0 ? 64 * w + EndBit<kHighest>(Guarded<kHighest>(word)) : bit;
  }
  return bit;
}

struct BitEnds {
  int near, far;
};
/// The lowest and the highest set bit (or the other way round) of `words` words. One bit is set at least: some
/// candidate costs as little as the minimum.
template <bool kHighest, int kWords>
HWY_INLINE BitEnds PickBothEnds(const uint8_t* bits, int words) {
  if constexpr (kWords == 1) {
    uint64_t word = 0;
    std::memcpy(&word, bits, 8);
    return {EndBit<kHighest>(word), EndBit<!kHighest>(word)};
  }
  int bit = 0;
  uint64_t own = 0, beyond = 0, seen = 0;  // the word of the near end; what the words further on have
  for (int i = 0; i < words; ++i) {
    const int w = kHighest ? i : words - 1 - i;
    uint64_t word = 0;
    std::memcpy(&word, bits + std::ptrdiff_t{8} * w, 8);
    const bool any = word != 0;
    bit = any ? 64 * w + EndBit<kHighest>(Guarded<kHighest>(word)) : bit;
    own = any ? word : own;
    beyond = any ? seen : beyond;
    seen |= word;
  }
  if (HWY_LIKELY((beyond | (own & (own - 1))) == 0)) return {bit, bit};
  return {bit, PickBit<!kHighest, 0>(bits, words)};
}

/// Candidates of `pixels` slab rows by way of the bits. Compiled once for all numbers of vectors.
template <bool kHighest, int kWords, bool kFarEnd, class S>
HWY_NOINLINE void PickCandidates(const uint8_t* bits, int words, int pixels, int32_t* HWY_RESTRICT candidate,
                                 int32_t* HWY_RESTRICT far_end) {
  const auto place = [](int bit) HWY_ATTR {
    constexpr bool sparse = HWY_MAX_BYTES / sizeof(S) < 8;  // vectors of fewer than 8 candidates
    return sparse ? bit / 8 * static_cast<int>(hn::Lanes(hn::ScalableTag<S>())) + bit % 8 : bit;
  };
  const std::ptrdiff_t step = kWords > 0 ? kWords * 8 : words * 8;
  for (int x = 0; x < pixels; ++x, bits += step) {
    if constexpr (kFarEnd) {
      const BitEnds ends = PickBothEnds<kHighest, kWords>(bits, words);
      candidate[x] = place(ends.near);
      far_end[x] = place(ends.far);
    } else {
      candidate[x] = place(PickBit<kHighest, kWords>(bits, words));
    }
  }
}

template <int kVectors, class S>
HWY_INLINE void LocateByBits(const S* slab, std::ptrdiff_t stride, int vectors, int pixels, const WinnerWants& wants,
                             MatchBitsBuffer& buffer, const RowResults<S>& results) {
  const int lanes = static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  const int words = (vectors * (lanes < 8 ? 8 : lanes) + 63) / 64;
  uint8_t* bits = buffer.get(static_cast<size_t>(words) * 8 * MatchLayout::chunk, vectors);
  MatchBits<kVectors, S>(slab, stride, vectors, results.cost, pixels, static_cast<size_t>(words) * 8, bits);
  const auto pick = [&](auto highest, auto far_end) HWY_ATTR {
    if (words == 1)
      PickCandidates<highest(), 1, far_end(), S>(bits, 1, pixels, results.candidate, results.far_end);
    else
      PickCandidates<highest(), 0, far_end(), S>(bits, words, pixels, results.candidate, results.far_end);
  };
  using Yes = std::true_type;
  using No = std::false_type;
  if (wants.far_end)
    wants.highest ? pick(Yes(), Yes()) : pick(No(), Yes());
  else
    wants.highest ? pick(Yes(), No()) : pick(No(), No());
}

/// Candidates and near costs; true if results.second is settled too, in the way of LocateInRegister.
template <int kVectors, class S>
HWY_INLINE bool Locate(const S* slab, std::ptrdiff_t stride, int vectors, int pixels, const WinnerWants& wants,
                       MatchBitsBuffer& buffer, const RowResults<S>& results) {
#ifdef VERGENCE_WINNER_WORDS
  if constexpr (fits_word<kVectors, S>) {
    if (wants.highest)
      LocateByRegister<kVectors, true>(slab, stride, pixels, wants, results);
    else
      LocateByRegister<kVectors, false>(slab, stride, pixels, wants, results);
    return compares_for_uniqueness && wants.ratio > 0;
  }
#endif
  LocateByBits<kVectors>(slab, stride, vectors, pixels, wants, buffer, results);
  if (wants.neighbours)
    for (int x = 0; x < pixels; ++x)
      TakeNear(slab + x * stride, static_cast<size_t>(results.candidate[x]), results.near + x);
  return false;
}

/// Winners of `pixels` slab rows of `lanes` candidates; kVectors > 0 fixes the number of their vectors. The slab's
/// entries beside each winner are overwritten when a second best is wanted.
template <int kVectors, class S>
HWY_NOINLINE void FindWinnersOf(const MatchLayout& layout, S* slab, int pixels, int lanes, const WinnerWants& wants,
                                MatchBitsBuffer& buffer, const RowResults<S>& results) {
  const std::ptrdiff_t stride = layout.slab_stride();
  const int vectors = lanes / static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  ChunkMinima<kVectors, S>(slab, stride, vectors, results.cost);
  if (Locate<kVectors>(slab, stride, vectors, pixels, wants, buffer, results)) return;
  if (!wants.second) return;
  for (int x = 0; x < pixels; ++x) {
    S* row = slab + x * stride + results.candidate[x];
    row[-1] = row[0] = row[1] = none<S>;
  }
  ChunkMinima<kVectors, S>(slab, stride, vectors, results.second);
}

/// True if a slab row may be kVectors vectors long: sums of 16 bits come in vectors, wider ones in larger units.
template <int kVectors, class S>
constexpr bool MayOccur() {
  constexpr int kLanes = kVectors * static_cast<int>(HWY_MAX_BYTES / sizeof(S));
  return sizeof(S) == 2 || kLanes % MatchLayout::wide_unit == 0;
}

/// The usual numbers of vectors get code of their own.
template <class S>
HWY_INLINE void FindWinners(const MatchLayout& layout, S* slab, int pixels, int lanes, const WinnerWants& wants,
                            MatchBitsBuffer& buffer, const RowResults<S>& results) {
  const int vectors = lanes / static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  if constexpr (MayOccur<1, S>())
    if (vectors == 1) return FindWinnersOf<1>(layout, slab, pixels, lanes, wants, buffer, results);
  if constexpr (MayOccur<2, S>())
    if (vectors == 2) return FindWinnersOf<2>(layout, slab, pixels, lanes, wants, buffer, results);
  if constexpr (MayOccur<4, S>())
    if (vectors == 4) return FindWinnersOf<4>(layout, slab, pixels, lanes, wants, buffer, results);
#if HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(S) == 4)
    if (vectors == 8) return FindWinnersOf<8>(layout, slab, pixels, lanes, wants, buffer, results);
#endif
  FindWinnersOf<0>(layout, slab, pixels, lanes, wants, buffer, results);
}

/// The same for sums of 64 bits, which no target compares well.
template <>
HWY_INLINE void FindWinners<uint64_t>(const MatchLayout& layout, uint64_t* slab, int pixels, int lanes,
                                      const WinnerWants& wants, MatchBitsBuffer&, const RowResults<uint64_t>& results) {
  for (int x = 0; x < pixels; ++x, slab += layout.slab_stride()) {
    int lowest = 0, highest = 0;
    for (int k = 1; k < lanes; ++k) {
      if (slab[k] < slab[lowest]) lowest = k;
      if (slab[k] <= slab[highest]) highest = k;
    }
    const int best = wants.highest ? highest : lowest;
    results.candidate[x] = best;
    results.far_end[x] = wants.highest ? lowest : highest;
    results.cost[x] = slab[best];
    TakeNear(slab, static_cast<size_t>(best), results.near + x);
    if (!wants.second) continue;
    uint64_t second = std::numeric_limits<uint64_t>::max();
    for (int k = 0; k < lanes; ++k)
      if ((k < best - 1 || k > best + 1) && slab[k] < second) second = slab[k];
    results.second[x] = second;
  }
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_WINNER_INL_H_
