// SPDX-License-Identifier: Apache-2.0
// The window sums of a row of a band, of one kind. Compiled once per target.

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
#include <vector>

#include "cpu/stereo/band.hpp"
#include "cpu/stereo/slab.hpp"
#include "cpu/stereo/window_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

/// Slides the windows of a row over the columns of costs. The slab finds the winners in the sums.
template <class Sums>
class Band final : public RowMatcher<typename Sums::Element, typename Sums::Sum> {
  using S = typename Sums::Sum;
  using E = typename Sums::Element;

 public:
  Band(const StereoPlan& plan, const Context& context, const MatchLayout& layout)
      : layout_(layout),
        slab_(make_slab<S>(plan, context, layout)),
        unit_(Sums::UnitLanes()),
        begin_(slab_->begin_pixel()),
        end_(slab_->end_pixel()) {
    // Clipped windows that no other view looks at leave the slab in one go, later.
    const bool outside = layout.skip && (slab_->check() || !layout.partial);
    outside_before_ = outside ? layout.first_interior() : 0;
    outside_from_ = outside ? layout.last_interior() + 1 : layout.width;
    // Columns whose candidates all lie inside the other picture: no mask needed there.
    masked_before_ = layout.skip && layout.partial ? layout.padded - 1 + layout.dmin : 0;
    masked_from_ = layout.skip && layout.partial ? layout.width + std::min(layout.dmin, 0) : layout.width;
    FindStarts();
    const auto padded = static_cast<std::size_t>(layout.padded);
    column_memory_.reserve(ColumnCount() * padded);
    window_.reserve(padded);
    columns_ = column_memory_.get() + static_cast<std::ptrdiff_t>(layout.rx + 1) * layout.padded;
  }

  void begin(const MatchWants& wants, const uint8_t* inside) override {
    slab_->begin(wants);
    change_.inside = inside;
    // The columns beside the picture stay 0.
    std::memset(column_memory_.get(), 0, ColumnCount() * static_cast<std::size_t>(layout_.padded) * sizeof(S));
  }

  void enter(const RowPair<E>& added, const RowPair<E>& zeros) override {
    change_.plus = added;
    change_.minus = zeros;
    for (int unit = 0; unit < layout_.padded / unit_; ++unit)
      if (FirstPixel(unit) < end_) EnterColumns(unit, FirstPixel(unit) - layout_.rx, layout_.width);
  }

  MatchedRow<S> row(const RowPair<E>& added, const RowPair<E>& removed, const RowNotes& notes) override {
    change_.plus = added;
    change_.minus = removed;
    slab_->begin_row(notes);
    Row();
    return slab_->finish(notes.rejected);
  }

  std::size_t bytes() const override {
    return slab_->bytes() + column_memory_.bytes() + window_.bytes() + starts_.capacity() * sizeof(int);
  }

 private:
  std::size_t ColumnCount() const {
    return static_cast<std::size_t>(layout_.width) + 2 * static_cast<std::size_t>(layout_.rx) + 1;
  }

  /// The chunk of pixels where each unit first holds a candidate that is one. Before it nothing is summed for the unit.
  void FindStarts() {
    starts_.assign(static_cast<std::size_t>(layout_.padded / unit_), end_);
    for (int k = 0; k < layout_.count; k += unit_) {
      int& start = starts_[static_cast<std::size_t>(k / unit_)];
      for (start = begin_; start < end_ && !Reaches(start, k); start += MatchLayout::chunk) {
      }
    }
    starts_[0] = begin_;  // a slab holds one unit at least
  }
  /// True if a pixel of the chunk at x0 may have candidate k.
  bool Reaches(int x0, int k) const {
    const int last = std::min(x0 + MatchLayout::chunk, end_) - 1;
    return !layout_.skip || k <= last - begin_ - layout_.dmin;
  }
  int FirstPixel(int unit) const { return starts_[static_cast<std::size_t>(unit)]; }

  bool Masked(int x) const { return x < masked_before_ || x >= masked_from_; }

