// SPDX-License-Identifier: Apache-2.0
// The step search's rounds. A plain round tries the centre's eight neighbours at a distance D and halves D; a grid of
// 7x7 or 15x15 points tries all that two or three such rounds can reach at once.
#ifndef VERGENCE_DEFINITIONS_MOTION_STEP_H
#define VERGENCE_DEFINITIONS_MOTION_STEP_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Plain rounds for a range that reaches `farthest` px: distances 2^(n - 1), ..., 2, 1, the first at most half of it.
VERGENCE_DEFINITION int step_plain_rounds(int farthest) {
  int rounds = 1;
  while ((2 << rounds) <= farthest) ++rounds;
  return rounds;
}

/// Rounds when `merged` plain ones are done at once: what does not divide evenly comes first.
VERGENCE_DEFINITION int step_rounds(int plain, int merged) { return (plain + merged - 1) / merged; }

/// Plain rounds that round `index` stands for.
VERGENCE_DEFINITION int step_merged(int plain, int merged, int index) {
  int rest = plain % merged;
  return index == 0 && rest > 0 ? rest : merged;
}

/// Distance between the grid's points in round `index`, in px.
VERGENCE_DEFINITION int step_spacing(int plain, int merged, int index) {
  int left = (step_rounds(plain, merged) - 1 - index) * merged;
  return 1 << left;
}

/// The grid reaches so many points to each side: all that the merged rounds can reach.
VERGENCE_DEFINITION int step_reach(int plain, int merged, int index) {
  return (1 << step_merged(plain, merged, index)) - 1;
}

VERGENCE_DEFINITIONS_END

#endif
