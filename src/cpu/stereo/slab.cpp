// SPDX-License-Identifier: Apache-2.0
// The slab (slab.hpp) on vectors: the order in which its winners, their neighbours and its edges are found.
#define VERGENCE_SIMD_FILE "cpu/stereo/slab.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/check.hpp"
#include "cpu/stereo/edges-inl.h"
#include "cpu/stereo/finish-inl.h"
#include "cpu/stereo/other_view-inl.h"
#include "cpu/stereo/slab.hpp"
#include "cpu/stereo/winner-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

template <class S>
class VectorSlab final : public Slab<S> {
  using Base = Slab<S>;
  using Base::begin_, Base::check_, Base::end_, Base::first_, Base::row, Base::scratch_, Base::stride_;

 public:
  VectorSlab(const StereoPlan& plan, const MatchLayout& layout)
      : Base(plan, layout), plan_(plan), options_(plan.options), layout_(layout) {
    highest_ = options_.tie == StereoTie::highest;
    taps_differ_ = layout.partial && layout.skip;
    const auto width = static_cast<std::size_t>(layout.width);
    scratch_.edges.resize(layout);
    scratch_.results.resize(layout.width);
    if (check_) scratch_.other.resize(layout);
    scratch_.disparity.resize(std::max<std::size_t>(width, 16));  // at least a vector
    scratch_.reject.resize(width);
    scratch_.confidence.resize(width);
  }

  void begin(const MatchWants& wants) override {
    wants_ = wants;
    winners_.highest = highest_;
    winners_.second = wants.second;
    winners_.neighbours = options_.subpixel || wants.neighbours || wants.second;
    winners_.far_end = options_.reject_ties && !wants.second;
    if (wants.narrow_disparities) scratch_.narrow_disparity.resize(static_cast<std::size_t>(layout_.width));
    std::fill_n(scratch_.slab.get(), MatchLayout::chunk * stride_, none<S>);
  }

  void begin_row(const RowNotes& notes) override {
    scratch_.masks.begin(layout_, notes);
    if (check_) other_ = scratch_.other.begin();
  }

