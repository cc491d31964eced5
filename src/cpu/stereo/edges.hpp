// SPDX-License-Identifier: Apache-2.0
// Pixels near the ends of a row, where some candidates lie outside the other picture or their windows are clipped more than
// the pixel's own. They leave the vector path's slab, and are compared afterwards by exact cross-multiplication.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cpu/stereo/layout.hpp"
#include "cpu/stereo/row_results.hpp"

namespace vergence::cpu {

/// True where pixel x needs the functions below.
inline bool is_edge(const MatchLayout& layout, int x) {
  if (!layout.partial && (x < layout.rx || x >= layout.width - layout.rx)) return true;
  return x < layout.first_interior() || x > layout.last_interior();
}

/// Sets the costs of candidates outside [first, last] to none.
template <class S>
void keep_candidates(const MatchLayout& layout, S* costs, int first, int last) {
  first = std::clamp(first, 0, layout.count);
  last = std::max(last, first - 1);
  std::fill(costs, costs + first, none<S>);
  std::fill(costs + last + 1, costs + layout.padded, none<S>);
}

/// First step: removes what is no candidate at all.
template <class S>
void remove_outside(const MatchLayout& layout, int x, S* costs) {
  if (layout.partial) {
    keep_candidates(layout, costs, layout.first_inside(x), layout.last_inside(x));
  } else if (x < layout.rx || x >= layout.width - layout.rx) {
    keep_candidates(layout, costs, 0, -1);
  } else if (layout.skip) {
    keep_candidates(layout, costs, layout.first_full(x), layout.last_full(x));
  }
}

/// A cost and the columns it sums; compared by the exact mean.
template <class S>
struct TapCost {
  S cost = none<S>;
  int taps = 1;
  bool exists() const { return cost != none<S>; }
  bool below(const TapCost& other) const {
    return static_cast<std::uint64_t>(cost) * static_cast<std::uint64_t>(other.taps) <
           static_cast<std::uint64_t>(other.cost) * static_cast<std::uint64_t>(taps);
  }
};

/// Walks the candidates of an edge pixel in ascending order: the clipped ones below the full ones, then `full` once for all full
/// ones, then the clipped ones above.
template <class Clipped, class Full>
void walk_edge(const MatchLayout& layout, int x, Clipped clipped, Full full) {
  const int first = layout.first_inside(x), last = layout.last_inside(x);
  for (int k = first; k <= std::min(last, layout.first_full(x) - 1); ++k) clipped(k);
  full();
  for (int k = std::max(first, layout.last_full(x) + 1); k <= last; ++k) clipped(k);
}

/// Last step for clipped windows: `costs` are those of all candidates inside, `result` holds what the vector path found among
/// the full ones. Decides between both and, where wanted, completes the second best.
template <class S>
void resolve_edge(const MatchLayout& layout, int x, const S* costs, bool highest, bool want_second,
                  const RowResults<S>& result) {
  const auto at = [&](int k) { return TapCost<S>{costs[k], layout.taps(x, layout.partner(layout.position(x, k)))}; };
  // In ascending order of candidates, a later one wins if it is better, or equal and the highest is wanted.
  const auto beats = [&](const TapCost<S>& later, const TapCost<S>& best) {
    return !best.exists() || later.below(best) || (highest && !best.below(later));
  };
  const TapCost<S> full_best{*result.cost, layout.own_taps(x)};
  const int full_winner = *result.candidate;
  TapCost<S> best;
  int winner = 0;
  const auto compete = [&](int k, const TapCost<S>& cost) {
    if (!cost.exists() || !beats(cost, best)) return;
    best = cost;
    winner = k;
  };
  walk_edge(layout, x, [&](int k) { compete(k, at(k)); }, [&] { compete(full_winner, full_best); });

  TapCost<S> full_second{*result.second, layout.own_taps(x)};
  if (!full_best.exists() || winner != full_winner) {
    *result.before = *result.after = none<S>;  // the neighbours' windows differ in width
    full_second = full_best;
    if (want_second && full_best.exists() && std::abs(winner - full_winner) <= 1) {
      full_second.cost = none<S>;
      for (int k = layout.first_full(x); k <= layout.last_full(x); ++k)
        if (std::abs(k - winner) > 1) full_second.cost = std::min(full_second.cost, costs[k]);
    }
  }
  *result.candidate = winner;
  *result.cost = best.cost;
  *result.taps = best.taps;
  if (!want_second) return;
  TapCost<S> second;
  const auto compete_second = [&](const TapCost<S>& cost) {
    if (cost.exists() && beats(cost, second)) second = cost;
  };
  walk_edge(
      layout, x, [&](int k) { if (std::abs(k - winner) > 1) compete_second(at(k)); }, [&] { compete_second(full_second); });
  *result.second = second.cost;
  *result.second_taps = second.taps;
}

}  // namespace vergence::cpu
