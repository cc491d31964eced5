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

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cpu/stereo/slab.hpp"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/ties.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Pixels without any candidate.
template <class S>
HWY_INLINE void RejectMissing(const RowResults<S>& row, int width, uint8_t* HWY_RESTRICT reject) {
  const S* HWY_RESTRICT cost = row.cost;
  for (int x = 0; x < width; ++x) reject[x] = cost[x] == none<S> ? 1 : 0;
}

/// Pixels that were rejected before.
HWY_INLINE void RejectMarked(const uint8_t* HWY_RESTRICT marked, int width, uint8_t* HWY_RESTRICT reject) {
  for (int x = 0; x < width; ++x) reject[x] = static_cast<uint8_t>(reject[x] | marked[x]);
}

/// Pixels that share their least cost with a candidate more than 1 px away.
template <class S>
HWY_INLINE void RejectTies(const RowResults<S>& row, int width, uint8_t* HWY_RESTRICT reject) {
  const int32_t* HWY_RESTRICT candidate = row.candidate;
  const int32_t* HWY_RESTRICT far_end = row.far_end;
  for (int x = 0; x < width; ++x) {
    const bool tied = definitions::is_tied(std::min(candidate[x], far_end[x]), std::max(candidate[x], far_end[x]));
    reject[x] = static_cast<uint8_t>(reject[x] | (tied ? 1 : 0));
  }
}

/// Pixels of which the picture's edge left too few candidates, of `count`.
template <class S>
HWY_INLINE void RejectWithoutSecondBest(const RowResults<S>& row, const std::vector<FewCandidates>& few, int count,
                                        uint8_t* reject) {
  for (const FewCandidates& one : few)
    if (definitions::edge_took_second_best(one.first, one.last, row.candidate[one.x], count)) reject[one.x] = 1;
}

/// The row as the map gets it: `invalid` at rejected pixels. `disparity` and `out` may be the same memory.
template <class T>
HWY_INLINE void InvalidateRejected(const int32_t* disparity, const uint8_t* HWY_RESTRICT reject, int width, int invalid,
                                   T* out) {
  for (int x = 0; x < width; ++x) out[x] = static_cast<T>(reject[x] != 0 ? invalid : disparity[x]);
}

/// For the maps cost_before and cost_after: where one neighbour is missing, the other one does not count either.
template <class S>
HWY_INLINE void PairNeighbours(const RowResults<S>& row, int width) {
  for (int x = 0; x < width; ++x) {
    NearCosts<S>& near = row.near[x];
    if (near.before == none<S> || near.after == none<S>) near.before = near.after = none<S>;
  }
}

template <class S>
HWY_INLINE void WholePixels(const RowResults<S>& row, int width, int dmin, int32_t* out) {
  for (int x = 0; x < width; ++x) out[x] = 16 * (dmin + row.candidate[x]);
}

/// Widens costs and replaces those of missing neighbours by the winner's own, which makes the offset 0.
template <class D>
struct Triple {
  hn::VFromD<D> before, at, after;
};
template <class D>
HWY_INLINE Triple<D> LoadTriple(D d, const RowResults<uint16_t>& row, int x) {
  // Four costs a pixel: two words, the first of which holds `before` and `at`, the second `after`.
  const hn::RebindToUnsigned<D> du;
  hn::VFromD<decltype(du)> first, second;
  hn::LoadInterleaved2(du, reinterpret_cast<const uint32_t*>(row.near + x), first, second);
  const auto low = hn::Set(du, uint32_t{0xFFFF});
  const auto before = hn::BitCast(d, hn::And(first, low)), at = hn::BitCast(d, hn::ShiftRight<16>(first));
  const auto after = hn::BitCast(d, hn::And(second, low));
  const auto missing = hn::Eq(hn::Max(before, after), hn::Set(d, int32_t{none<uint16_t>}));
  return {hn::IfThenElse(missing, at, before), at, hn::IfThenElse(missing, at, after)};
}

/// Quotient of integers below 2^24 in magnitude, truncated; the divisor is positive.
template <class D>
HWY_INLINE hn::VFromD<D> Quotient(D d, hn::VFromD<D> dividend, hn::VFromD<D> divisor) {
  const hn::RebindToFloat<D> df;
  return hn::ConvertTo(d, hn::Div(hn::ConvertTo(df, dividend), hn::ConvertTo(df, divisor)));
}

/// Calls body(x) for vectors of n pixels; the last one overlaps the one before it. Rows are padded to at least one
/// vector.
template <class Body>
HWY_INLINE void EachVector(int width, int n, Body body) {
  for (int x = 0; x < width; x += n) body(width >= n ? std::min(x, width - n) : 0);
}

HWY_INLINE void VFit(const RowResults<uint16_t>& row, int width, int dmin, int32_t* out) {
  const hn::ScalableTag<int32_t> d;
  const auto zero = hn::Zero(d), one = hn::Set(d, 1), smallest = hn::Set(d, dmin), fifteen = hn::Set(d, 15);
  EachVector(width, static_cast<int>(hn::Lanes(d)), [&](int x) HWY_ATTR {
    const auto costs = LoadTriple(d, row, x);
    // 256 (before - after) / (2 rise) with 0 / 0 made 0 / 1.
    const auto rise = hn::Sub(hn::Max(costs.before, costs.after), costs.at);
    const auto divisor = hn::IfThenElse(hn::Eq(rise, zero), one, rise);
    const auto offset = Quotient(d, hn::ShiftLeft<7>(hn::Sub(costs.before, costs.after)), divisor);
    const auto whole = hn::ShiftLeft<8>(hn::Add(smallest, hn::LoadU(d, row.candidate + x)));
    hn::StoreU(hn::ShiftRight<4>(hn::Add(hn::Add(whole, offset), fifteen)), d, out + x);
  });
}

