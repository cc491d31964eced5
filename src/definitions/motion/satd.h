// SPDX-License-Identifier: Apache-2.0
// SATD: the sum of absolute values of the Hadamard transform of the differences, tile by tile.
#ifndef VERGENCE_DEFINITIONS_MOTION_SATD_H
#define VERGENCE_DEFINITIONS_MOTION_SATD_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Side of the tile that holds pixel (x, y) of a block of this real size: 8 where whole 8x8 tiles, counted from the
/// block's corner, reach; 4 where whole 4x4 tiles do; 1 (plain absolute difference) in what is left.
VERGENCE_DEFINITION int satd_tile(int x, int y, int width, int height) {
  if (x < width / 8 * 8 && y < height / 8 * 8) return 8;
  return x < width / 4 * 4 && y < height / 4 * 4 ? 4 : 1;
}

/// Sign with which the pixel (x, y) of a tile enters the coefficient (u, v): -1 to the power of the common bits.
VERGENCE_DEFINITION int hadamard_sign(int u, int v, int x, int y) {
  int bits = (u & x) ^ (v & y);
  bits ^= bits >> 2;
  bits ^= bits >> 1;
  return (bits & 1) != 0 ? -1 : 1;
}

/// Cost of a tile from the sum of its absolute coefficients.
VERGENCE_DEFINITION uint64 satd_of_tile(uint64 sum, int tile) {
  return tile == 8 ? (sum + 2) >> 2 : tile == 4 ? (sum + 1) >> 1 : sum;
}

VERGENCE_DEFINITIONS_END

#endif
