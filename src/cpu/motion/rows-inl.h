// SPDX-License-Identifier: Apache-2.0
// Loads of rows that end within a vector. Compiled once per target.

#if defined(VERGENCE_CPU_MOTION_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_MOTION_ROWS_INL_H_
#undef VERGENCE_CPU_MOTION_ROWS_INL_H_
#else
#define VERGENCE_CPU_MOTION_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// All bits of the first `count` lanes, of any number.
template <class D>
HWY_INLINE hn::VFromD<D> FirstLanes(D d, int count) {
  using T = hn::TFromD<D>;
  constexpr size_t most = 64 / sizeof(T);
  static constexpr auto table = [] {
    std::array<T, 2 * most> all{};
    for (size_t i = 0; i < most; ++i) all[i] = static_cast<T>(~T{0});
    return all;
  }();
  return hn::LoadU(d, table.data() + most - static_cast<size_t>(std::clamp(count, 0, static_cast<int>(most))));
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_MOTION_ROWS_INL_H_
