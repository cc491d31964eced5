// SPDX-License-Identifier: Apache-2.0
// What the matcher does with a row of a band, for one kind of window sums. Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_BAND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_BAND_INL_H_
#undef VERGENCE_CPU_STEREO_BAND_INL_H_
#else
#define VERGENCE_CPU_STEREO_BAND_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "cpu/stereo/band.hpp"
#include "cpu/stereo/check.hpp"
#include "cpu/stereo/edges-inl.h"
#include "cpu/stereo/finish-inl.h"
#include "cpu/stereo/other_view-inl.h"
#include "cpu/stereo/window_sums-inl.h"
#include "cpu/stereo/winner-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

template <class Sums>
class Band final : public RowMatcher<typename Sums::Element, typename Sums::Sum> {
  using S = typename Sums::Sum;
  using E = typename Sums::Element;

 public:
  Band(const StereoPlan& plan, const MatchLayout& layout)
      : plan_(plan), options_(plan.options), layout_(layout), unit_(Sums::UnitLanes()) {
    check_ = options_.left_right >= 0;
    highest_ = options_.tie == StereoTie::highest;
    taps_differ_ = layout.partial && layout.skip;
    begin_ = layout.partial ? 0 : layout.rx;
    end_ = layout.width - begin_;
    // Clipped windows that no other view looks at leave the slab in one go, later.
    const bool outside = layout.skip && (check_ || !layout.partial);
    outside_before_ = outside ? layout.first_interior() : 0;
    outside_from_ = outside ? layout.last_interior() + 1 : layout.width;
    // Columns whose candidates all lie inside the other picture: no mask needed there.
    masked_before_ = layout.skip && layout.partial ? layout.padded - 1 + layout.dmin : 0;
    masked_from_ = layout.skip && layout.partial ? layout.width + std::min(layout.dmin, 0) : layout.width;
    FindStarts();
    reserve();
  }

  void begin(const MatchWants& wants, const uint8_t* inside) override {
    wants_ = wants;
    neighbours_ = options_.subpixel || wants.neighbours || wants.second;
    if (wants.narrow_disparities) scratch_.narrow_disparity.resize(static_cast<std::size_t>(layout_.width));
    change_.inside = inside;
    std::fill_n(scratch_.slab.get(), MatchLayout::chunk * layout_.slab_stride(), none<S>);
    // The columns beside the picture stay 0.
    std::memset(scratch_.columns.get(), 0, ColumnCount() * static_cast<std::size_t>(layout_.padded) * sizeof(S));
  }

  void enter(const RowPair<E>& added, const RowPair<E>& zeros) override {
    change_.plus = added;
    change_.minus = zeros;
    for (int unit = 0; unit < layout_.padded / unit_; ++unit)
      if (FirstPixel(unit) < end_) EnterColumns(unit, FirstPixel(unit) - layout_.rx, layout_.width);
  }

  MatchedRow<S> row(const RowPair<E>& added, const RowPair<E>& removed, const uint8_t* rejected) override {
    change_.plus = added;
    change_.minus = removed;
    if (check_) other_ = scratch_.other.begin();
    Row();
    return Finish(rejected);
  }

  std::size_t bytes() const override { return scratch_.bytes(); }

 private:
  std::size_t ColumnCount() const {
    return static_cast<std::size_t>(layout_.width) + 2 * static_cast<std::size_t>(layout_.rx) + 1;
  }

  void reserve() {
    const auto padded = static_cast<std::size_t>(layout_.padded);
    const auto width = static_cast<std::size_t>(layout_.width);
    scratch_.columns.reserve(ColumnCount() * padded);
    scratch_.window.reserve(padded);
    scratch_.slab.reserve(MatchLayout::chunk * static_cast<std::size_t>(layout_.slab_stride()));
    scratch_.edges.resize(layout_);
    scratch_.results.resize(layout_.width);
    if (check_) scratch_.other.resize(layout_);
    scratch_.disparity.resize(std::max<std::size_t>(width, 16));  // at least a vector
    scratch_.reject.resize(width);
    scratch_.confidence.resize(width);
    columns_ = scratch_.columns.get() + static_cast<std::ptrdiff_t>(layout_.rx + 1) * layout_.padded;
    slab_ = scratch_.slab.get() + MatchLayout::slab_pad;
  }

