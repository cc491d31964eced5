// SPDX-License-Identifier: Apache-2.0
// Which candidates may be the second best: not the winner's eight neighbours, which share its minimum.
#ifndef VERGENCE_DEFINITIONS_MOTION_SECOND_BEST_H
#define VERGENCE_DEFINITIONS_MOTION_SECOND_BEST_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// More than 1 px from the winner (best_x, best_y) in x or y. Whole pixels.
VERGENCE_DEFINITION bool may_be_second_best_vector(int x, int y, int best_x, int best_y) {
  return x < best_x - 1 || x > best_x + 1 || y < best_y - 1 || y > best_y + 1;
}

VERGENCE_DEFINITIONS_END

#endif
