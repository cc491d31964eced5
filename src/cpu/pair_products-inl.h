// SPDX-License-Identifier: Apache-2.0
// SIMD shims: products, added in pairs. Compiled once per target.

#if defined(VERGENCE_CPU_PAIR_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_PAIR_PRODUCTS_INL_H_
#undef VERGENCE_CPU_PAIR_PRODUCTS_INL_H_
#else
#define VERGENCE_CPU_PAIR_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// hn::ReorderWidenMulAccumulate of 16-bit numbers. Where one instruction multiplies and adds, Highway 1.0.3 takes two:
/// its list of what AVX3_DL has lacks VNNI, which it does ask processors for, so compilers do not know it either.
template <class D32, class V16, class V32>
HWY_INLINE V32 AddPairProducts(D32 d32, V16 a, V16 b, V32 low, V32& high) {
#if HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(V16) >= 16) {
#ifdef __clang__  // which takes memory wherever it may
    __asm__("vpdpwssd %2, %1, %0" : "+v"(low.raw) : "v"(a.raw), "v"(b.raw));
#else
    __asm__("vpdpwssd %2, %1, %0" : "+v"(low.raw) : "v"(a.raw), "vm"(b.raw));
#endif
    return low;
  }
#endif
  return hn::ReorderWidenMulAccumulate(d32, a, b, low, high);
}

#if HWY_ARCH_X86
/// Sums of neighbouring bytes times signed weights, which fit 16 bits.
template <class V8, class V16>
HWY_INLINE V16 PairsOfBytes(V8 bytes, V16 weights) {
  if constexpr (sizeof(V16) == 16) {
    return V16{_mm_maddubs_epi16(bytes.raw, weights.raw)};
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  } else if constexpr (sizeof(V16) == 32) {
    return V16{_mm256_maddubs_epi16(bytes.raw, weights.raw)};
#endif
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  } else {
    return V16{_mm512_maddubs_epi16(bytes.raw, weights.raw)};
#endif
  }
}
#endif

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_PAIR_PRODUCTS_INL_H_
