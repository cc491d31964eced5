// SPDX-License-Identifier: Apache-2.0
// The pieces of a block that bounds of its SAD take: 4x4 cells, each of 2x2 parts.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef BLOCK_W
#define BLOCK_W 32  // width of a block in px: 16, 32 or 64
#endif
#ifndef BLOCK_H
#define BLOCK_H 32  // height of a block in px: 16, 32 or 64
#endif

#include "gpu/shared/motion/elimination.h"

#define CELL_W (BLOCK_W / CELLS_PER_SIDE)
#define CELL_H (BLOCK_H / CELLS_PER_SIDE)
#define PART_W (BLOCK_W / PARTS_PER_SIDE)
#define PART_H (BLOCK_H / PARTS_PER_SIDE)
#define STRIP CELLS_STRIP_ROWS
#define CELLS (CELLS_PER_SIDE * CELLS_PER_SIDE)  // of a block
#define PARTS (PARTS_PER_SIDE * PARTS_PER_SIDE)

// Sums are kept as whole numbers of 12 bits, less 2048, with a sign of their own: the bits of a half-precision number,
// exact (packed.h). What a unit holds is CELL_UNIT or PART_UNIT.
#define HALF_EXACT 2048   // integers below it are exact in half precision
#define HALF_SIGN 0x8000  // sign bit of a half-precision number
#define CELL_UNIT (CELL_W * CELL_H / 16)
#define PART_UNIT (PART_W * PART_H > 16 ? PART_W * PART_H / 16 : 1)
static inline uint half_of_sum(uint sum, const uint unit) {
  const int value = (int)(sum / unit) - HALF_EXACT;
  return (uint)(value < 0 ? HALF_SIGN - value : value);
}

// The plane is the reference as candidates see it: its edges go on as far as the range goes, and its pixel (0, 0) is
// the reference's (FIRST_X, FIRST_Y).
