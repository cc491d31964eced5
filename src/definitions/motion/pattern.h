// SPDX-License-Identifier: Apache-2.0
// The points of the diamond and hexagon searches, in px from the centre.
#ifndef VERGENCE_DEFINITIONS_MOTION_PATTERN_H
#define VERGENCE_DEFINITIONS_MOTION_PATTERN_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// The eight neighbours of a pixel in raster order, k = 0 .. 7.
VERGENCE_DEFINITION int neighbour_x(int k) { return (k < 4 ? k : k + 1) % 3 - 1; }
VERGENCE_DEFINITION int neighbour_y(int k) { return (k < 4 ? k : k + 1) / 3 - 1; }

/// Four neighbours: up, left, right, down.
VERGENCE_DEFINITION int small_diamond_x(int k) { return k == 1 ? -1 : k == 2 ? 1 : 0; }
VERGENCE_DEFINITION int small_diamond_y(int k) { return k == 0 ? -1 : k == 3 ? 1 : 0; }

/// Eight points at |x| + |y| = 2 (Zhu and Ma, "A new diamond search algorithm for fast block-matching motion
/// estimation", IEEE Trans. Image Processing, 2000): the neighbours, those of a common row or column twice as far.
VERGENCE_DEFINITION int large_diamond_x(int k) {
  return neighbour_y(k) == 0 ? 2 * neighbour_x(k) : neighbour_x(k);
}
VERGENCE_DEFINITION int large_diamond_y(int k) {
  return neighbour_x(k) == 0 ? 2 * neighbour_y(k) : neighbour_y(k);
}

/// Six points of a hexagon (Zhu, Lin and Chau, "Hexagon-based search pattern for fast block motion estimation", IEEE
/// Trans. Circuits and Systems for Video Technology, 2002): (-1, -2), (1, -2), (-2, 0), (2, 0), (-1, 2), (1, 2).
VERGENCE_DEFINITION int hexagon_x(int k) { return (k % 2 == 0 ? -1 : 1) * (k == 2 || k == 3 ? 2 : 1); }
VERGENCE_DEFINITION int hexagon_y(int k) { return (k / 2 - 1) * 2; }

VERGENCE_DEFINITIONS_END

#endif
