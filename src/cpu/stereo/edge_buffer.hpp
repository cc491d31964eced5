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

template <class S>
class EdgeBuffer {
 public:
  void resize(const MatchLayout& layout) {
    const auto width = static_cast<std::size_t>(layout.width), padded = static_cast<std::size_t>(layout.padded);
    padded_ = layout.padded;
    mask_.assign(3 * padded, none<S>);
    std::fill_n(mask_.begin() + layout.padded, padded, S{0});
    first_inside_.assign(width, 0);
    after_inside_.assign(width, layout.padded);
    for (int x = 0; x < layout.width; ++x) set_inside(layout, x);
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

  /// Candidates of pixel x that are any: [first_inside, after_inside), both 0 .. padded.
  int first_inside(int x) const { return first_inside_[static_cast<std::size_t>(x)]; }
  int after_inside(int x) const { return after_inside_[static_cast<std::size_t>(x)]; }

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

  std::size_t bytes() const {
    return (mask_.capacity() + narrow_.capacity() + full_cost_.capacity()) * sizeof(S) +
           (4 * own_taps_.capacity() + 2 * first_inside_.capacity()) * sizeof(std::int32_t);
  }

 private:
  void set_inside(const MatchLayout& layout, int x) {
    int first = 0, after = layout.padded;
    if (!layout.partial && (x < layout.rx || x >= layout.width - layout.rx)) {
      after = 0;
    } else if (layout.skip) {
      first = layout.partial ? layout.first_inside(x) : layout.first_full(x);
      after = 1 + (layout.partial ? layout.last_inside(x) : layout.last_full(x));
    }
    first_inside_[static_cast<std::size_t>(x)] = std::clamp(first, 0, layout.padded);
    after_inside_[static_cast<std::size_t>(x)] = std::clamp(after, 0, layout.padded);
  }

  std::vector<S> mask_, narrow_, full_cost_;
  std::vector<std::int32_t> own_taps_, last_full_, first_full_, full_winner_, first_inside_, after_inside_;
  std::ptrdiff_t padded_ = 0;
  int above_width_ = 0, below_width_ = 0;
  std::ptrdiff_t below_ = 0;
};

}  // namespace vergence::cpu
