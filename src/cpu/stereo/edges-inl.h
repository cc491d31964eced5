// SPDX-License-Identifier: Apache-2.0
// Pixels near the ends of a row, where some candidates lie outside the other picture or their windows are clipped more
// than the pixel's own ("narrow"). Both kinds are removed from the slab of the vector code; the narrow ones are
// compared with the winner at the end of the row, by exact cross-multiplication. Plain loops that the compiler
// vectorises. Compiled once per target.
//
// Above the full candidates (small x, positive disparities) and below them (large x, negative ones) there are at most
// rx narrow ones each; the one `s` steps away sums s columns less than the pixel itself.

#if defined(VERGENCE_CPU_STEREO_EDGES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_EDGES_INL_H_
#undef VERGENCE_CPU_STEREO_EDGES_INL_H_
#else
#define VERGENCE_CPU_STEREO_EDGES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "cpu/stereo/slab.hpp"
#include "cpu/stereo/winner-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Costs times columns: exact in twice the bits. `none` loses against every cost here too, because a window's largest
/// cost per column times its columns is below it.
template <class S>
using Product = std::conditional_t<sizeof(S) == 2, uint32_t, std::conditional_t<sizeof(S) == 4, uint64_t, Wide128>>;

/// Sets costs to none where the mask has it.
template <class S>
HWY_INLINE void OrInto(const S* HWY_RESTRICT mask, int lanes, S* HWY_RESTRICT costs) {
  const hn::ScalableTag<S> d;
  const int n = static_cast<int>(hn::Lanes(d));
  for (int k = 0; k < lanes; k += n) hn::Store(hn::Or(hn::Load(d, costs + k), hn::LoadU(d, mask + k)), d, costs + k);
}

/// Removes the candidates from `first` on, or before it; 0 <= first <= padded. Whole vectors below `lanes` are looked
/// at.
template <class S>
HWY_INLINE void RemoveFrom(const EdgeBuffer<S>& edges, int first, int lanes, S* costs) {
  OrInto(edges.none_from(first), lanes, costs);
}
template <class S>
HWY_INLINE void RemoveBefore(const EdgeBuffer<S>& edges, int first, int lanes, S* costs) {
  OrInto(edges.none_before(first), lanes, costs);
}

/// The costs of candidates x + shift of pixels x in [first, last) of a slab that begins at pixel x0; none where that is
/// no candidate.
template <class S>
HWY_INLINE void TakeDiagonal(const S* slab, std::ptrdiff_t stride, int x0, int first, int last, int shift, int count,
                             S* HWY_RESTRICT out) {
  const int from = std::clamp(-shift, first, last), to = std::clamp(count - shift, from, last);
  const S* cost = slab + (from - x0) * stride + from + shift;
  for (int x = first; x < from; ++x) *out++ = none<S>;
  for (int x = from; x < to; ++x, cost += stride + 1) *out++ = *cost;
  for (int x = to; x < last; ++x) *out++ = none<S>;
}

