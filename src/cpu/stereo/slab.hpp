// SPDX-License-Identifier: Apache-2.0
// From window costs to a matched row, whatever the costs were summed from: a slab of MatchLayout::chunk pixels is
// searched for winners, and the whole row is finished. Before it the memory that this works in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/stereo/band.hpp"
#include "cpu/stereo/masked_row.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::cpu {

/// Memory for RowResults.
template <class S>
class RowResultsBuffer {
 public:
  void resize(int width) {
    const auto n = (static_cast<std::size_t>(width) + 127) / 64 * 64;  // whole chunks are written, from any pixel on
    for (auto* v : {&cost_, &second_}) v->resize(n);
    for (auto* v : {&candidate_, &far_end_, &taps_, &second_taps_}) v->resize(n);
    near_.resize(n);
  }
  RowResults<S> get() {
    return {candidate_.data(), far_end_.data(), cost_.data(),       near_.data(),
            second_.data(),    taps_.data(),    second_taps_.data()};
  }
  std::size_t bytes() const { return cost_.capacity() * (6 * sizeof(S) + 4 * sizeof(std::int32_t)); }

 private:
  std::vector<S> cost_, second_;
  std::vector<NearCosts<S>> near_;
  std::vector<std::int32_t> candidate_, far_end_, taps_, second_taps_;
};

/// Bits of the comparison with the minimum; zero where no vector writes.
class MatchBitsBuffer {
 public:
  /// For as many bytes, and vectors to a pixel.
  std::uint8_t* get(std::size_t bytes, int vectors) {
    if (vectors != vectors_) bits_.assign(bytes, 0);
    vectors_ = vectors;
    return bits_.data();
  }
  std::size_t bytes() const { return bits_.capacity(); }

 private:
  std::vector<std::uint8_t> bits_;
  int vectors_ = 0;
};

__extension__ using Wide128 = unsigned __int128;

template <class S>
class EdgeBuffer {
 public:
  void resize(const MatchLayout& layout) {
    const auto width = static_cast<std::size_t>(layout.width), padded = static_cast<std::size_t>(layout.padded);
    padded_ = layout.padded;
    mask_.assign(3 * padded, none<S>);
    std::fill_n(mask_.begin() + layout.padded, padded, S{0});
    outside_.assign(static_cast<std::size_t>(layout.other_length()), S{0});
    const int margin = layout.partial ? 0 : layout.rx;
    for (int position = 0; layout.skip && position < layout.other_length(); ++position) {
      const int column = layout.partner(position);
      if (column < margin || column >= layout.width - margin) outside_[static_cast<std::size_t>(position)] = none<S>;
    }
    find_few(layout, margin);
    if (!layout.partial || !layout.skip) return;
    above_width_ = layout.first_interior();
    below_width_ = layout.width - 1 - layout.last_interior();
    narrow_.resize(static_cast<std::size_t>(layout.rx) * static_cast<std::size_t>(above_width_ + below_width_));
    below_ = static_cast<std::ptrdiff_t>(layout.rx) * above_width_;
    full_cost_.resize(width);
    for (auto* table : {&own_taps_, &last_full_, &first_full_, &full_winner_}) table->resize(width);
    for (int x = 0; x < layout.width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      own_taps_[i] = layout.own_taps(x);
      last_full_[i] = layout.unbounded_last_full(x);
      first_full_[i] = layout.unbounded_first_full(x);
    }
  }

  /// none at candidates from `first` on, or before it, 0 elsewhere; `padded` entries, 0 <= first <= padded.
  const S* none_from(int first) const { return mask_.data() + 2 * padded_ - first; }
  const S* none_before(int first) const { return mask_.data() + padded_ - first; }

  /// By position: none where the column is no pixel's candidate (outside the other picture, or its window is), else
  /// 0.
  const S* outside() const { return outside_.data(); }

