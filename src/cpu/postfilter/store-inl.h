// SPDX-License-Identifier: Apache-2.0
// Storing the first lanes of a vector. Compiled once per target.

#if defined(VERGENCE_CPU_POSTFILTER_STORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_STORE_INL_H_
#undef VERGENCE_CPU_POSTFILTER_STORE_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_STORE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Stores the first `count` lanes, at most all.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void StoreFirst(D d, V values, int count, hn::TFromD<D>* out) {
  if (count >= static_cast<int>(hn::Lanes(d))) return hn::StoreU(values, d, out);
  HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(D())];
  hn::Store(values, d, lanes);
  std::copy(lanes, lanes + count, out);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_STORE_INL_H_
