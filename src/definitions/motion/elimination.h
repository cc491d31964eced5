// SPDX-License-Identifier: Apache-2.0
// Lower bounds of a tile's cost from the sums of its pixels, and when a candidate need not be tried: the exhaustive search
// with successive elimination finds the same vectors (proof: docs/algorithms/motion/elimination.md).
#ifndef VERGENCE_DEFINITIONS_MOTION_ELIMINATION_H
#define VERGENCE_DEFINITIONS_MOTION_ELIMINATION_H

#include "definitions/language.h"
#include "definitions/motion/order.h"
#include "definitions/motion/satd.h"

VERGENCE_DEFINITIONS_BEGIN

/// SAD of a tile is at least |sum of the current tile - sum of the reference tile|.
VERGENCE_DEFINITION uint64 sad_bound(int64 difference) {
  return VERGENCE_AS(uint64, difference < 0 ? -difference : difference);
}

/// SSD of a tile of n pixels is at least difference^2 / n, rounded up as costs are whole. |difference| < 2^32.
VERGENCE_DEFINITION uint64 ssd_bound(int64 difference, int n) {
  uint64 size = sad_bound(difference);
  return (size * size + VERGENCE_AS(uint64, n) - 1) / VERGENCE_AS(uint64, n);
}

/// SATD of one of its tiles (side 8, 4 or 1) is at least what its first coefficient alone gives.
VERGENCE_DEFINITION uint64 satd_bound(int64 difference, int tile) { return satd_of_tile(sad_bound(difference), tile); }

/// A candidate whose J is at least `bound_j` cannot win against the best so far, ties included.
VERGENCE_DEFINITION bool is_eliminated(uint64 bound_j, int x, int y, uint64 best_j, int best_x, int best_y) {
  return !is_better_vector(bound_j, x, y, best_j, best_x, best_y);
}

VERGENCE_DEFINITIONS_END

#endif
