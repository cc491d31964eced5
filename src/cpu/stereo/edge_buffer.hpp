// SPDX-License-Identifier: Apache-2.0
// Memory and tables for the pixels near the ends of a row (edges-inl.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/stereo/layout.hpp"
#include "cpu/stereo/row_results.hpp"

namespace vergence::cpu {

__extension__ using Wide128 = unsigned __int128;

/// The candidates that are left of a pixel's: [first, last].
struct FewCandidates {
  int x;
  int first;
  int last;
};

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
      const int first = std::max(0, x - layout.dmin - (layout.width - 1 - margin));
      const int last = std::min(layout.count - 1, x - layout.dmin - margin);
      const int count = last - first + 1;
      if (count >= 1 && count <= 3 && count < layout.count) few_.push_back({x, first, last});
    }
  }

  std::vector<FewCandidates> few_;
  std::vector<S> mask_, outside_, narrow_, full_cost_;
  std::vector<std::int32_t> own_taps_, last_full_, first_full_, full_winner_;
  std::ptrdiff_t padded_ = 0;
  int above_width_ = 0, below_width_ = 0;
  std::ptrdiff_t below_ = 0;
};

}  // namespace vergence::cpu
