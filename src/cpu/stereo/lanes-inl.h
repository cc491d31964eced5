// SPDX-License-Identifier: Apache-2.0
// Operations across the lanes of a vector that Highway 1.0.3 lacks: shifts by one lane, and the least of all. As in
// cpu/simd_shims-inl.h: the generic form, and beside it the instructions. Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_LANES_INL_H_
#undef VERGENCE_CPU_STEREO_LANES_INL_H_
#else
#define VERGENCE_CPU_STEREO_LANES_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lane i holds lane i - 1 of `v`, lane 0 the last one of `before`.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V ShiftUpOne(D d, V v, V before) {
  constexpr int kBytes = 16 - static_cast<int>(sizeof(hn::TFromD<D>));
  // Each block of 128 bits beside the block before it.
#if HWY_TARGET == HWY_AVX2
  const V blocks{_mm256_permute2x128_si256(before.raw, v.raw, 0x21)};
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const V blocks{_mm512_alignr_epi64(v.raw, before.raw, 6)};
#else
  const V blocks = before;
#endif
  return hn::CombineShiftRightBytes<kBytes>(d, v, blocks);
}

/// Lane i holds lane i + 1 of `v`, the last one lane 0 of `after`.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V ShiftDownOne(D d, V v, V after) {
#if HWY_TARGET == HWY_AVX2
  const V blocks{_mm256_permute2x128_si256(v.raw, after.raw, 0x21)};
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const V blocks{_mm512_alignr_epi64(after.raw, v.raw, 2)};
#else
  const V blocks = after;
#endif
  return hn::CombineShiftRightBytes<static_cast<int>(sizeof(hn::TFromD<D>))>(d, blocks, v);
}

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
/// The smallest of eight 16-bit or sixteen 8-bit lanes, in the lowest lane.
template <class T>
HWY_INLINE __m128i LeastOf128(__m128i v) {
  if constexpr (sizeof(T) == 1) v = _mm_min_epu8(v, _mm_srli_epi16(v, 8));  // the upper bytes become 0
  return _mm_minpos_epu16(v);
}
#endif

/// The smallest lane, as lane 0 at least.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V LeastFirst(D d, V v) {
  using T = hn::TFromD<D>;
  (void)d;
  if constexpr (sizeof(T) <= 2) {
#if HWY_TARGET == HWY_SSE4
    return V{LeastOf128<T>(v.raw)};
#elif HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#if HWY_TARGET == HWY_AVX2
    const __m256i half = v.raw;
#else
    const __m256i low = _mm512_castsi512_si256(v.raw), high = _mm512_extracti64x4_epi64(v.raw, 1);
    const __m256i half = sizeof(T) == 1 ? _mm256_min_epu8(low, high) : _mm256_min_epu16(low, high);
#endif
    const __m128i a = _mm256_castsi256_si128(half), b = _mm256_extracti128_si256(half, 1);
    const __m128i least = LeastOf128<T>(sizeof(T) == 1 ? _mm_min_epu8(a, b) : _mm_min_epu16(a, b));
#if HWY_TARGET == HWY_AVX2
    return V{_mm256_castsi128_si256(least)};
#else
    return V{_mm512_castsi128_si512(least)};
#endif
#else
    HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(v, d, lanes);
    T least = lanes[0];
    for (size_t i = 1; i < hn::Lanes(d); ++i) least = lanes[i] < least ? lanes[i] : least;
    return hn::Set(d, least);
#endif
  } else {
    return hn::MinOfLanes(d, v);
  }
}

/// The smallest lane, in all lanes.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V LeastLane(D d, V v) {
  const V least = LeastFirst(d, v);
#if HWY_TARGET == HWY_SSE4
  if constexpr (sizeof(hn::TFromD<D>) == 1) return V{_mm_shuffle_epi8(least.raw, _mm_setzero_si128())};
  if constexpr (sizeof(hn::TFromD<D>) == 2) return hn::Broadcast<0>(least);
#elif HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(hn::TFromD<D>) == 1) return V{_mm256_broadcastb_epi8(_mm256_castsi256_si128(least.raw))};
  if constexpr (sizeof(hn::TFromD<D>) == 2) return V{_mm256_broadcastw_epi16(_mm256_castsi256_si128(least.raw))};
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(hn::TFromD<D>) == 1) return V{_mm512_broadcastb_epi8(_mm512_castsi512_si128(least.raw))};
  if constexpr (sizeof(hn::TFromD<D>) == 2) return V{_mm512_broadcastw_epi16(_mm512_castsi512_si128(least.raw))};
#endif
  return least;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_LANES_INL_H_