/// Moves the narrow candidates' costs from the slab, which holds `lanes` candidates, to the buffer and removes all but
/// the full ones. Nearer than rx to the border, where windows are clipped themselves, full candidates end at the same
/// one for all pixels; further inside they move on with the pixel.
template <class S>
HWY_INLINE void TakeNarrow(const MatchLayout& layout, EdgeBuffer<S>& edges, int x0, int count, int lanes, S* slab) {
  const std::ptrdiff_t stride = layout.slab_stride();
  const auto take_one = [&](int x, int k) {
    return k >= 0 && k < layout.count ? slab[(x - x0) * stride + k] : none<S>;
  };
  const int above_end = std::min(x0 + count, layout.first_interior()), inner = std::max(x0, layout.rx);
  for (int s = 1; s <= layout.rx; ++s) {
    S* out = edges.above(s);
    for (int x = x0; x < std::min(above_end, layout.rx); ++x)
      out[x] = s <= x ? take_one(x, layout.unbounded_last_full(x) + s) : none<S>;
    if (inner < above_end)
      TakeDiagonal(slab, stride, x0, inner, above_end, s - layout.dmin - layout.rx, layout.count, out + inner);
  }
  for (int x = x0; x < above_end; ++x)
    RemoveFrom(edges, std::clamp(layout.unbounded_last_full(x) + 1, 0, layout.padded), lanes, slab + (x - x0) * stride);

  const int end = x0 + count, below = layout.last_interior() + 1, first = std::max(x0, below);
  const int outer = std::clamp(layout.width - layout.rx, first, std::max(first, end));
  for (int s = 1; s <= layout.rx; ++s) {
    S* out = edges.below(s) - below;
    if (first < outer)
      TakeDiagonal(slab, stride, x0, first, outer, layout.rx - layout.dmin - (layout.width - 1) - s, layout.count,
                   out + first);
    for (int x = outer; x < end; ++x)
      out[x] = s <= layout.width - 1 - x ? take_one(x, layout.unbounded_first_full(x) - s) : none<S>;
  }
  for (int x = first; x < end; ++x)
    RemoveBefore(edges, std::clamp(layout.unbounded_first_full(x), 0, layout.padded), lanes, slab + (x - x0) * stride);
}

/// `yes` where the mask's bits are set, else `no`. A choice would become a branch, and the loop would not be
/// vectorised.
template <class T>
HWY_INLINE T Blend(T mask, T yes, T no) {
  return static_cast<T>(no ^ ((yes ^ no) & mask));
}

/// Compares one narrow candidate of each pixel with the best so far. kWinsTies: it also wins where it costs the same;
/// kFarEnd: where it costs the same but does not win, it is the far end.
template <bool kWinsTies, bool kFarEnd, class S>
HWY_NOINLINE void Compete(const S* HWY_RESTRICT narrow, const int32_t* HWY_RESTRICT full, int step, int count,
                          const int32_t* HWY_RESTRICT own_taps, S* HWY_RESTRICT cost, int32_t* HWY_RESTRICT taps,
                          int32_t* HWY_RESTRICT candidate, int32_t* HWY_RESTRICT far_end) {
  const int distance = std::abs(step);
  for (int x = 0; x < count; ++x) {
    const int32_t narrow_taps = own_taps[x] - distance < 1 ? 1 : own_taps[x] - distance;
    const auto mine = static_cast<Product<S>>(static_cast<Product<S>>(narrow[x]) * static_cast<Product<S>>(taps[x]));
    const auto best = static_cast<Product<S>>(static_cast<Product<S>>(cost[x]) * static_cast<Product<S>>(narrow_taps));
    const int32_t less = -static_cast<int32_t>(mine < best), at_most = ~-static_cast<int32_t>(best < mine);
    const int32_t wins = kWinsTies ? at_most : less;
    cost[x] = Blend(static_cast<S>(wins), narrow[x], cost[x]);
    taps[x] = Blend(wins, narrow_taps, taps[x]);
    candidate[x] = Blend(wins, full[x] + step, candidate[x]);
    if constexpr (kFarEnd) far_end[x] = Blend(kWinsTies ? less : at_most, full[x] + step, far_end[x]);
  }
}

/// All narrow candidates against the best full ones, which `cost`, `taps` and `candidate` hold for the whole row, and
/// with kFarEnd `far_end`. Seen from the full ones outwards, candidates above come later in ascending order and so lose
/// ties for the lowest, those below win them.
template <bool kHighest, bool kFarEnd, class S>
HWY_INLINE void CompeteNarrow(const MatchLayout& layout, EdgeBuffer<S>& edges, S* cost, int32_t* taps,
                              int32_t* candidate, int32_t* far_end) {
  const int above_end = layout.first_interior(), below = layout.last_interior() + 1, count = layout.width - below;
  const int32_t* own = edges.own_taps();
  for (int s = 1; s <= layout.rx; ++s) {
    Compete<kHighest, kFarEnd>(edges.above(s), edges.last_full(), s, above_end, own, cost, taps, candidate, far_end);
    Compete<!kHighest, kFarEnd>(edges.below(s), edges.first_full() + below, -s, count, own + below, cost + below,
                                taps + below, candidate + below, far_end + below);
  }
}

