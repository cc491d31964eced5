// SPDX-License-Identifier: Apache-2.0
// What filters store of their sums: definitions::filter_result for vectors. Compiled once per target.

#if defined(VERGENCE_CPU_IMGPROC_RESULT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_IMGPROC_RESULT_INL_H_
#undef VERGENCE_CPU_IMGPROC_RESULT_INL_H_
#else
#define VERGENCE_CPU_IMGPROC_RESULT_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums of floats or of integers.
template <class V>
HWY_INLINE V Result(V sum) {
  const hn::DFromV<V> tag;
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    const hn::RebindToUnsigned<decltype(tag)> bits;
    return hn::IfThenElse(hn::IsNaN(sum), hn::BitCast(tag, hn::Set(bits, uint32_t{0x7fc00000})), sum);
  } else {
    return sum;
  }
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
