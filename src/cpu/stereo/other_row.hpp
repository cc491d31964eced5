// SPDX-License-Identifier: Apache-2.0
// The best partner of each pixel of the other view, along one row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cpu/stereo/layout.hpp"
#include "cpu/stereo/row_results.hpp"

namespace vergence::cpu {

/// Indexed by position (layout.hpp). `x` is modulo the range of S; it is only ever compared with pixels less than that
/// range away.
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

}  // namespace vergence::cpu
