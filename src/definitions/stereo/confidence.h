// SPDX-License-Identifier: Apache-2.0
// Confidence: how far the second-best candidate's cost lies above the winner's, 0 .. 255.
#ifndef VERGENCE_DEFINITIONS_STEREO_CONFIDENCE_H
#define VERGENCE_DEFINITIONS_STEREO_CONFIDENCE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// floor(255 (second - winner) / second) of the mean costs per tap; 0 where both are 0. The winner costs no more than
/// the second best. Without a second best the confidence is 255, which the caller sees to.
VERGENCE_DEFINITION int confidence(uint64 winner_cost, uint64 winner_taps, uint64 second_cost, uint64 second_taps) {
  uint64 second = second_cost * winner_taps;
  uint64 winner = winner_cost * second_taps;
  return VERGENCE_AS(int, 255 * (second - winner) / (second > 0 ? second : 1));
}

VERGENCE_DEFINITIONS_END

#endif
