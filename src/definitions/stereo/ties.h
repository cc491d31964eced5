// SPDX-License-Identifier: Apache-2.0
// The tie rule: a winner that shares the least cost with a candidate elsewhere says nothing about the disparity, and
// neither does one that the picture's edge left without a second-best candidate.
#ifndef VERGENCE_DEFINITIONS_STEREO_TIES_H
#define VERGENCE_DEFINITIONS_STEREO_TIES_H

#include "definitions/language.h"
#include "definitions/stereo/candidate.h"

VERGENCE_DEFINITIONS_BEGIN

/// The same mean cost per tap, exactly: cost_1 / taps_1 = cost_2 / taps_2.
VERGENCE_DEFINITION bool is_as_cheap(uint64 cost_1, uint64 taps_1, uint64 cost_2, uint64 taps_2) {
  return cost_1 * taps_2 == cost_2 * taps_1;
}

/// Of all candidates that cost as little as the winner, `lowest` and `highest` are the ends. Two neighbours may share a
/// minimum that lies between them.
VERGENCE_DEFINITION bool is_tied(int lowest, int highest) { return highest - lowest > 1; }

/// Of `disparities` candidates the picture's edge or masks left `first` to `last`, of which none lies more than 1 px
/// from the winner.
VERGENCE_DEFINITION bool edge_took_second_best(int first, int last, int winner, int disparities) {
  return last - first + 1 < disparities && !may_be_second_best(first, winner) && !may_be_second_best(last, winner);
}

VERGENCE_DEFINITIONS_END

#endif
