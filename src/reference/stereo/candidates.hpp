// SPDX-License-Identifier: Apache-2.0
// The part of `match` before any decision: all candidates of a pixel, their window costs straight from the taps, and
// the cheapest of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "definitions/stereo/candidate.h"
#include "definitions/stereo/census.h"
#include "definitions/stereo/tap_cost.h"
#include "definitions/stereo/ties.h"
#include "plan/stereo/plan.hpp"
#include "reference/stereo/stages.hpp"

namespace vergence::reference {

/// What taps compare: pixels after the prefilter, or census words.
struct Scene {
  const StereoPlan& plan;
  /// The picture whose pixels are matched; need not be the plan's own choice, the check matches the other one too.
  StereoView reference = StereoView::left;
  Image<std::uint64_t> left, right;

  const Image<std::uint64_t>& matched() const { return reference == StereoView::left ? left : right; }
  const Image<std::uint64_t>& other() const { return reference == StereoView::left ? right : left; }
};

inline int clamped(int value, int count) { return value < 0 ? 0 : value >= count ? count - 1 : value; }

inline std::uint64_t census_word(ImageView<const std::uint16_t> picture, int x, int y, Size window) {
  std::uint64_t word = 0;
  for (int dy = -(window.height / 2); dy <= window.height / 2; ++dy)
    for (int dx = -(window.width / 2); dx <= window.width / 2; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const int neighbour = picture(clamped(x + dx, picture.width()), clamped(y + dy, picture.height()));
      const int bit = definitions::census_bit(dx, dy, window.width, window.height);
      word |= definitions::census_term(neighbour, picture(x, y), bit);
    }
  return word;
}

template <class P>
Image<std::uint64_t> compared(const StereoPlan& plan, ImageView<const P> picture) {
  Image<std::uint16_t> filtered(plan.size);
  prefilter<P>(plan, picture, filtered);
  Image<std::uint64_t> values(plan.size);
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x) {
      if (plan.options.cost == StereoCost::census_5x5)
        values(x, y) = census_word(filtered, x, y, {5, 5});
      else if (plan.options.cost == StereoCost::census_9x7)
        values(x, y) = census_word(filtered, x, y, {9, 7});
      else
        values(x, y) = filtered(x, y);
    }
  return values;
}

template <class P>
Scene make_scene(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right) {
  Image<std::uint64_t> compared_left = compared(plan, left), compared_right = compared(plan, right);
  return {plan, plan.options.reference, std::move(compared_left), std::move(compared_right)};
}

/// One disparity of one pixel that is considered.
struct Candidate {
  int d = 0;
  std::uint64_t cost = 0;     ///< sum over the window's taps
  std::uint64_t columns = 0;  ///< tap columns, at least 1; the rows are common to all candidates of a pixel
};

inline std::uint64_t tap_cost(StereoCost cost, std::uint64_t a, std::uint64_t b) {
  if (cost == StereoCost::sad) return definitions::sad_tap(a, b);
  if (cost == StereoCost::ssd) return definitions::ssd_tap(a, b);
  return definitions::hamming_tap(a, b);
}

/// The other picture at a column that may lie outside it: continued by zeros or by its edge column.
inline std::uint64_t other_value(const Scene& scene, int x, int y) {
  const bool outside = x < 0 || x >= scene.plan.size.width;
  if (outside && scene.plan.options.outside == StereoOutside::zero) return 0;
  return scene.other()(clamped(x, scene.plan.size.width), y);
}

/// Does the candidate whose partner lies in this column count?
inline bool is_considered(const StereoPlan& plan, int partner) {
  if (plan.options.outside != StereoOutside::skip) return true;
  const int margin = plan.options.border == StereoBorder::invalid ? plan.rx : 0;
  return partner >= margin && partner < plan.size.width - margin;
}

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

/// The considered candidates of a pixel, by rising d; none where the border option leaves the pixel out.
inline std::vector<Candidate> candidates(const Scene& scene, int x, int y) {
  const StereoPlan& plan = scene.plan;
  std::vector<Candidate> result;
  if (plan.options.border == StereoBorder::invalid &&
      (x < plan.rx || x >= plan.size.width - plan.rx || y < plan.ry || y >= plan.size.height - plan.ry))
    return result;
  for (int d = plan.options.min_disparity; d <= plan.last_disparity(); ++d) {
    const int partner = definitions::partner_column(x, d, scene.reference == StereoView::left);
    if (is_considered(plan, partner)) result.push_back(candidate(scene, x, y, d));
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
