// SPDX-License-Identifier: Apache-2.0
// Which of two vectors wins: the tie rule of every standard motion search, a total order.
#ifndef VERGENCE_DEFINITIONS_MOTION_ORDER_H
#define VERGENCE_DEFINITIONS_MOTION_ORDER_H

#include "definitions/language.h"

// Displacements of a whole-pixel search lie in -VERGENCE_MOTION_REACH .. VERGENCE_MOTION_REACH; motion_place has
// VERGENCE_MOTION_PLACE_BITS bits.
#define VERGENCE_MOTION_REACH 512
#define VERGENCE_MOTION_DISPLACEMENTS (2 * VERGENCE_MOTION_REACH + 1)
#define VERGENCE_MOTION_PLACE_BITS 22

VERGENCE_DEFINITIONS_BEGIN

/// (j_1, x_1, y_1) goes before (j_2, x_2, y_2): smaller J, then smaller |x| + |y|, then smaller y, then smaller x. Both
/// vectors in the same unit, whole pixels or quarters.
VERGENCE_DEFINITION bool is_better_vector(uint64 j_1, int x_1, int y_1, uint64 j_2, int x_2, int y_2) {
  if (j_1 != j_2) return j_1 < j_2;
  int length_1 = (x_1 < 0 ? -x_1 : x_1) + (y_1 < 0 ? -y_1 : y_1);
  int length_2 = (x_2 < 0 ? -x_2 : x_2) + (y_2 < 0 ? -y_2 : y_2);
  if (length_1 != length_2) return length_1 < length_2;
  return y_1 != y_2 ? y_1 < y_2 : x_1 < x_2;
}

/// The same order among vectors of equal J as one number of 22 bits, for whole pixels of -512 .. 512: a key
/// (J << 22) | place holds the whole rule. Length and y leave only the sign of x open.
VERGENCE_DEFINITION int motion_place(int x, int y) {
  int length = (x < 0 ? -x : x) + (y < 0 ? -y : y);
  return (length * VERGENCE_MOTION_DISPLACEMENTS + y + VERGENCE_MOTION_REACH) * 2 + (x > 0 ? 1 : 0);
}

VERGENCE_DEFINITIONS_END

#endif