  /// Costs of the narrow candidates s steps above the full ones, of pixels from 0 on, and s steps below, of pixels from
  /// the first after the interior on.
  S* above(int s) { return narrow_.data() + static_cast<std::ptrdiff_t>(s - 1) * above_width_; }
  S* below(int s) { return narrow_.data() + below_ + static_cast<std::ptrdiff_t>(s - 1) * below_width_; }

  int above_width() const { return above_width_; }
  int below_width() const { return below_width_; }

  const std::int32_t* own_taps() const { return own_taps_.data(); }
  const std::int32_t* last_full() const { return last_full_.data(); }
  const std::int32_t* first_full() const { return first_full_.data(); }
  std::int32_t* full_winner() { return full_winner_.data(); }
  S* full_cost() { return full_cost_.data(); }

  /// Pixels of which the picture's edge cut so many candidates that there may be no second best.
  const std::vector<FewCandidates>& few() const { return few_; }

  std::size_t bytes() const {
    return (mask_.capacity() + outside_.capacity() + narrow_.capacity() + full_cost_.capacity()) * sizeof(S) +
           4 * own_taps_.capacity() * sizeof(std::int32_t);
  }

 private:
  void find_few(const MatchLayout& layout, int margin) {
    few_.clear();
    for (int x = margin; layout.skip && x < layout.width - margin; ++x) {
      const FewCandidates left{x, layout.first_candidate(x), layout.last_candidate(x)};
      if (left.may_lack_second_best(layout.count)) few_.push_back(left);
    }
  }

  std::vector<FewCandidates> few_;
  std::vector<S> mask_, outside_, narrow_, full_cost_;
  std::vector<std::int32_t> own_taps_, last_full_, first_full_, full_winner_;
  std::ptrdiff_t padded_ = 0;
  int above_width_ = 0, below_width_ = 0;
  std::ptrdiff_t below_ = 0;
};

/// The best partner of each pixel of the other view, along one row, indexed by position (MatchLayout). `x` is modulo
/// the range of S; it is only ever compared with pixels less than that range away.
template <class S>
struct OtherRow {
  S* cost;  ///< none where nothing has competed yet
  S* x;
};

/// Memory for an OtherRow, and for the pixels near the ends of a row, which are compared last: there the windows of one
/// pixel's candidates are clipped to different widths *seen from the other view*. That concerns disparities above 0 in
/// the last rx columns and below 0 in the first rx.
template <class S>
class OtherRowBuffer {
 public:
  void resize(const MatchLayout& layout) {
    // NOLINTNEXTLINE(bugprone-misplaced-widening-cast): positions are ints, with room for the padding
    const auto n = static_cast<std::size_t>(layout.other_length() + MatchLayout::slab_pad);
    cost_.resize(n);
    x_.resize(n);
    taps_.resize(n);
    full_taps_.resize(n);
    late_.resize(static_cast<std::size_t>(2 * layout.rx) * static_cast<std::size_t>(layout.padded));
    late_x_.clear();
    // NOLINTNEXTLINE(bugprone-misplaced-widening-cast): less than the picture's width
    late_x_.reserve(static_cast<std::size_t>(2 * layout.rx));
    for (int position = 0; position < layout.other_length(); ++position) {
      const int column = layout.partner(position);
      full_taps_[static_cast<std::size_t>(position)] =
          column >= 0 && column < layout.width ? layout.own_taps(column) : 1;
    }
  }
  OtherRow<S> begin() {
    std::fill(cost_.begin(), cost_.end(), none<S>);
    late_x_.clear();
    return {cost_.data(), x_.data()};
  }
  /// Keeps the costs of a pixel near the ends of the row.
  void postpone(const MatchLayout& layout, int x, const S* costs) {
    const auto row = static_cast<std::size_t>(layout.padded);
    std::copy_n(costs, row, late_.data() + late_x_.size() * row);
    late_x_.push_back(x);
  }
  std::size_t late_count() const { return late_x_.size(); }
  int late_x(std::size_t i) const { return late_x_[i]; }
  const S* late_costs(const MatchLayout& layout, std::size_t i) const {
    return late_.data() + i * static_cast<std::size_t>(layout.padded);
  }
  /// Columns summed in the cost of each position before the late ones compete; they may change them.
  std::int32_t* begin_late(const MatchLayout& layout) {
    for (const int x : late_x_) {
      const auto from = static_cast<std::size_t>(layout.position(x, 0)),
                 count = static_cast<std::size_t>(layout.padded);
      std::memcpy(taps_.data() + from, full_taps_.data() + from, count * sizeof(std::int32_t));
    }
    return taps_.data();
  }
  std::size_t bytes() const {
    return (cost_.capacity() + x_.capacity() + late_.capacity()) * sizeof(S) +
           (taps_.capacity() + full_taps_.capacity()) * sizeof(std::int32_t);
  }

