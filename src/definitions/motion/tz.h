// SPDX-License-Identifier: Apache-2.0
// The test-zone search's diamonds, and the two points that a winner at distance 1 has not seen yet (as in HM, the
// reference encoder of HEVC); the cells of its coarse levels.
#ifndef VERGENCE_DEFINITIONS_MOTION_TZ_H
#define VERGENCE_DEFINITIONS_MOTION_TZ_H

#include "definitions/language.h"
#include "definitions/motion/pattern.h"

VERGENCE_DEFINITIONS_BEGIN

/// The largest diamond: where coarse levels look far, the search itself looks near.
VERGENCE_DEFINITION int tz_farthest(int levels, int farthest) { return levels > 0 && farthest > 2 ? 2 : farthest; }

/// Coarse levels are divided into cells along each axis: so long are those of a level above 0, for blocks of that
/// length.
VERGENCE_DEFINITION int tz_cell(int block, int level) { return block >> level < 4 ? 4 : block >> level; }

/// Whose vectors a search starts from: cell k = 0 .. 4 of the next coarser level is the one that lies here, or one of
/// the four beside it.
VERGENCE_DEFINITION int tz_cell_x(int k) { return k == 4 ? 0 : small_diamond_x(k); }
VERGENCE_DEFINITION int tz_cell_y(int k) { return k == 4 ? 0 : small_diamond_y(k); }

/// The cell of the next coarser level, which has cells of that length, that holds the middle of the pixels [start,
/// start + extent).
VERGENCE_DEFINITION int tz_parent(int start, int extent, int cell) { return (start + extent / 2) / 2 / cell; }

/// Side of the raster's meshes, and the distance above which the raster is tried, in px.
VERGENCE_DEFINITION int tz_raster(void) { return 5; }

/// Points of the diamond of that distance, a power of two: 4, 8 or 16.
VERGENCE_DEFINITION int tz_count(int distance) { return distance == 1 ? 4 : distance <= 8 ? 8 : 16; }

/// Point k in px from the centre. Distance 1: up, left, right, down. Up to 8: raster order, corners half as far as the
/// tips. Beyond: the four tips, then three points along each edge of the diamond.
VERGENCE_DEFINITION int tz_x(int distance, int k) {
  if (distance == 1) return small_diamond_x(k);
  if (distance <= 8) return neighbour_x(k) * (neighbour_y(k) == 0 ? distance : distance / 2);
  if (k < 4) return distance * small_diamond_x(k);
  int along = ((k - 4) / 4 + 1) * (distance / 4);
  return k % 2 == 0 ? -along : along;
}
VERGENCE_DEFINITION int tz_y(int distance, int k) {
  if (distance == 1) return small_diamond_y(k);
  if (distance <= 8) return neighbour_y(k) * (neighbour_x(k) == 0 ? distance : distance / 2);
  if (k < 4) return distance * small_diamond_y(k);
  int along = ((k - 4) / 4 + 1) * (distance / 4);
  return k % 4 < 2 ? along - distance : distance - along;
}

/// The distance that a winning point stands for: corners of the small diamonds count half.
VERGENCE_DEFINITION int tz_distance(int distance, int k) {
  return distance > 1 && distance <= 8 && neighbour_x(k) != 0 && neighbour_y(k) != 0 ? distance / 2 : distance;
}

/// The direction (x, y), each -1, 0 or 1, in which a winner at distance 1 was found leaves two points next to it that
/// no diamond has tried: for a tip those beside the way it came, for a corner those on its two sides. i = 0 or 1.
VERGENCE_DEFINITION int tz_missing_x(int x, int y, int i) {
  if (x != 0 && y != 0) return i == 0 ? x : 0;
  return x != 0 ? x : i == 0 ? -1 : 1;
}
VERGENCE_DEFINITION int tz_missing_y(int x, int y, int i) {
  if (x != 0 && y != 0) return i == 0 ? 0 : y;
  return y != 0 ? y : i == 0 ? -1 : 1;
}

VERGENCE_DEFINITIONS_END

#endif
