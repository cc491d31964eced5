// SPDX-License-Identifier: Apache-2.0
// Where a candidate's partner lies, and which of two candidates is the cheaper.
#ifndef VERGENCE_DEFINITIONS_STEREO_CANDIDATE_H
#define VERGENCE_DEFINITIONS_STEREO_CANDIDATE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// The other picture's column that pixel x meets under disparity d: left x - d, right x + d.
VERGENCE_DEFINITION int partner_column(int x, int d, bool matches_left) { return matches_left ? x - d : x + d; }

/// Mean cost per tap of the first below that of the second, exactly: cost_1 / taps_1 < cost_2 / taps_2. Tap counts are
/// positive. Here and in the rules below it is enough to count a row's taps: the rows are common to all candidates.
VERGENCE_DEFINITION bool is_cheaper(uint64 cost_1, uint64 taps_1, uint64 cost_2, uint64 taps_2) {
  return cost_1 * taps_2 < cost_2 * taps_1;
}

/// Whether a candidate may be the second best: not the winner's two neighbours, which share its minimum of cost.
VERGENCE_DEFINITION bool may_be_second_best(int d, int winner) { return d < winner - 1 || d > winner + 1; }

VERGENCE_DEFINITIONS_END

#endif
