// SPDX-License-Identifier: Apache-2.0
// The uniqueness rule: a winner that the second-best candidate nearly equals is rejected.
#ifndef VERGENCE_DEFINITIONS_STEREO_UNIQUENESS_H
#define VERGENCE_DEFINITIONS_STEREO_UNIQUENESS_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// The second-best candidate costs at most (100 + ratio) % of the winner, by mean cost per tap; a ratio of 0 turns the
/// rule off.
VERGENCE_DEFINITION bool is_ambiguous(uint64 winner_cost, uint64 winner_taps, uint64 second_cost, uint64 second_taps,
                                      int ratio) {
  return ratio > 0 && 100 * second_cost * winner_taps <= VERGENCE_AS(uint64, 100 + ratio) * winner_cost * second_taps;
}

/// The same where both cost as many taps, for costs below 2^16: 32 bits are enough, which GPUs multiply faster.
VERGENCE_DEFINITION bool is_ambiguous_small(int winner_cost, int second_cost, int ratio) {
  return ratio > 0 && 100 * second_cost <= (100 + ratio) * winner_cost;
}

VERGENCE_DEFINITIONS_END

#endif
