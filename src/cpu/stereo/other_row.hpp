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

/// Memory for an OtherRow, and the late decisions at the ends of a row: there the windows of one pixel's candidates are
/// clipped to different widths *seen from the other view*, so costs are compared by their exact means. That concerns
/// disparities above 0 in the last rx columns and below 0 in the first rx.
template <class S>
class OtherRowBuffer {
 public:
  void resize(const MatchLayout& layout) {
    const auto n = static_cast<std::size_t>(layout.other_length() + MatchLayout::slab_pad);
    cost_.resize(n);
    x_.resize(n);
    taps_.resize(n);
    late_.resize(static_cast<std::size_t>(2 * layout.rx) * static_cast<std::size_t>(layout.padded));
    late_x_.clear();
    late_x_.reserve(static_cast<std::size_t>(2 * layout.rx));
  }
  OtherRow<S> begin() {
    std::fill(cost_.begin(), cost_.end(), none<S>);
    late_x_.clear();
    return {cost_.data(), x_.data()};
  }
  /// Keeps the costs of a pixel near the ends of the row for settle().
  void postpone(const MatchLayout& layout, int x, const S* costs) {
    const auto row = static_cast<std::size_t>(layout.padded);
    std::copy_n(costs, row, late_.begin() + static_cast<std::ptrdiff_t>(late_x_.size() * row));
    late_x_.push_back(x);
  }
  /// Lets the postponed pixels compete.
  void settle(const MatchLayout& layout, bool highest) {
    if (late_x_.empty()) return;
    for (int position = 0; position < layout.other_length(); ++position) {
      const int column = layout.partner(position);
      const bool inside = column >= 0 && column < layout.width;
      taps_[static_cast<std::size_t>(position)] = static_cast<std::uint32_t>(inside ? layout.own_taps(column) : 1);
    }
    for (std::size_t i = 0; i < late_x_.size(); ++i)
      settle_pixel(layout, late_x_[i], late_.data() + i * static_cast<std::size_t>(layout.padded), highest);
  }
  std::size_t bytes() const {
    return (cost_.capacity() + x_.capacity() + late_.capacity()) * sizeof(S) + taps_.capacity() * sizeof(std::uint32_t);
  }

 private:
  using Product = std::conditional_t<sizeof(S) == 2, std::uint32_t, std::uint64_t>;

  void settle_pixel(const MatchLayout& layout, int x, const S* costs, bool highest) {
    const int position = layout.position(x, 0);
    for (int k = layout.first_inside(x); k <= layout.last_inside(x); ++k) {
      const auto p = static_cast<std::size_t>(position + k);
      const auto taps = static_cast<std::uint32_t>(layout.taps(x, layout.partner(position + k)));
      const Product mine = static_cast<Product>(costs[k]) * taps_[p];
      const Product best = static_cast<Product>(cost_[p]) * taps;
      const bool tie =
          cost_[p] != none<S> && mine == best && (highest ? static_cast<S>(x) > x_[p] : static_cast<S>(x) < x_[p]);
      if (cost_[p] != none<S> && mine >= best && !tie) continue;
      cost_[p] = costs[k];
      x_[p] = static_cast<S>(x);
      taps_[p] = taps;
    }
  }

  std::vector<S> cost_, x_, late_;
  std::vector<std::uint32_t> taps_;
  std::vector<int> late_x_;
};

}  // namespace vergence::cpu