HWY_INLINE void Parabola(const RowResults<uint16_t>& row, int width, int dmin, int32_t* out) {
  const hn::ScalableTag<int32_t> d;
  const auto zero = hn::Zero(d), one = hn::Set(d, 1), smallest = hn::Set(d, dmin), sixteen = hn::Set(d, 16);
  EachVector(width, static_cast<int>(hn::Lanes(d)), [&](int x) HWY_ATTR {
    const auto costs = LoadTriple(d, row, x);
    const auto curve = hn::Sub(hn::Add(costs.before, costs.after), hn::Add(costs.at, costs.at));
    // floor((16 (before - after) + curve) / (2 curve)) is between -8 and 8: raised by 16 to be positive, then
    // truncated.
    const auto divisor =
        hn::Add(hn::IfThenElse(hn::Eq(curve, zero), one, curve), hn::IfThenElse(hn::Eq(curve, zero), one, curve));
    const auto slope = hn::ShiftLeft<4>(hn::Sub(costs.before, costs.after));
    const auto dividend = hn::Add(hn::Add(slope, curve), hn::ShiftLeft<4>(divisor));
    const auto offset = hn::Sub(Quotient(d, dividend, divisor), sixteen);
    const auto whole = hn::ShiftLeft<4>(hn::Add(smallest, hn::LoadU(d, row.candidate + x)));
    hn::StoreU(hn::Add(whole, offset), d, out + x);
  });
}

/// Sums of 32 bits (below 2^31) divide in double, for the compiler's vectoriser; sums of 64 bits in integers.
template <class S>
HWY_INLINE void VFit(const RowResults<S>& row, int width, int dmin, int32_t* HWY_RESTRICT out) {
  const S* HWY_RESTRICT costs = row.cost;
  const NearCosts<S>* HWY_RESTRICT near = row.near;
  const int32_t* HWY_RESTRICT candidates = row.candidate;
  for (int x = 0; x < width; ++x) {
    const bool lone = (near[x].before == none<S>) | (near[x].after == none<S>);
    const auto at = static_cast<int64_t>(costs[x]);
    const auto before = static_cast<int64_t>(lone ? costs[x] : near[x].before);
    const auto after = static_cast<int64_t>(lone ? costs[x] : near[x].after);
    if constexpr (sizeof(S) == 8) {
      out[x] = static_cast<int32_t>(definitions::vfit(dmin + candidates[x], before, at, after));
    } else {
      const int64_t rise = (before > after ? before : after) - at;
      const double quotient =
          static_cast<double>(128 * (before - after)) / static_cast<double>(rise + (rise == 0 ? 1 : 0));
      out[x] = (256 * (dmin + candidates[x]) + static_cast<int32_t>(quotient) + 15) >> 4;
    }
  }
}

template <class S>
HWY_INLINE void Parabola(const RowResults<S>& row, int width, int dmin, int32_t* HWY_RESTRICT out) {
  const S* HWY_RESTRICT costs = row.cost;
  const NearCosts<S>* HWY_RESTRICT near = row.near;
  const int32_t* HWY_RESTRICT candidates = row.candidate;
  for (int x = 0; x < width; ++x) {
    const bool lone = (near[x].before == none<S>) | (near[x].after == none<S>);
    const auto at = static_cast<int64_t>(costs[x]);
    const auto before = static_cast<int64_t>(lone ? costs[x] : near[x].before);
    const auto after = static_cast<int64_t>(lone ? costs[x] : near[x].after);
    if constexpr (sizeof(S) == 8) {
      out[x] = static_cast<int32_t>(definitions::parabola(dmin + candidates[x], before, at, after));
    } else {
      const int64_t curve = before - 2 * at + after;  // at is the smallest, so never negative
      const int64_t divisor = 2 * (curve + (curve == 0 ? 1 : 0));
      const int64_t dividend = 16 * (before - after) + curve + 16 * divisor;
      const double quotient = static_cast<double>(dividend) / static_cast<double>(divisor);
      out[x] = 16 * (dmin + candidates[x]) + static_cast<int32_t>(quotient) - 16;
    }
  }
}

/// Rejects pixels whose second best is too near; a ratio of 0 rejects ties alone. Pixels [first, last) have costs of
/// equal tap counts; the others' counts are in the results.
template <class S>
HWY_INLINE void Uniqueness(const RowResults<S>& row, int width, int ratio, int first, int last,
                           uint8_t* HWY_RESTRICT reject) {
  using Wide = std::conditional_t<sizeof(S) == 2, uint32_t, uint64_t>;
  const auto percent = static_cast<Wide>(100 + ratio);  // NOLINT(bugprone-misplaced-widening-cast): a small sum
  const S* HWY_RESTRICT cost = row.cost;
  const S* HWY_RESTRICT second = row.second;
  for (int x = first; x < last; ++x) {
    const bool ambiguous = (Wide{100} * second[x] <= percent * cost[x]) & (second[x] != none<S>);
    reject[x] = static_cast<uint8_t>(reject[x] | (ambiguous ? 1 : 0));
  }
  const auto edge = [&](int x) {
    if (second[x] == none<S>) return;
    const auto taps = static_cast<uint64_t>(row.taps[x]), second_taps = static_cast<uint64_t>(row.second_taps[x]);
    if (definitions::is_as_cheap(cost[x], taps, second[x], second_taps) ||
        definitions::is_ambiguous(cost[x], taps, second[x], second_taps, ratio))
      reject[x] = 1;
  };
  for (int x = 0; x < first; ++x) edge(x);
  for (int x = last; x < width; ++x) edge(x);
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