/// The same for choices that are known at run time alone; without far ends where that is null.
template <class S>
HWY_INLINE void CompeteNarrow(const MatchLayout& layout, EdgeBuffer<S>& edges, bool highest, S* cost, int32_t* taps,
                              int32_t* candidate, int32_t* far_end) {
  if (far_end != nullptr && highest)
    CompeteNarrow<true, true>(layout, edges, cost, taps, candidate, far_end);
  else if (far_end != nullptr)
    CompeteNarrow<false, true>(layout, edges, cost, taps, candidate, far_end);
  else if (highest)
    CompeteNarrow<true, false>(layout, edges, cost, taps, candidate, candidate);
  else
    CompeteNarrow<false, false>(layout, edges, cost, taps, candidate, candidate);
}

/// Removes the narrow candidates that lie at most one step from the winner: these are no second-best candidates.
template <class S>
HWY_INLINE void KeepSecondCandidates(const MatchLayout& layout, EdgeBuffer<S>& edges, const int32_t* candidate) {
  const int below = layout.last_interior() + 1;
  for (int x = 0; x < layout.first_interior(); ++x)
    for (int s = 1; s <= layout.rx; ++s)
      if (std::abs(edges.last_full()[x] + s - candidate[x]) <= 1) edges.above(s)[x] = none<S>;
  for (int x = below; x < layout.width; ++x)
    for (int s = 1; s <= layout.rx; ++s)
      if (std::abs(edges.first_full()[x] - s - candidate[x]) <= 1) edges.below(s)[x - below] = none<S>;
}

/// Last step, for the whole row: `row` holds what the vector path found among the full candidates.
template <class S>
HWY_INLINE void ResolveEdges(const MatchLayout& layout, EdgeBuffer<S>& edges, const WinnerWants& wants,
                             const RowResults<S>& row) {
  const auto each_edge = [&](auto&& body) {
    for (int x = 0; x < layout.first_interior(); ++x) body(x);
    for (int x = std::max(layout.last_interior() + 1, layout.first_interior()); x < layout.width; ++x) body(x);
  };
  int32_t* full_winner = edges.full_winner();
  each_edge([&](int x) {
    row.taps[x] = edges.own_taps()[x];
    full_winner[x] = row.candidate[x];
  });
  if (wants.second) each_edge([&](int x) { edges.full_cost()[x] = row.cost[x]; });
  CompeteNarrow(layout, edges, wants.highest, row.cost, row.taps, row.candidate, wants.far_end ? row.far_end : nullptr);

  each_edge([&](int x) {
    const int winner = row.candidate[x];
    if (row.taps[x] == edges.own_taps()[x]) {  // a full one won
      row.second_taps[x] = row.taps[x];
      return;
    }
    if (wants.second) {
      // The full ones' best is the second best, unless it is the winner's neighbour; then the best of the others is.
      const S full_cost = edges.full_cost()[x];
      S second = full_cost;
      if (full_cost != none<S> && winner == full_winner[x] + 1) second = std::min(row.near[x].before, row.second[x]);
      if (full_cost != none<S> && winner == full_winner[x] - 1) second = std::min(row.near[x].after, row.second[x]);
      row.second[x] = second;
      row.second_taps[x] = edges.own_taps()[x];
    }
    row.near[x].before = row.near[x].after = none<S>;  // the neighbours' windows differ in width
  });
  if (!wants.second) return;
  KeepSecondCandidates(layout, edges, row.candidate);
  CompeteNarrow(layout, edges, wants.highest, row.second, row.second_taps, full_winner,
                nullptr);  // which candidate it is does not matter
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_EDGES_INL_H_
