// SPDX-License-Identifier: Apache-2.0
// From window costs to a matched row, whatever the costs were summed from: a slab of MatchLayout::chunk pixels is
// searched for winners, and the whole row is finished. Compiled once per target and type of sums.

#if defined(VERGENCE_CPU_STEREO_SLAB_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_SLAB_INL_H_
#undef VERGENCE_CPU_STEREO_SLAB_INL_H_
#else
#define VERGENCE_CPU_STEREO_SLAB_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "cpu/stereo/band.hpp"
#include "cpu/stereo/check.hpp"
#include "cpu/stereo/edges-inl.h"
#include "cpu/stereo/finish-inl.h"
#include "cpu/stereo/other_view-inl.h"
#include "cpu/stereo/winner-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

/// The costs of all candidates of MatchLayout::chunk pixels, and what is found in them. What is large and runs once for
/// a row is not inlined, so that it is compiled once for all kinds of sums.
template <class S>
class Slab {
 public:
  Slab(const StereoPlan& plan, const MatchLayout& layout) : plan_(plan), options_(plan.options), layout_(layout) {
    check_ = options_.left_right >= 0;
    highest_ = options_.tie == StereoTie::highest;
    taps_differ_ = layout.partial && layout.skip;
    begin_ = layout.partial ? 0 : layout.rx;
    end_ = layout.width - begin_;
    const auto width = static_cast<std::size_t>(layout.width);
    scratch_.slab.reserve(MatchLayout::chunk * static_cast<std::size_t>(layout.slab_stride()));
    scratch_.edges.resize(layout);
    scratch_.results.resize(layout.width);
    if (check_) scratch_.other.resize(layout);
    scratch_.disparity.resize(std::max<std::size_t>(width, 16));  // at least a vector
    scratch_.reject.resize(width);
    scratch_.confidence.resize(width);
    slab_ = scratch_.slab.get() + MatchLayout::slab_pad;
  }

  /// Pixels whose window the border rule allows: [begin, end).
  int begin_pixel() const { return begin_; }
  int end_pixel() const { return end_; }
  /// True if the other view looks for its partners in the slab.
  bool check() const { return check_; }
  /// See EdgeBuffer::outside.
  const S* outside() const { return scratch_.edges.outside(); }
  std::size_t bytes() const { return scratch_.bytes(); }

  /// Candidate 0 of pixel i of the chunk.
  HWY_INLINE S* Row(int i) { return slab_ + static_cast<std::ptrdiff_t>(i) * layout_.slab_stride(); }

  HWY_NOINLINE void Begin(const MatchWants& wants) {
    wants_ = wants;
    winners_.highest = highest_;
    winners_.second = wants.second;
    winners_.neighbours = options_.subpixel || wants.neighbours || wants.second;
    winners_.far_end = options_.reject_ties && !wants.second;
    if (wants.narrow_disparities) scratch_.narrow_disparity.resize(static_cast<std::size_t>(layout_.width));
    std::fill_n(scratch_.slab.get(), MatchLayout::chunk * layout_.slab_stride(), none<S>);
  }

  void BeginRow() {
    if (check_) other_ = scratch_.other.begin();
  }

  /// Pixels [x0, x0 + count), whose `lanes` first candidates are in the slab.
  HWY_INLINE void Chunk(int x0, int count, int lanes) {
    ClearTail(count, lanes);
    const bool edges = x0 < layout_.first_interior() || x0 + count - 1 > layout_.last_interior();
    if (check_) CompeteForOther(x0, count, lanes);
    if (edges && taps_differ_) TakeNarrow(layout_, scratch_.edges, x0, count, lanes, slab_);
    // Clipped windows need the second best itself, to compare it with the narrow candidates'.
    winners_.ratio = wants_.only_uniqueness && !(edges && taps_differ_) ? options_.uniqueness_ratio : 0;
    FindWinners<S>(layout_, slab_, count, lanes, winners_, scratch_.bits, scratch_.results.get().from(x0));
  }

  /// The same, compiled once for all kinds of sums: for sums that take so long that this hardly counts.
  HWY_NOINLINE void SharedChunk(int x0, int count, int lanes) { Chunk(x0, count, lanes); }

  /// The row after its last chunk. `rejected` as in RowMatcher::row.
  HWY_NOINLINE MatchedRow<S> Finish(const uint8_t* rejected) {
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
    if (options_.reject_ties) RejectWithoutSecondBest(results, scratch_.edges.few(), layout_.count, reject);
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
  /// Lanes past the last candidate are none, and so is what pixels further right left of units that have not started.
  HWY_INLINE void ClearTail(int count, int lanes) {
    if (lanes > layout_.count)
      for (int i = 0; i < count; ++i) RemoveFrom(scratch_.edges, layout_.count, lanes, Row(i));
    if (lanes < layout_.padded) ClearStale(count, check_ ? MatchLayout::slab_pad : 1, lanes);
  }

  HWY_INLINE void ClearStale(int count, int width, int lanes) {
    const hn::ScalableTag<S> d;
    const int n = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < width; k += n) hn::StoreU(hn::Set(d, none<S>), d, Row(i) + lanes + k);
  }

  /// Pixels [x0, x0 + count) compete for the pixels of the other view. Those near the ends of the row, whose windows
  /// are clipped there, come last.
  HWY_INLINE void CompeteForOther(int x0, int count, int lanes) {
    int first = begin_, last = end_;
    if (layout_.partial) {
      if (layout_.dmin < 0) first = layout_.rx;
      if (layout_.dmin + layout_.count - 1 > 0) last = layout_.width - layout_.rx;
      for (int x = x0; x < std::min(x0 + count, first); ++x) scratch_.other.postpone(layout_, x, Row(x - x0));
      for (int x = std::max(x0, last); x < x0 + count; ++x) scratch_.other.postpone(layout_, x, Row(x - x0));
    }
    const int from = std::max(x0, first), to = std::min(x0 + count, last);
    if (highest_)
      UpdateOtherView<true>(layout_, Row(std::max(from - x0, 0)), from, to - from, lanes, other_);
    else
      UpdateOtherView<false>(layout_, Row(std::max(from - x0, 0)), from, to - from, lanes, other_);
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
  SlabScratch<S> scratch_;
  OtherRow<S> other_{};
  S* slab_ = nullptr;
  int begin_ = 0, end_ = 0;
  bool check_ = false, highest_ = false;
  bool taps_differ_ = false;  ///< Clipped windows of candidates that may be skipped.
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_SLAB_INL_H_
