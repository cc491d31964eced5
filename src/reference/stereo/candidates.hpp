// SPDX-License-Identifier: Apache-2.0
// The part of `match` before any decision: all candidates of a pixel, their window costs straight from the taps, and
// the cheapest of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "definitions/stereo/candidate.h"
#include "definitions/stereo/ties.h"
#include "plan/stereo/plan.hpp"
#include "reference/stereo/scene.hpp"
#include "reference/stereo/sgm.hpp"

namespace vergence::reference {

/// One disparity of one pixel that is considered.
struct Candidate {
  int d = 0;
  std::uint64_t cost = 0;     ///< sum over the window's taps, or over the paths
  std::uint64_t columns = 0;  ///< tap columns, at least 1; the rows are common to all candidates of a pixel
};

inline Candidate candidate(const Scene& scene, int x, int y, int d) {
  const StereoPlan& plan = scene.plan;
  const int partner = definitions::partner_column(x, d, scene.reference == StereoView::left);
  const bool skips = plan.options.outside == StereoOutside::skip;
  Candidate result{d, 0, 0};
  for (int v = -plan.ry; v <= plan.ry; ++v)
    for (int u = -plan.rx; u <= plan.rx; ++u) {
      if (y + v < 0 || y + v >= plan.size.height) continue;
      if (x + u < 0 || x + u >= plan.size.width) continue;
      if (skips && (partner + u < 0 || partner + u >= plan.size.width)) continue;
      result.cost += tap_cost(plan.options.cost, scene.matched()(x + u, y + v), other_value(scene, partner + u, y + v));
      if (v == 0) ++result.columns;
    }
  return result;
}

/// Does the border option leave the pixel out?
inline bool is_in_margin(const StereoPlan& plan, int x, int y) {
  return plan.options.border == StereoBorder::invalid &&
         (x < plan.rx || x >= plan.size.width - plan.rx || y < plan.ry || y >= plan.size.height - plan.ry);
}

/// The considered candidates of a pixel of the view `scene.reference`, by rising d; none where the border option leaves
/// the pixel out.
inline std::vector<Candidate> candidates(const Scene& scene, int x, int y) {
  const StereoPlan& plan = scene.plan;
  std::vector<Candidate> result;
  if (is_in_margin(plan, x, y)) return result;
  for (int d = plan.options.min_disparity; d <= plan.last_disparity(); ++d) {
    const int partner = definitions::partner_column(x, d, scene.reference == StereoView::left);
    if (is_considered(scene, x, y, partner)) result.push_back(candidate(scene, x, y, d));
  }
  return result;
}

/// The same under SGM: a candidate costs the sum over the paths of the view `plan.sums_view`. The other view takes the
/// sum of the pixel that the candidate means there. All windows have equally many taps: they count as one column.
inline std::vector<Candidate> candidates(const Scene& scene, const CostVolume& sums, int x, int y) {
  std::vector<Candidate> result;
  for (int d = scene.plan.options.min_disparity; d <= scene.plan.last_disparity(); ++d) {
    const bool own = scene.reference == scene.plan.sums_view;
    const int column = own ? x : definitions::partner_column(x, d, scene.reference == StereoView::left);
    if (!sums.contains(column, y)) continue;
    const std::uint32_t sum = sums.at(column, y, d);
    if (sum != CostVolume::absent) result.push_back({d, sum, 1});
  }
  return result;
}

/// The cheapest candidate by mean cost per tap, the lowest d of equals (the highest with StereoTie::highest).
inline std::optional<Candidate> cheapest(const std::vector<Candidate>& candidates, StereoTie tie) {
  std::optional<Candidate> best;
  for (const Candidate& one : candidates) {  // by rising d: a later one of equal cost is the higher one
    if (!best || definitions::is_cheaper(one.cost, one.columns, best->cost, best->columns)) {
      best = one;
      continue;
    }
    const bool equal = !definitions::is_cheaper(best->cost, best->columns, one.cost, one.columns);
    if (equal && tie == StereoTie::highest) best = one;
  }
  return best;
}

/// The disparities of the lowest and the highest candidate that cost as little as the winner.
struct LeastCost {
  int lowest = 0;
  int highest = 0;
};
inline LeastCost least_cost(const std::vector<Candidate>& candidates, const Candidate& winner) {
  LeastCost ends{winner.d, winner.d};
  for (const Candidate& one : candidates) {
    if (!definitions::is_as_cheap(one.cost, one.columns, winner.cost, winner.columns)) continue;
    ends.lowest = std::min(ends.lowest, one.d);
    ends.highest = std::max(ends.highest, one.d);
  }
  return ends;
}

/// The cheapest of those more than 1 px away from `winner`.
inline std::optional<Candidate> second_best(const std::vector<Candidate>& candidates, const Candidate& winner,
                                            StereoTie tie) {
  std::vector<Candidate> second_best;
  for (const Candidate& one : candidates)
    if (definitions::may_be_second_best(one.d, winner.d)) second_best.push_back(one);
  return cheapest(second_best, tie);
}

}  // namespace vergence::reference
