// SPDX-License-Identifier: Apache-2.0
// Coarse levels of a frame: level n has a pixel for 2^n x 2^n pixels. Which of their pixels stand for a block, and how
// far they are searched. Every rule is for one axis.
#ifndef VERGENCE_DEFINITIONS_MOTION_PYRAMID_H
#define VERGENCE_DEFINITIONS_MOTION_PYRAMID_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Side of the next coarser level.
VERGENCE_DEFINITION int half_side(int side) { return (side + 1) / 2; }

/// Its pixel from the four that it covers; at an odd edge the last one counts twice.
VERGENCE_DEFINITION int half_pixel(int a, int b, int c, int d) { return (a + b + c + d + 2) >> 2; }

/// Pixels that stand for the block [start, start + extent) on a level: those that cover it, but at least 8, as many to
/// either side, within the level. The first, and how many.
VERGENCE_DEFINITION int coarse_extent(int start, int extent, int level, int side) {
  int covering = ((start + extent - 1) >> level) - (start >> level) + 1;
  int wanted = covering < 8 ? 8 : covering;
  return wanted < side ? wanted : side;
}
VERGENCE_DEFINITION int coarse_start(int start, int extent, int level, int side) {
  int covering = ((start + extent - 1) >> level) - (start >> level) + 1;
  int count = coarse_extent(start, extent, level, side);
  int first = (start >> level) - (count > covering ? (count - covering) / 2 : 0);
  return first < 0 ? 0 : first > side - count ? side - count : first;
}

/// The end of a range on a level: towards zero.
VERGENCE_DEFINITION int coarse_range(int end, int level) { return end < 0 ? -((-end) >> level) : end >> level; }

/// A coarse vector, doubled, is refined by so many px to each side.
VERGENCE_DEFINITION int pyramid_reach(void) { return 2; }

VERGENCE_DEFINITIONS_END

#endif
