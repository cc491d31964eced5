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

/// The least costs of `kVectors` vectors of positions and the pixels that have them. A member each, since compilers
/// keep arrays of vectors in memory or move them about in each round of a loop.
template <class D, size_t kVectors>
struct BestOfPositions : BestOfPositions<D, kVectors - 1> {
  using Others = BestOfPositions<D, kVectors - 1>;
  using S = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  V best, where;

  static HWY_INLINE size_t Place() { return (kVectors - 1) * hn::Lanes(D()); }
  HWY_INLINE void Load(const S* cost, const S* x_of) {
    Others::Load(cost, x_of);
    best = hn::LoadU(D(), cost + Place());
    where = hn::LoadU(D(), x_of + Place());
  }
  /// Costs of pixel x win where they are as small.
  HWY_INLINE void Meet(const S* costs, V x) {
    Others::Meet(costs, x);
    const V c = hn::LoadU(D(), costs + Place());
    best = hn::Min(best, c);
    where = hn::IfThenElse(hn::Eq(best, c), x, where);
  }
  HWY_INLINE void Store(S* cost, S* x_of) const {
    Others::Store(cost, x_of);
    hn::StoreU(best, D(), cost + Place());
    hn::StoreU(where, D(), x_of + Place());
  }
};
template <class D>
struct BestOfPositions<D, 0> {
  using S = hn::TFromD<D>;
  HWY_INLINE void Load(const S*, const S*) {}
  HWY_INLINE void Meet(const S*, hn::VFromD<D>) {}
  HWY_INLINE void Store(S*, S*) const {}
};

/// `kVectors` vectors of positions meet all `pixels` rows. Rows come with ascending x, which for one position means
/// ascending disparity. The highest disparity is found from the first row to the last, the lowest from the last to the
/// first: so a row always wins where it costs as little as the best before it, which takes no copy of that. Of the
/// lowest, what was there before then wins where it costs as little. (Inlined, the loop would be full of moves.)
template <size_t kVectors, bool kHighest, class S>
HWY_NOINLINE void MeetPositions(const S* slab, std::ptrdiff_t stride, int pixels, int x0, S* cost, S* x_of) {
  const hn::ScalableTag<S> d;
  const size_t n = hn::Lanes(d);
  HWY_ALIGN S least[kVectors * HWY_MAX_BYTES / sizeof(S)], of[kVectors * HWY_MAX_BYTES / sizeof(S)];
  BestOfPositions<decltype(d), kVectors> all;
  if (!kHighest)
    for (size_t v = 0; v < kVectors; ++v) hn::Store(hn::Set(d, none<S>), d, least + v * n);
  all.Load(kHighest ? cost : least, kHighest ? x_of : least);
  const std::ptrdiff_t step = kHighest ? stride + 1 : -stride - 1;
  if (!kHighest) slab += (pixels - 1) * (stride + 1);
  auto x = hn::Set(d, static_cast<S>(kHighest ? x0 : x0 + pixels - 1));
  const auto one = hn::Set(d, static_cast<S>(kHighest ? 1 : -1));
  for (int i = 0; i < pixels; ++i, slab += step) {
    all.Meet(slab, x);
    x = hn::Add(x, one);
  }
  all.Store(kHighest ? cost : least, kHighest ? x_of : of);
  if (kHighest) return;
  for (size_t v = 0; v < kVectors * n; v += n) {
    const auto before = hn::LoadU(d, cost + v), now = hn::Load(d, least + v);
    const auto wins = hn::Eq(hn::Min(now, before), before);
    hn::StoreU(hn::Min(now, before), d, cost + v);
    hn::StoreU(hn::IfThenElse(wins, hn::LoadU(d, x_of + v), hn::Load(d, of + v)), d, x_of + v);
  }
}

/// As many vectors of positions as there are, five or four at a time while they last.
template <bool kHighest, class S>
HWY_INLINE void MeetAll(const S* slab, std::ptrdiff_t stride, int pixels, int x0, int vectors, S* cost, S* x_of) {
  const int step = 4 * static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  for (; vectors == 4 || vectors > 5; vectors -= 4, slab += step, cost += step, x_of += step)
    MeetPositions<4, kHighest>(slab, stride, pixels, x0, cost, x_of);
  if (vectors == 5) MeetPositions<5, kHighest>(slab, stride, pixels, x0, cost, x_of);
  if (vectors == 3) MeetPositions<3, kHighest>(slab, stride, pixels, x0, cost, x_of);
  if (vectors == 2) MeetPositions<2, kHighest>(slab, stride, pixels, x0, cost, x_of);
  if (vectors == 1) MeetPositions<1, kHighest>(slab, stride, pixels, x0, cost, x_of);
}

/// Lets the slab rows of pixels [x0, x0 + pixels), `lanes` candidates long, compete for the positions they touch: as
/// many rows at a time as a vector has lanes, which touch one vector more than each of them does.
template <bool kHighest, class S>
HWY_INLINE void UpdateOtherView(const MatchLayout& layout, const S* slab, int x0, int pixels, int lanes,
                                const OtherRow<S>& other) {
  const int n = static_cast<int>(hn::Lanes(hn::ScalableTag<S>()));
  const std::ptrdiff_t stride = layout.slab_stride();
  for (int i = 0; i < pixels; i += n) {
    const int rows = std::min(n, pixels - i), first = layout.position(x0 + i + rows - 1, 0);
    MeetAll<kHighest>(slab + i * stride - (rows - 1), stride, rows, x0 + i, (lanes + rows - 1 + n - 1) / n,
                      other.cost + first, other.x + first);
  }
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
