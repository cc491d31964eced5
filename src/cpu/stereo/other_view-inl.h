// SPDX-License-Identifier: Apache-2.0
// Winners of the other view from the same costs: pixel x and candidate k of a slab are pixel x - d of the other view,
// that is position W - 1 - x + k. Rows of the slab, each loaded one candidate further than the row before, line up on
// positions. Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_OTHER_VIEW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_OTHER_VIEW_INL_H_
#undef VERGENCE_CPU_STEREO_OTHER_VIEW_INL_H_
#else
#define VERGENCE_CPU_STEREO_OTHER_VIEW_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "cpu/simd_shims-inl.h"
#include "cpu/stereo/edges-inl.h"
#include "cpu/stereo/slab.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `kVectors` vectors of positions meet all `pixels` rows. Rows come with ascending x, which for one position means
/// ascending disparity: a strict comparison keeps the lowest, a weak one the highest.
template <size_t kVectors, bool kHighest, class S>
HWY_INLINE void MeetPositions(const S* slab, std::ptrdiff_t stride, int pixels, int x0, S* cost, S* x_of) {
  const hn::ScalableTag<S> d;
  using V = hn::Vec<decltype(d)>;
  const size_t n = hn::Lanes(d);
  V best[kVectors], where[kVectors];
  for (size_t v = 0; v < kVectors; ++v) {
    best[v] = hn::LoadU(d, cost + v * n);
    where[v] = hn::LoadU(d, x_of + v * n);
  }
  V x = hn::Set(d, static_cast<S>(x0));
  const V one = hn::Set(d, S{1});
  for (int i = 0; i < pixels; ++i, slab += stride + 1) {
    for (size_t v = 0; v < kVectors; ++v) {
      const V c = hn::LoadU(d, slab + v * n);
      const V least = hn::Min(best[v], c);
      // Where the new one loses, the old one stays.
      if (kHighest)
        where[v] = hn::IfThenElse(hn::Eq(least, c), x, where[v]);
      else
        where[v] = hn::IfThenElse(hn::Eq(least, best[v]), where[v], x);
      best[v] = least;
    }
    x = hn::Add(x, one);
  }
  for (size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(best[v], d, cost + v * n);
    hn::StoreU(where[v], d, x_of + v * n);
  }
}

/// Lets the slab rows of pixels [x0, x0 + pixels), `lanes` candidates long, compete for the positions they touch.
template <bool kHighest, class S>
HWY_INLINE void UpdateOtherView(const MatchLayout& layout, const S* slab, int x0, int pixels, int lanes,
                                const OtherRow<S>& other) {
  if (pixels <= 0) return;
  const int n = static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  const std::ptrdiff_t stride = layout.slab_stride();
  const int first = layout.position(x0 + pixels - 1, 0);
  const S* start = slab - (pixels - 1);  // row x0 at position `first`
  S* cost = other.cost + first;
  S* x_of = other.x + first;
  int vectors = (lanes + pixels - 1 + n - 1) / n;
  const int step = 4 * n;
  for (; vectors >= 4; vectors -= 4, start += step, cost += step, x_of += step)
    MeetPositions<4, kHighest>(start, stride, pixels, x0, cost, x_of);
  if (vectors == 3) MeetPositions<3, kHighest>(start, stride, pixels, x0, cost, x_of);
  if (vectors == 2) MeetPositions<2, kHighest>(start, stride, pixels, x0, cost, x_of);
  if (vectors == 1) MeetPositions<1, kHighest>(start, stride, pixels, x0, cost, x_of);
}

/// A pixel near an end of the row is compared after all others: seen from the other view its windows are narrower than
/// those of the pixels before, so costs are compared by their exact means, and of equal ones the disparities decide.
template <class S>
HWY_INLINE void CompeteLate(const MatchLayout& layout, int x, bool highest, const S* HWY_RESTRICT costs,
                            S* HWY_RESTRICT best, S* HWY_RESTRICT x_of, int32_t* HWY_RESTRICT taps) {
  const int left = std::min(layout.rx, x), right = std::min(layout.rx, layout.width - 1 - x);
  const int last = layout.last_inside(x);
  for (int k = layout.first_inside(x); k <= last; ++k) {
    const int column = x - layout.dmin - k;
    const int32_t my_taps = std::min(left, column) + 1 + std::min(right, layout.width - 1 - column);
    const auto mine = static_cast<Product<S>>(static_cast<Product<S>>(costs[k]) * static_cast<Product<S>>(taps[k]));
    const auto theirs = static_cast<Product<S>>(static_cast<Product<S>>(best[k]) * static_cast<Product<S>>(my_taps));
    const bool before = static_cast<S>(x) < x_of[k];
    const bool wins = (mine < theirs) | ((mine == theirs) & (before != highest));
    best[k] = wins ? costs[k] : best[k];
    x_of[k] = wins ? static_cast<S>(x) : x_of[k];
    taps[k] = wins ? my_taps : taps[k];
  }
}

/// Compares all postponed pixels.
template <class S>
HWY_INLINE void SettleLate(const MatchLayout& layout, OtherRowBuffer<S>& buffer, bool highest,
                           const OtherRow<S>& other) {
  int32_t* taps = buffer.begin_late(layout);
  for (size_t i = 0; i < buffer.late_count(); ++i) {
    const int x = buffer.late_x(i), position = layout.position(x, 0);
    CompeteLate<S>(layout, x, highest, buffer.late_costs(layout, i), other.cost + position, other.x + position,
                   taps + position);
  }
}

/// The scalar form for sums of 64 bits.
template <bool kHighest>
HWY_INLINE void UpdateOtherView(const MatchLayout& layout, const uint64_t* slab, int x0, int pixels, int lanes,
                                const OtherRow<uint64_t>& other) {
  for (int i = 0; i < pixels; ++i, slab += layout.slab_stride()) {
    const int x = x0 + i, position = layout.position(x, 0);
    for (int k = 0; k < lanes; ++k) {
      uint64_t& best = other.cost[position + k];
      if (kHighest ? slab[k] > best : slab[k] >= best) continue;
      best = slab[k];
      other.x[position + k] = static_cast<uint64_t>(x);
    }
  }
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_OTHER_VIEW_INL_H_
