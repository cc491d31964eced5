// SPDX-License-Identifier: Apache-2.0
// The best of many candidates whose costs are known: rows of costs, one displacement per column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "cpu/motion/block_walk.hpp"
#include "definitions/motion/second_best.h"

namespace vergence::cpu {

/// Smallest of `count` costs, at least one.
using RowMinimum = std::uint32_t (*)(const std::uint32_t* costs, int count);
RowMinimum row_minimum(std::int64_t target);

/// Bits of the vectors' x components, which all rows of a block share.
class RateTable {
 public:
  void begin(int lambda, MotionRange x, MotionVector prediction) {
    lambda_ = lambda;
    if (lambda_ == 0) return;
    first_ = x.first;
    prediction_y_ = prediction.dy;
    fewest_ = std::numeric_limits<int>::max();
    bits_.clear();
    for (int dx = x.first; dx <= x.last; ++dx) {
      bits_.push_back(definitions::component_bits(4 * dx - prediction.dx));
      fewest_ = std::min(fewest_, bits_.back());
    }
  }
  template <class P>
  void begin(const BlockWalk<P>& walk) {
    begin(walk.frame().lambda, walk.x(), walk.prediction());
  }
  std::uint64_t rate(int dx, int dy) const {
    if (lambda_ == 0) return 0;
    return definitions::motion_rate(lambda_, bits_[static_cast<std::size_t>(dx - first_)] + row_bits(dy));
  }
  /// At most the rate of every candidate of the row.
  std::uint64_t least(int dy) const {
    return lambda_ == 0 ? 0 : definitions::motion_rate(lambda_, fewest_ + row_bits(dy));
  }

 private:
  int row_bits(int dy) const { return definitions::component_bits(4 * dy - prediction_y_); }

  int lambda_ = 0;
  int first_ = 0;
  int prediction_y_ = 0;
  int fewest_ = 0;
  std::vector<int> bits_;
};

/// The largest J with which a candidate of row dy can still be better than `best`: a candidate of equal J must be as
/// short, and none is shorter than |dy|. False where none can.
inline bool largest_winner(const Candidate& best, int dy, std::uint64_t& j) {
  if (std::abs(dy) <= std::abs(best.dx) + std::abs(best.dy)) {
    j = best.j;
    return true;
  }
  if (best.j == 0) return false;
  j = best.j - 1;
  return true;
}

/// Candidates (first + i, dy) with costs[i].
template <class E>
void scan_row(const RateTable& rates, const E* costs, int first, int count, int dy, Candidate& best) {
  for (int i = 0; i < count; ++i) {
    const std::uint64_t j = costs[i] + rates.rate(first + i, dy);
    if (definitions::is_better_vector(j, first + i, dy, best.j, best.dx, best.dy)) best = {first + i, dy, costs[i], j};
  }
}
/// The same; rows without a winner, nearly all, are left by their minimum.
inline void scan_row(RowMinimum minimum, const RateTable& rates, const std::uint32_t* costs, int first, int count,
                     int dy, Candidate& best) {
  std::uint64_t most = 0;
  if (largest_winner(best, dy, most) && minimum(costs, count) + rates.least(dy) <= most)
    scan_row(rates, costs, first, count, dy, best);
}

/// Smallest J of the candidates of a row that may be second best to `best`.
template <class E>
std::uint64_t second_in_row(const RateTable& rates, const E* costs, int first, int count, int dy,
                            const Candidate& best) {
  std::uint64_t smallest = no_motion_cost;
  for (int i = 0; i < count; ++i)
    if (definitions::may_be_second_best_vector(first + i, dy, best.dx, best.dy))
      smallest = std::min(smallest, costs[i] + rates.rate(first + i, dy));
  return smallest;
}

}  // namespace vergence::cpu
