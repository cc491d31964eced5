// SPDX-License-Identifier: Apache-2.0
// The choice among all candidates of a block: the best, and the best that is no neighbour of it.
#pragma once

#include <cstdint>
#include <vector>

#include "definitions/motion/second_best.h"
#include "reference/motion/block_search.hpp"

namespace vergence::reference {

/// Of at least one candidate.
inline Candidate best_of(const std::vector<Candidate>& all) {
  Candidate best = all.front();
  for (const Candidate& one : all)
    if (is_better(one, best)) best = one;
  return best;
}

/// Smallest J of the candidates that may be second best to `best`, or no_motion_cost.
inline std::uint64_t second_j(const std::vector<Candidate>& all, const Candidate& best) {
  std::uint64_t smallest = no_motion_cost;
  for (const Candidate& one : all)
    if (definitions::may_be_second_best_vector(one.dx, one.dy, best.dx, best.dy) && one.j < smallest) smallest = one.j;
  return smallest;
}

/// Writes the outcome of an exhaustive search.
inline void put_choice(const MotionMaps& maps, int column, int row, const std::vector<Candidate>& all) {
  const Candidate best = best_of(all);
  put_match(maps, column, row, best);
  if (!maps.second_j.empty()) maps.second_j(column, row) = second_j(all, best);
}

}  // namespace vergence::reference