  /// The chunk of pixels where each unit first holds a candidate that is one. Before it nothing is summed for the unit.
  void FindStarts() {
    scratch_.starts.assign(static_cast<std::size_t>(layout_.padded / unit_), end_);
    for (int k = 0; k < layout_.count; k += unit_) {
      int& start = scratch_.starts[static_cast<std::size_t>(k / unit_)];
      for (start = begin_; start < end_ && !Reaches(start, k); start += MatchLayout::chunk) {
      }
    }
    scratch_.starts[0] = begin_;  // a slab holds one unit at least
  }
  /// True if a pixel of the chunk at x0 may have candidate k.
  bool Reaches(int x0, int k) const {
    const int last = std::min(x0 + MatchLayout::chunk, end_) - 1;
    return !layout_.skip || k <= last - begin_ - layout_.dmin;
  }
  int FirstPixel(int unit) const { return scratch_.starts[static_cast<std::size_t>(unit)]; }

  bool Masked(int x) const { return x < masked_before_ || x >= masked_from_; }

  /// Columns [first, last) of a unit after the row change, and their sum on top of its window.
  HWY_INLINE void EnterColumns(int unit, int first, int last) {
    const int k = unit * unit_;
    S* window = scratch_.window.get() + k;
    std::fill_n(window, unit_, S{0});
    for (int x = std::max(first, 0); x < last;) {
      int stop = last;
      if (x < masked_before_) stop = std::min(stop, masked_before_);
      if (x < masked_from_) stop = std::min(stop, masked_from_);
      if (Masked(x))
        Sums::template Enter<true>(change_, layout_, x, stop, k, columns_ + k, window);
      else
        Sums::template Enter<false>(change_, layout_, x, stop, k, columns_ + k, window);
      x = stop;
    }
  }

  void Row() {
    int lanes = 0;
    for (int x = begin_; x < end_; x += MatchLayout::chunk) {
      const int count = std::min(MatchLayout::chunk, end_ - x);
      int unit = lanes / unit_;
      for (; unit < layout_.padded / unit_ && FirstPixel(unit) <= x; ++unit)
        EnterColumns(unit, x - layout_.rx, std::min(x + layout_.rx, layout_.width));  // the window's but for the last
      lanes = unit * unit_;
      for (unit = 0; (unit + Sums::block) * unit_ <= lanes; unit += Sums::block)
        SlideUnits<Sums::block>(x, x + count, unit * unit_);
      if (Sums::block > 1 && unit * unit_ < lanes) SlideUnits<1>(x, x + count, unit * unit_);
      ClearTail(count, lanes);
      Chunk(x, count, lanes);
    }
  }

  /// Window sums of pixels [x0, x1), in runs of equal needs: no update at the end of the row, masks near both ends.
  template <int kUnits>
  HWY_INLINE void SlideUnits(int x0, int x1, int k0) {
    for (int x = x0; x < x1;) {
      const int entering = x + layout_.rx;
      int stop = x1;
      const auto limit = [&](int column) {
        if (entering < column) stop = std::min(stop, column - layout_.rx);
      };
      limit(masked_before_);
      limit(masked_from_);
      limit(layout_.width);
      if (x < outside_before_) stop = std::min(stop, outside_before_);
      if (x < outside_from_) stop = std::min(stop, outside_from_);
      // A lone unit is rare enough for code that serves all.
      const bool outside = kUnits < Sums::block || x < outside_before_ || x >= outside_from_;
      if (entering >= layout_.width)
        SlideRun<kUnits, false, false>(x0, x, stop, k0, outside);
      else if (Masked(entering))
        SlideRun<kUnits, true, true>(x0, x, stop, k0, outside);
      else
        SlideRun<kUnits, true, false>(x0, x, stop, k0, outside);
      x = stop;
    }
  }