 private:
  std::vector<S> cost_, x_, late_;
  std::vector<std::int32_t> taps_, full_taps_;
  std::vector<int> late_x_;
};

/// Scratch memory of a slab.
template <class S>
struct SlabScratch {
  AlignedBuffer<S> slab;
  EdgeBuffer<S> edges;
  MaskedRow<S> masks;
  RowResultsBuffer<S> results;
  OtherRowBuffer<S> other;
  MatchBitsBuffer bits;
  std::vector<std::int32_t> disparity;
  std::vector<std::int16_t> narrow_disparity;
  std::vector<std::uint8_t> reject, confidence;

  std::size_t bytes() const {
    return slab.bytes() + edges.bytes() + masks.bytes() + results.bytes() + other.bytes() + bits.bytes() +
           disparity.capacity() * 4 + narrow_disparity.capacity() * 2 + reject.capacity() + confidence.capacity();
  }
};

/// The costs of all candidates of MatchLayout::chunk pixels, and what is found in them. The code is compiled once for
/// each SIMD target and type of sums, whatever the sums are of.
template <class S>
class Slab {
 public:
  Slab(const StereoPlan& plan, const MatchLayout& layout)
      : begin_(layout.partial ? 0 : layout.rx),
        end_(layout.width - begin_),
        check_(plan.options.left_right >= 0),
        stride_(layout.slab_stride()) {
    scratch_.slab.reserve(MatchLayout::chunk * static_cast<std::size_t>(stride_));
    first_ = scratch_.slab.get() + MatchLayout::slab_pad;
  }
  virtual ~Slab() = default;
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  /// Begins a band.
  virtual void begin(const MatchWants& wants) = 0;
  virtual void begin_row(const RowNotes& notes) = 0;
  /// Copies `count` pixels of `lanes` costs each, one behind the other, to the slab.
  virtual void take(const S* costs, int count, int lanes) = 0;
  /// Pixels [x0, x0 + count), whose `lanes` first candidates are in the slab.
  virtual void chunk(int x0, int count, int lanes) = 0;
  /// The row after its last chunk. `rejected` as in RowNotes.
  virtual MatchedRow<S> finish(const std::uint8_t* rejected) = 0;

  /// Candidate 0 of pixel i of the chunk.
  S* row(int i) const { return first_ + i * stride_; }
  /// Pixels whose window the border rule allows: [begin, end).
  int begin_pixel() const { return begin_; }
  int end_pixel() const { return end_; }
  /// True if the other view looks for its partners in the slab.
  bool check() const { return check_; }
  /// See EdgeBuffer::outside.
  const S* outside() const { return scratch_.edges.outside(); }
  std::size_t bytes() const { return scratch_.bytes(); }

 protected:
  const int begin_, end_;
  const bool check_;
  const std::ptrdiff_t stride_;
  S* first_;  ///< Candidate 0 of the first pixel.
  SlabScratch<S> scratch_;
};

/// Defined for sums of 16, 32 and 64 bits.
template <class S>
std::unique_ptr<Slab<S>> make_slab(const StereoPlan& plan, const Context& context, const MatchLayout& layout);

}  // namespace vergence::cpu
