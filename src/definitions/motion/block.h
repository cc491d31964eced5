// SPDX-License-Identifier: Apache-2.0
// Where blocks lie, which candidates they have, and which reference pixel stands in for one outside. Every rule is for
// one axis; a block or candidate obeys it on both.
#ifndef VERGENCE_DEFINITIONS_MOTION_BLOCK_H
#define VERGENCE_DEFINITIONS_MOTION_BLOCK_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Blocks along a side of the picture; the last one may be partial.
VERGENCE_DEFINITION int block_count(int side, int block) { return (side + block - 1) / block; }

/// Pixels of the block of that index along the side: the block's length, or what the picture leaves of it.
VERGENCE_DEFINITION int block_extent(int index, int block, int side) {
  int left = side - index * block;
  return left < block ? left : block;
}

/// `inside`: a block of `extent` pixels that starts at `start`, moved by d, lies in the reference.
VERGENCE_DEFINITION bool is_inside(int start, int extent, int d, int side) {
  return start + d >= 0 && start + d + extent <= side;
}

/// `pad`: the reference continues with its edge pixels.
VERGENCE_DEFINITION int padded(int at, int side) { return at < 0 ? 0 : at >= side ? side - 1 : at; }

VERGENCE_DEFINITIONS_END

#endif