  template <int kUnits, bool kUpdate, bool kMasked>
  HWY_INLINE void SlideRun(int chunk, int x0, int x1, int k0, bool outside) {
    if (outside)
      Slide<kUnits, kUpdate, kMasked, true>(chunk, x0, x1, k0);
    else if constexpr (kUnits == Sums::block)
      Slide<kUnits, kUpdate, kMasked, false>(chunk, x0, x1, k0);
  }

  template <int kUnits, bool kUpdate, bool kMasked, bool kOutside>
  HWY_INLINE void Slide(int chunk, int x0, int x1, int k0) {
    Sums::template Slide<kUnits, kUpdate, kMasked, kOutside>(change_, layout_, x0, x1, k0, scratch_.edges.outside(),
                                                             columns_ + k0, scratch_.window.get() + k0,
                                                             SlabRow(x0 - chunk) + k0);
  }

  /// Lanes past the last candidate are none, and so is what pixels further right left of units that have not started.
  HWY_INLINE void ClearTail(int count, int lanes) {
    if (lanes > layout_.count)
      for (int i = 0; i < count; ++i) RemoveFrom(scratch_.edges, layout_.count, lanes, SlabRow(i));
    if (lanes < layout_.padded) ClearStale(count, check_ ? MatchLayout::slab_pad : 1, lanes);
  }

