// SPDX-License-Identifier: Apache-2.0
// From a row of winners to a row of disparities: sub-pixel, uniqueness, confidence. Written as plain loops that the
// compiler vectorises. The divisions are done in floating point where that is exact: quotient and divisor are integers
// of few enough bits that a correctly rounded quotient never reaches the next integer (docs/exactness.md has the
// proof). Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_FINISH_INL_H_
#undef VERGENCE_CPU_STEREO_FINISH_INL_H_
#else
#define VERGENCE_CPU_STEREO_FINISH_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "cpu/stereo/row_results.hpp"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

/// Sums of 16 bits divide in float, of 32 bits (below 2^31) in double, of 64 bits in integers.
template <class S>
using Real = std::conditional_t<sizeof(S) == 2, float, double>;
template <class S>
using Signed = std::conditional_t<sizeof(S) == 2, int32_t, int64_t>;

/// Pixels without any candidate.
template <class S>
HWY_INLINE void RejectMissing(const RowResults<S>& row, int width, uint8_t* HWY_RESTRICT reject) {
  const S* HWY_RESTRICT cost = row.cost;
  for (int x = 0; x < width; ++x) reject[x] = cost[x] == none<S> ? 1 : 0;
}

/// Neighbours count only as a pair; for those who want to see them.
template <class S>
HWY_INLINE void PairNeighbours(const RowResults<S>& row, int width) {
  for (int x = 0; x < width; ++x) {
    const bool lacking = row.before[x] == none<S> || row.after[x] == none<S>;
    row.before[x] = lacking ? none<S> : row.before[x];
    row.after[x] = lacking ? none<S> : row.after[x];
  }
}

template <class S>
HWY_INLINE void WholePixels(const RowResults<S>& row, int width, int dmin, int32_t* out) {
  for (int x = 0; x < width; ++x) out[x] = 16 * (dmin + row.candidate[x]);
}

template <class S>
HWY_INLINE void VFit(const RowResults<S>& row, int width, int dmin, int32_t* HWY_RESTRICT out) {
  if constexpr (sizeof(S) == 8) {
    for (int x = 0; x < width; ++x) {
      const bool lone = row.before[x] == none<S> || row.after[x] == none<S>;
      const auto at = static_cast<int64_t>(row.cost[x]);
      out[x] = static_cast<int32_t>(definitions::vfit(dmin + row.candidate[x],
                                                      lone ? at : static_cast<int64_t>(row.before[x]), at,
                                                      lone ? at : static_cast<int64_t>(row.after[x])));
    }
  } else {
    using I = Signed<S>;
    const S* HWY_RESTRICT costs = row.cost;
    const S* HWY_RESTRICT befores = row.before;
    const S* HWY_RESTRICT afters = row.after;
    const int32_t* HWY_RESTRICT candidates = row.candidate;
    for (int x = 0; x < width; ++x) {
      const bool lone = (befores[x] == none<S>) | (afters[x] == none<S>);
      const I at = costs[x], before = lone ? at : I{befores[x]}, after = lone ? at : I{afters[x]};
      const I larger = before > after ? before : after;
      const I rise = larger - at;
      // 256 (before - after) / (2 rise), with 0 / 0 made 0 / 1.
      const auto offset = static_cast<int32_t>(static_cast<Real<S>>(128 * (before - after)) /
                                               static_cast<Real<S>>(rise + (rise == 0 ? 1 : 0)));
      out[x] = (256 * (dmin + candidates[x]) + offset + 15) >> 4;
    }
  }
}

template <class S>
HWY_INLINE void Parabola(const RowResults<S>& row, int width, int dmin, int32_t* HWY_RESTRICT out) {
  if constexpr (sizeof(S) == 8) {
    for (int x = 0; x < width; ++x) {
      const bool lone = row.before[x] == none<S> || row.after[x] == none<S>;
      const auto at = static_cast<int64_t>(row.cost[x]);
      out[x] = static_cast<int32_t>(definitions::parabola(dmin + row.candidate[x],
                                                          lone ? at : static_cast<int64_t>(row.before[x]), at,
                                                          lone ? at : static_cast<int64_t>(row.after[x])));
    }
  } else {
    using I = Signed<S>;
    const S* HWY_RESTRICT costs = row.cost;
    const S* HWY_RESTRICT befores = row.before;
    const S* HWY_RESTRICT afters = row.after;
    const int32_t* HWY_RESTRICT candidates = row.candidate;
    for (int x = 0; x < width; ++x) {
      const bool lone = (befores[x] == none<S>) | (afters[x] == none<S>);
      const I at = costs[x], before = lone ? at : I{befores[x]}, after = lone ? at : I{afters[x]};
      const I curve = before - 2 * at + after;  // at is the smallest, so never negative
      // floor((16 (before - after) + curve) / (2 curve)), between -8 and 8: shifted by 16 to be positive, then
      // truncated.
      const I divisor = 2 * (curve + (curve == 0 ? 1 : 0));
      const I dividend = 16 * (before - after) + curve + 16 * divisor;
      const auto offset = static_cast<int32_t>(static_cast<Real<S>>(dividend) / static_cast<Real<S>>(divisor)) - 16;
      out[x] = 16 * (dmin + candidates[x]) + offset;
    }
  }
}

/// Rejects pixels whose second best is too near; `edge(x)` tells whose tap counts differ.
template <class S, class Edge>
HWY_INLINE void Uniqueness(const RowResults<S>& row, int width, int ratio, Edge edge, uint8_t* reject) {
  using Wide = std::conditional_t<sizeof(S) == 2, uint32_t, uint64_t>;
  const auto hundred_and_ratio = static_cast<Wide>(100 + ratio);
  const auto test = [&](int x) HWY_ATTR {
    const bool ambiguous = Wide{100} * row.second[x] <= hundred_and_ratio * row.cost[x] && row.second[x] != none<S>;
    reject[x] = static_cast<uint8_t>(reject[x] | (ambiguous ? 1 : 0));
  };
  for (int x = 0; x < width; ++x) {
    if (!edge(x)) {
      test(x);
    } else if (row.second[x] != none<S> &&
               definitions::is_ambiguous(row.cost[x], static_cast<uint64_t>(row.taps[x]), row.second[x],
                                         static_cast<uint64_t>(row.second_taps[x]), ratio)) {
      reject[x] = 1;
    }
  }
}

template <class S, class Edge>
HWY_INLINE void Confidence(const RowResults<S>& row, int width, Edge edge, const uint8_t* reject, uint8_t* out) {
  for (int x = 0; x < width; ++x) {
    if (reject[x] != 0) {
      out[x] = 0;
    } else if (row.second[x] == none<S>) {
      out[x] = 255;
    } else {
      const uint64_t taps = edge(x) ? static_cast<uint64_t>(row.taps[x]) : 1;
      const uint64_t second_taps = edge(x) ? static_cast<uint64_t>(row.second_taps[x]) : 1;
      out[x] = static_cast<uint8_t>(definitions::confidence(row.cost[x], taps, row.second[x], second_taps));
    }
  }
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_FINISH_INL_H_
