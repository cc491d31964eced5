// SPDX-License-Identifier: Apache-2.0
// Semi-global matching: the cost of a candidate at the end of a path, from the costs at the pixel before
// (H. Hirschmueller, "Stereo processing by semiglobal matching and mutual information", IEEE Transactions on Pattern
// Analysis and Machine Intelligence 30(2), 2008, section 2.3).
#ifndef VERGENCE_DEFINITIONS_STEREO_SGM_H
#define VERGENCE_DEFINITIONS_STEREO_SGM_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Stands for the cost of what is no candidate: larger than any cost with any penalty.
VERGENCE_DEFINITION int64 no_path_cost() { return VERGENCE_AS(int64, 1) << 40; }

VERGENCE_DEFINITION int64 smaller(int64 a, int64 b) { return a < b ? a : b; }

/// `cost` is the candidate's own; `same`, `lower` and `higher` are those of the pixel before at the same disparity, at
/// one less and at one more, `least` is the least of all its candidates. Where `same` is no candidate, the path starts
/// here.
VERGENCE_DEFINITION int64 path_cost(int64 cost, int64 same, int64 lower, int64 higher, int64 least, int64 p1,
                                    int64 p2) {
  int64 change = smaller(lower, higher) + p1;
  return same >= no_path_cost() ? cost : cost + smaller(smaller(same, change), least + p2) - least;
}

/// p2 between two neighbours whose grey levels differ by `difference`.
VERGENCE_DEFINITION int64 penalty_at_edge(int64 p1, int64 p2, int64 difference, int64 slope) {
  int64 lowered = p2 - ((difference * slope) >> 8);
  return lowered > p1 ? lowered : p1 + 1;
}

VERGENCE_DEFINITIONS_END

#endif
