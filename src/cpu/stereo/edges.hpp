// SPDX-License-Identifier: Apache-2.0
// Pixels near the ends of a row, where some candidates lie outside the other picture or their windows are clipped more
// than the pixel's own. Those leave the vector path's slab, and the clipped ones are compared afterwards by exact
// cross-multiplication.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

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

/// The candidates of a pixel by the width of their windows: full ones in [first_full, last_full], narrower ones in
/// [first, first_full) and (last_full, last]. There are at most rx on a side; each step away from the full ones costs a
/// column. Where there is no full one, first_full and last_full say where it would be.
struct EdgeRanges {
  int first, last, first_full, last_full, taps;

  EdgeRanges(const MatchLayout& layout, int x)
      : first(layout.first_inside(x)),
        last(layout.last_inside(x)),
        first_full(layout.first_full(x)),
        last_full(layout.last_full(x)),
        taps(layout.own_taps(x)) {}
  int below() const { return std::max(0, std::min(first_full, last + 1) - first); }
  int above() const { return last + 1 - first_above(); }
  int first_above() const { return std::min(std::max(last_full + 1, first), last + 1); }
};

/// Second step for clipped windows: takes the narrower candidates' costs out of the slab into `narrow` (below, then
/// above).
template <class S>
void take_narrow(const EdgeRanges& range, S* costs, S* narrow) {
  for (int i = 0; i < range.below(); ++i) {
    narrow[i] = costs[range.first + i];
    costs[range.first + i] = none<S>;
  }
  narrow += range.below();
  for (int i = 0; i < range.above(); ++i) {
    narrow[i] = costs[range.first_above() + i];
    costs[range.first_above() + i] = none<S>;
  }
}

/// A cost and the columns it sums; compared by the exact mean.
template <class S>
struct TapCost {
  using Product = std::conditional_t<sizeof(S) == 2, std::uint32_t, std::uint64_t>;
  S cost;
  int taps;
  bool exists() const { return cost != none<S>; }
  bool below(const TapCost& other) const {
    return static_cast<Product>(cost) * static_cast<Product>(other.taps) <
           static_cast<Product>(other.cost) * static_cast<Product>(taps);
  }
};

/// The best of a pixel's candidates so far. They come in ascending order: a later one wins if it is cheaper, or equal
/// where the highest is wanted.
template <class S>
struct EdgeBest {
  TapCost<S> best{none<S>, 1};
  int candidate = 0;
  void compete(const TapCost<S>& later, int k, bool highest) {
    if (!later.exists() || (best.exists() && !later.below(best) && (!highest || best.below(later)))) return;
    best = later;
    candidate = k;
  }
};

/// Lets the narrower candidates below, one full one, and the narrower ones above compete; `skip(k)` leaves some out.
template <class S, class Skip>
EdgeBest<S> edge_best(const EdgeRanges& range, const S* narrow, const TapCost<S>& full, int full_candidate,
                      bool highest, Skip skip) {
  EdgeBest<S> result;
  int k = range.first;
  for (int i = 0; i < range.below(); ++i, ++k)
    if (!skip(k)) result.compete({narrow[i], range.taps - (range.first_full - k)}, k, highest);
  result.compete(full, full_candidate, highest);
  narrow += range.below();
  k = range.first_above();
  for (int i = 0; i < range.above(); ++i, ++k)
    if (!skip(k)) result.compete({narrow[i], range.taps - (k - range.last_full)}, k, highest);
  return result;
}

/// Last step: `result` holds what the vector path found among the full candidates; decides between them and the
/// narrower ones and, where wanted, completes the second best. `costs` is the pixel's slab row as the vector path left
/// it.
template <class S>
void resolve_edge(const EdgeRanges& range, const S* costs, const S* narrow, bool highest, bool want_second,
                  const RowResults<S>& result) {
  const TapCost<S> full{*result.cost, range.taps};
  const int full_winner = *result.candidate;
  const auto winner = edge_best(range, narrow, full, full_winner, highest, [](int) { return false; });
  TapCost<S> full_second{*result.second, range.taps};
  const bool narrow_won = !full.exists() || winner.candidate != full_winner;
  if (narrow_won && want_second) {
    full_second = full;
    if (full.exists() && std::abs(winner.candidate - full_winner) <= 1) {
      // The best full one is a neighbour of the winner. The vector path has blotted out its own neighbours.
      full_second.cost = none<S>;
      for (int k = range.first_full; k <= range.last_full; ++k) {
        const S cost = k == full_winner - 1 ? *result.before : k == full_winner + 1 ? *result.after : costs[k];
        if (std::abs(k - winner.candidate) > 1) full_second.cost = std::min(full_second.cost, cost);
      }
    }
  }
  if (narrow_won) *result.before = *result.after = none<S>;  // the neighbours' windows differ in width
  *result.candidate = winner.candidate;
  *result.cost = winner.best.cost;
  *result.taps = winner.best.taps;
  if (!want_second) return;
  const auto second =
      edge_best(range, narrow, full_second, 0, highest, [&](int k) { return std::abs(k - winner.candidate) <= 1; });
  *result.second = second.best.cost;
  *result.second_taps = second.best.taps;
}

}  // namespace vergence::cpu