  HWY_INLINE void ClearStale(int count, int width, int lanes) {
    const hn::ScalableTag<S> d;
    const int n = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < width; k += n) hn::StoreU(hn::Set(d, none<S>), d, SlabRow(i) + lanes + k);
  }

  HWY_INLINE S* SlabRow(int i) { return slab_ + static_cast<std::ptrdiff_t>(i) * layout_.slab_stride(); }

  HWY_INLINE void Chunk(int x0, int count, int lanes) {
    const bool edges = x0 < layout_.first_interior() || x0 + count - 1 > layout_.last_interior();
    if (check_) CompeteForOther(x0, count, lanes);
    if (edges && taps_differ_) TakeNarrow(layout_, scratch_.edges, x0, count, lanes, slab_);
    // Clipped windows need the second best itself, to compare it with the narrow candidates'.
    const int ratio = wants_.only_uniqueness && !(edges && taps_differ_) ? options_.uniqueness_ratio : 0;
    FindWinners<S>(layout_, slab_, count, lanes, highest_, wants_.second, neighbours_, ratio, scratch_.bits,
                   scratch_.results.get().from(x0));
  }

  /// Pixels [x0, x0 + count) compete for the pixels of the other view. Those near the ends of the row, whose windows
  /// are clipped there, come last.
  HWY_INLINE void CompeteForOther(int x0, int count, int lanes) {
    int first = begin_, last = end_;
    if (layout_.partial) {
      if (layout_.dmin < 0) first = layout_.rx;
      if (layout_.dmin + layout_.count - 1 > 0) last = layout_.width - layout_.rx;
      for (int x = x0; x < std::min(x0 + count, first); ++x) scratch_.other.postpone(layout_, x, SlabRow(x - x0));
      for (int x = std::max(x0, last); x < x0 + count; ++x) scratch_.other.postpone(layout_, x, SlabRow(x - x0));
    }
    const int from = std::max(x0, first), to = std::min(x0 + count, last);
    if (highest_)
      UpdateOtherView<true>(layout_, SlabRow(std::max(from - x0, 0)), from, to - from, lanes, other_);
    else
      UpdateOtherView<false>(layout_, SlabRow(std::max(from - x0, 0)), from, to - from, lanes, other_);
  }

  /// Where windows must be whole, the pixels beside the margins have no candidate.
  void ClearMargins(const RowResults<S>& results) {
    for (int x = 0; x < layout_.rx; ++x)
      for (const int at : {x, layout_.width - 1 - x}) {
        results.cost[at] = results.second[at] = none<S>;
        results.near[at].before = results.near[at].after = none<S>;
      }
  }

  MatchedRow<S> Finish(const uint8_t* rejected) {
    const RowResults<S> results = scratch_.results.get();
    const int width = layout_.width;
    int32_t* disparity = scratch_.disparity.data();
    uint8_t* reject = scratch_.reject.data();
    const auto edge = [&](int x) { return taps_differ_ && layout_.is_edge(x); };

    if (taps_differ_) ResolveEdges(layout_, scratch_.edges, highest_, wants_.second, results);
    if (!layout_.partial) ClearMargins(results);
    RejectMissing(results, width, reject);
    if (rejected != nullptr) RejectMarked(rejected, width, reject);
    if (wants_.neighbours) PairNeighbours(results, width);
    if (!options_.subpixel)
      WholePixels(results, width, layout_.dmin, disparity);
    else if (options_.cost == StereoCost::sad)
      VFit(results, width, layout_.dmin, disparity);
    else
      Parabola(results, width, layout_.dmin, disparity);
    if (options_.uniqueness_ratio > 0) {
      const int first = taps_differ_ ? layout_.first_interior() : 0;
      const int last = taps_differ_ ? std::max(first, layout_.last_interior() + 1) : width;
      Uniqueness(results, width, options_.uniqueness_ratio, first, last, reject);
    }
    if (check_) {
      SettleLate(layout_, scratch_.other, highest_, other_);
      for (int x = 0; x < width; ++x)
        if (results.cost[x] == none<S>) results.candidate[x] = 0;
      check_row<S>(plan_, layout_, results.candidate, other_.x, reject);
    }
    if (wants_.confidence) Confidence(results, width, edge, reject, scratch_.confidence.data());
    return {results, Deliver(disparity, reject), scratch_.confidence.data()};
  }

  /// The disparities as the map holds them.
  const void* Deliver(int32_t* disparity, const uint8_t* reject) {
    const int width = layout_.width, invalid = plan_.invalid;
    if (!wants_.narrow_disparities) {
      BlotRejected(disparity, reject, width, invalid, disparity);
      return disparity;
    }
    int16_t* narrow = scratch_.narrow_disparity.data();
    BlotRejected(disparity, reject, width, invalid, narrow);
    return narrow;
  }

  const StereoPlan& plan_;
  const StereoOptions& options_;
  const MatchLayout layout_;
  const int unit_;  ///< Candidates of the smallest step of the sums.
  MatchWants wants_;
  BandScratch<S> scratch_;
  RowChange<E> change_{};
  OtherRow<S> other_{};
  S* columns_ = nullptr;
  S* slab_ = nullptr;
  int begin_ = 0, end_ = 0;                    ///< Pixels whose window the border rule allows.
  int masked_before_ = 0, masked_from_ = 0;    ///< Columns with candidates outside the other picture.
  int outside_before_ = 0, outside_from_ = 0;  ///< Pixels with such candidates.
  bool check_ = false, highest_ = false;
  bool neighbours_ = false;
  bool taps_differ_ = false;  ///< Clipped windows of candidates that may be skipped.
};

template <class Sums>
HWY_INLINE std::unique_ptr<RowMatcher<typename Sums::Element, typename Sums::Sum>> MakeBand(const StereoPlan& plan,
                                                                                            const MatchLayout& layout) {
  return std::make_unique<Band<Sums>>(plan, layout);
}

template <class Sums>
HWY_INLINE int Padded(int count) {
  const int block = Sums::block * Sums::UnitLanes();
  return (count + block - 1) / block * block;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_BAND_INL_H_