  /// Columns [first, last) of a unit after the row change; their sum becomes its window. Where no column needs a mask,
  /// none has one.
  HWY_NOINLINE void EnterColumns(int unit, int first, int last) {
    const int k = unit * unit_, from = std::max(first, 0);
    S* window = window_.get() + k;
    std::fill_n(window, unit_, S{0});
    if (from >= last) return;
    if (masked_before_ <= from && last <= masked_from_)
      Sums::template Enter<false>(change_, layout_, from, last, k, columns_ + k, window);
    else
      Sums::template Enter<true>(change_, layout_, from, last, k, columns_ + k, window);
  }

  void Row() {
    int lanes = 0;
    for (int x = begin_; x < end_; x += MatchLayout::chunk) {
      const int count = std::min(MatchLayout::chunk, end_ - x);
      int unit = lanes / unit_;
      for (; unit < layout_.padded / unit_ && FirstPixel(unit) <= x; ++unit)
        EnterColumns(unit, x - layout_.rx, std::min(x + layout_.rx, layout_.width));  // the window's but for the last
      lanes = unit * unit_;
      unit = 0;
      if constexpr (Sums::most > Sums::block)
        for (; (unit + Sums::most) * unit_ <= lanes; unit += Sums::most)
          SlideUnits<Sums::most>(x, x + count, unit * unit_);
      for (; (unit + Sums::block) * unit_ <= lanes; unit += Sums::block)
        SlideUnits<Sums::block>(x, x + count, unit * unit_);
      if (Sums::block > 1 && unit * unit_ < lanes) SlideUnits<1>(x, x + count, unit * unit_);
      slab_->chunk(x, count, lanes);
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
      // What is rare shares its code: masks and removal change nothing where they are not needed.
      constexpr bool kUsual = kUnits >= Sums::block;
      if (entering >= layout_.width)
        Slide<kUnits, false, false, true>(x0, x, stop, k0);
      else if (!kUsual || Masked(entering))
        Slide<kUnits, true, true, true>(x0, x, stop, k0);
      else if constexpr (kUsual)
        SlideUnmasked<kUnits>(x0, x, stop, k0);
      x = stop;
    }
  }

  template <int kUnits>
  HWY_INLINE void SlideUnmasked(int chunk, int x0, int x1, int k0) {
    if (x0 < outside_before_ || x0 >= outside_from_)
      Slide<kUnits, true, false, true>(chunk, x0, x1, k0);
    else
      Slide<kUnits, true, false, false>(chunk, x0, x1, k0);
  }

  template <int kUnits, bool kUpdate, bool kMasked, bool kOutside>
  HWY_INLINE void Slide(int chunk, int x0, int x1, int k0) {
    Sums::template Slide<kUnits, kUpdate, kMasked, kOutside>(
        change_, layout_, x0, x1, k0, slab_->outside(), columns_ + k0, window_.get() + k0, slab_->row(x0 - chunk) + k0);
  }

  const MatchLayout layout_;
  const std::unique_ptr<Slab<S>> slab_;
  const int unit_;         ///< Candidates of the smallest step of the sums.
  const int begin_, end_;  ///< Pixels whose window the border rule allows.
  AlignedBuffer<S> column_memory_, window_;
  std::vector<int> starts_;
  RowChange<E> change_{};
  S* columns_ = nullptr;
  int masked_before_ = 0, masked_from_ = 0;    ///< Columns with candidates outside the other picture.
  int outside_before_ = 0, outside_from_ = 0;  ///< Pixels with such candidates.
};

template <class Sums>
HWY_INLINE std::unique_ptr<RowMatcher<typename Sums::Element, typename Sums::Sum>> MakeBand(const StereoPlan& plan,
                                                                                            const Context& context,
                                                                                            const MatchLayout& layout) {
  return std::make_unique<Band<Sums>>(plan, context, layout);
}

template <class Sums>
HWY_INLINE int Padded(int count) {
  const int block = Sums::block * Sums::UnitLanes();
  return (count + block - 1) / block * block;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_BAND_INL_H_