  void take(const S* HWY_RESTRICT costs, int count, int lanes) override {
    const hn::ScalableTag<S> d;
    const int n = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < count; ++i, costs += lanes) {
      S* HWY_RESTRICT to = row(i);
#pragma GCC unroll 4
      for (int k = 0; k < lanes; k += n) hn::Store(hn::Load(d, costs + k), d, to + k);
    }
  }

  void chunk(int x0, int count, int lanes) override {
    if (lanes > layout_.count || lanes < layout_.padded) ClearTail(count, lanes);
    if (scratch_.masks.any()) RemoveMasked(x0, count, lanes);
    const bool edges = x0 < layout_.first_interior() || x0 + count - 1 > layout_.last_interior();
    if (check_) CompeteForOther(x0, count, lanes);
    if (edges && taps_differ_) MoveNarrow(x0, count, lanes);
    // Clipped windows need the second best itself, to compare it with the narrow candidates'.
    winners_.ratio = wants_.only_uniqueness && !(edges && taps_differ_) ? options_.uniqueness_ratio : 0;
    FindWinners<S>(layout_, first_, count, lanes, winners_, scratch_.bits, scratch_.results.get().from(x0));
  }

  MatchedRow<S> finish(const uint8_t* rejected) override {
    const RowResults<S> results = scratch_.results.get();
    const int width = layout_.width;
    int32_t* disparity = scratch_.disparity.data();
    uint8_t* reject = scratch_.reject.data();
    const auto edge = [&](int x) { return taps_differ_ && layout_.is_edge(x); };

    if (taps_differ_) ResolveEdges(layout_, scratch_.edges, winners_, results);
    if (!layout_.partial) ClearMargins(results);
    RejectMissing(results, width, reject);
    if (rejected != nullptr) RejectMarked(rejected, width, reject);
    if (wants_.neighbours) PairNeighbours(results, width);
    if (!options_.subpixel)
      WholePixels(results, width, layout_.dmin, disparity);
    else if (options_.cost == StereoCost::sad && !plan_.sums_paths())
      VFit(results, width, layout_.dmin, disparity);
    else
      Parabola(results, width, layout_.dmin, disparity);
    // A second best that costs as much as the winner is a tie: no ratio allows it, not even 0.
    if (options_.uniqueness_ratio > 0 || (options_.reject_ties && wants_.second)) {
      const int first = taps_differ_ ? layout_.first_interior() : 0;
      const int last = taps_differ_ ? std::max(first, layout_.last_interior() + 1) : width;
      Uniqueness(results, width, options_.uniqueness_ratio, first, last, reject);
    }
    if (winners_.far_end) RejectTies(results, width, reject);
    const auto& few = scratch_.masks.any() ? scratch_.masks.few() : scratch_.edges.few();
    if (options_.reject_ties) RejectWithoutSecondBest(results, few, layout_.count, reject);
    if (check_) {
      SettleLate(layout_, scratch_.other, highest_, other_);
      for (int x = 0; x < width; ++x)
        if (results.cost[x] == none<S>) results.candidate[x] = 0;
      check_row<S>(plan_, layout_, results.candidate, other_.x, reject);
    }
    if (wants_.confidence) Confidence(results, width, edge, reject, scratch_.confidence.data());
    return {results, Deliver(disparity, reject), scratch_.confidence.data()};
  }

 private:
  // What only some rows or their ends need is not inlined: calls for a chunk stay short.

  /// Lanes past the last candidate are none, and so is what pixels further right left of units that have not started.
  HWY_NOINLINE void ClearTail(int count, int lanes) {
    if (lanes > layout_.count) ClearPadding(count, lanes);
    if (lanes < layout_.padded) ClearStale(count, check_ ? MatchLayout::slab_pad : 1, lanes);
  }

  HWY_INLINE void ClearPadding(int count, int lanes) {
    const hn::ScalableTag<S> d;
    const int n = static_cast<int>(hn::Lanes(d)), from = layout_.count / n * n;
    const auto padding = hn::LoadU(d, scratch_.edges.none_from(layout_.count) + from);
    for (int i = 0; i < count; ++i) {
      S* HWY_RESTRICT costs = row(i);
      hn::Store(hn::Or(hn::Load(d, costs + from), padding), d, costs + from);
      for (int k = from + n; k < lanes; k += n) hn::Store(hn::Set(d, none<S>), d, costs + k);
    }
  }
  HWY_INLINE void ClearStale(int count, int width, int lanes) {
    const hn::ScalableTag<S> d;
    const int n = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < width; k += n) hn::StoreU(hn::Set(d, none<S>), d, row(i) + lanes + k);
  }

  /// Pixels that show nothing have no candidates, and are none.
  HWY_NOINLINE void RemoveMasked(int x0, int count, int lanes) {
    for (int i = 0; i < count; ++i) {
      const int position = layout_.position(x0 + i, 0);
      if (scratch_.masks.is_hole(x0 + i))
        RemoveFrom(scratch_.edges, 0, lanes, row(i));
      else if (scratch_.masks.meets_hole(position, lanes))
        OrInto(scratch_.masks.holes(position), lanes, row(i));
    }
  }

  HWY_NOINLINE void MoveNarrow(int x0, int count, int lanes) {
    TakeNarrow(layout_, scratch_.edges, x0, count, lanes, first_);
  }

  /// Pixels [x0, x0 + count) compete for the pixels of the other view. Those near the ends of the row, whose windows
  /// are clipped there, come last.
  HWY_NOINLINE void CompeteForOther(int x0, int count, int lanes) {
    int first = begin_, last = end_;
    if (layout_.partial) {
      if (layout_.dmin < 0) first = layout_.rx;
      if (layout_.dmin + layout_.count - 1 > 0) last = layout_.width - layout_.rx;
      for (int x = x0; x < std::min(x0 + count, first); ++x) scratch_.other.postpone(layout_, x, row(x - x0));
      for (int x = std::max(x0, last); x < x0 + count; ++x) scratch_.other.postpone(layout_, x, row(x - x0));
    }
    const int from = std::max(x0, first), to = std::min(x0 + count, last);
    if (highest_)
      UpdateOtherView<true>(layout_, row(std::max(from - x0, 0)), from, to - from, lanes, other_);
    else
      UpdateOtherView<false>(layout_, row(std::max(from - x0, 0)), from, to - from, lanes, other_);
  }

  /// Where windows must be whole, the pixels beside the margins have no candidate.
  void ClearMargins(const RowResults<S>& results) {
    for (int x = 0; x < layout_.rx; ++x)
      for (const int at : {x, layout_.width - 1 - x}) {
        results.cost[at] = results.second[at] = none<S>;
        results.near[at].before = results.near[at].after = none<S>;
      }
  }

  /// The disparities as the map holds them.
  const void* Deliver(int32_t* disparity, const uint8_t* reject) {
    const int width = layout_.width, invalid = plan_.invalid;
    if (!wants_.narrow_disparities) {
      InvalidateRejected(disparity, reject, width, invalid, disparity);
      return disparity;
    }
    int16_t* narrow = scratch_.narrow_disparity.data();
    InvalidateRejected(disparity, reject, width, invalid, narrow);
    return narrow;
  }

  const StereoPlan& plan_;
  const StereoOptions& options_;
  const MatchLayout layout_;
  MatchWants wants_;
  WinnerWants winners_;
  OtherRow<S> other_{};
  bool highest_ = false;
  bool taps_differ_ = false;  ///< Clipped windows of candidates that may be skipped.
};

std::unique_ptr<Slab<uint16_t>> Slab16(const StereoPlan& plan, const MatchLayout& layout) {
  return std::make_unique<VectorSlab<uint16_t>>(plan, layout);
}
std::unique_ptr<Slab<uint32_t>> Slab32(const StereoPlan& plan, const MatchLayout& layout) {
  return std::make_unique<VectorSlab<uint32_t>>(plan, layout);
}
std::unique_ptr<Slab<uint64_t>> Slab64(const StereoPlan& plan, const MatchLayout& layout) {
  return std::make_unique<VectorSlab<uint64_t>>(plan, layout);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(Slab16);
VERGENCE_SIMD_EXPORT(Slab32);
VERGENCE_SIMD_EXPORT(Slab64);

template <>
std::unique_ptr<Slab<std::uint16_t>> make_slab(const StereoPlan& plan, const Context& context,
                                               const MatchLayout& layout) {
  return VERGENCE_DISPATCH(Slab16, context.target)(plan, layout);
}
template <>
std::unique_ptr<Slab<std::uint32_t>> make_slab(const StereoPlan& plan, const Context& context,
                                               const MatchLayout& layout) {
  return VERGENCE_DISPATCH(Slab32, context.target)(plan, layout);
}
template <>
std::unique_ptr<Slab<std::uint64_t>> make_slab(const StereoPlan& plan, const Context& context,
                                               const MatchLayout& layout) {
  return VERGENCE_DISPATCH(Slab64, context.target)(plan, layout);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE
