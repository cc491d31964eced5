// SPDX-License-Identifier: Apache-2.0
// A displacement that a search tried, which of two is better, and how the outcome enters the maps.
#pragma once

#include <cstdint>

#include "definitions/motion/order.h"
#include "plan/motion/maps.hpp"

namespace vergence {

/// In whole pixels.
struct Candidate {
  int dx = 0;
  int dy = 0;
  std::uint64_t cost = 0;
  std::uint64_t j = 0;
};

inline bool is_better(const Candidate& a, const Candidate& b) {
  return definitions::is_better_vector(a.j, a.dx, a.dy, b.j, b.dx, b.dy);
}

/// The prediction of a block's vector: the co-located vector of the field before.
inline MotionVector prediction_of(const MotionMaps& maps, int column, int row) {
  return maps.previous.empty() ? MotionVector{} : maps.previous(column, row);
}

inline void put_costs(const MotionMaps& maps, int column, int row, const Candidate& best) {
  if (!maps.cost.empty()) maps.cost(column, row) = best.cost;
  if (!maps.j.empty()) maps.j(column, row) = best.j;
}

/// Writes what was found for a block; the vector becomes quarter pixels.
inline void put_match(const MotionMaps& maps, int column, int row, const Candidate& best) {
  maps.vectors(column, row) = {static_cast<std::int16_t>(4 * best.dx), static_cast<std::int16_t>(4 * best.dy)};
  put_costs(maps, column, row, best);
}

/// How many plain rounds of the step search a grid does at once.
inline int merged_rounds(MotionStepGrid grid) {
  switch (grid) {
    case MotionStepGrid::g3x3:
      return 1;
    case MotionStepGrid::g7x7:
      return 2;
    case MotionStepGrid::g13x13:
    case MotionStepGrid::g15x15:
      break;
  }
  return 3;
}

}  // namespace vergence
