// SPDX-License-Identifier: Apache-2.0
// What elimination.cl asks of the reference, at every place of it: the pixels, sums of cells, and their means.

// The launch configuration, and what the device can do:
#ifndef GROUP_W
#define GROUP_W 128  // work-items of a group
#endif
// More of them: motion/candidates.h and motion/cells.h.

#include "gpu/shared/motion/elimination.h"
#include "motion/candidates.h"
#include "motion/cells.h"
#include "motion/edge_word.h"
#include "packed.h"

/// Sums of `count` pixels from each of four that follow each other: 16 bits each. `words` hold the pixels.
static inline uint2 sums_of_four(const uint* words, const int count) {
  uint whole = 0;
  UNROLL for (int i = 0; i < count / 4; ++i) whole = add_byte_differences(whole, words[i], 0);
  const uint leaves = words[0];
  uint sum[4];
  UNROLL for (int k = 0; k < 4; ++k) {
    // Of a count that is no multiple of 4, which is 2, what is left over comes one by one.
    sum[k] = count == 2 ? (pick_bytes(words[0], words[1], (uint)k) & 0xFFu) +
                              (pick_bytes(words[0], words[1], (uint)k + 1) & 0xFFu)
                        : whole + add_byte_differences(0, words[count / 4] & ((1u << (8 * k)) - 1), 0) -
                              add_byte_differences(0, leaves & ((1u << (8 * k)) - 1), 0);
  }
  uint2 packed;
  packed.x = sum[0] | sum[1] << 16, packed.y = sum[2] | sum[3] << 16;
  return packed;
}

/// The plane four times, shifted by 0 to 3 pixels, and sums of CELL_W and of PART_W pixels from each of its pixels on.
/// A work-item has four of them.
__kernel WORK_GROUP(GROUP_W, 1) void rows(__global const uchar* restrict reference, __global uint* restrict planes,
                                          __global ushort* restrict sums, __global ushort* restrict part_sums,
                                          GRID_CONSTANT CellRowsArguments arguments) {
  const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), there = x + FIRST_X;
  if (x >= arguments.plane_pitch) return;
  __global const uchar* row = reference + (int64)padded(y + FIRST_Y, arguments.height) * arguments.pitch;
  uint words[CELL_W / 4 + 1];
  if (there >= 0 && there + CELL_W + 8 <= arguments.width) {
    const int shift = there & 3;
    __global const uint* from = (__global const uint*)(row + there - shift);
    uint last = from[0];
    UNROLL for (int i = 0; i <= CELL_W / 4; ++i) {
      const uint next = from[i + 1];
      words[i] = pick_bytes(last, next, BYTES_FROM(shift));
      last = next;
    }
  } else {
    UNROLL for (int i = 0; i <= CELL_W / 4; ++i) words[i] = edge_word(row, there + 4 * i, arguments.width);
  }
  const int place = y * arguments.plane_pitch + x;
  UNROLL for (int k = 0; k < 4; ++k)
    planes[k * arguments.plane_words + place / 4] = pick_bytes(words[0], words[1], BYTES_FROM(k));
  *(__global uint2*)(sums + place) = sums_of_four(words, CELL_W);
  *(__global uint2*)(part_sums + place) = sums_of_four(words, PART_W);
}

static inline uint halves_of_sums(uint sums, const uint unit) {
  return half_of_sum(sums & 0xFFFFu, unit) | half_of_sum(sums >> 16, unit) << 16;
}
/// At each of the plane's pixels: the sum of a cell, and the sums of four parts below each other; as halves. A
/// work-item has STRIP rows of two pixels, and reads rows beyond the plane: there is memory that does not count.
__kernel WORK_GROUP(GROUP_W, 1) void cells(__global const uint* restrict sums, __global const uint* restrict part_sums,
                                           __global uint* restrict cells, __global uint4* restrict parts,
                                           __global uint* restrict hard, int plane_pitch) {
  const int x = (int)get_global_id(0), top = (int)get_group_id(1) * STRIP, pitch = plane_pitch / 2;
  if (x == 0 && top == 0) hard[0] = 0;
  if (x >= pitch) return;
  const int first = top * pitch + x;
  {
    uint row[STRIP + CELL_H], sum = 0;
    UNROLL for (int j = 0; j < STRIP + CELL_H; ++j) row[j] = sums[first + j * pitch];
    UNROLL for (int j = 0; j < CELL_H; ++j) sum += row[j];
    UNROLL for (int j = 0; j < STRIP; ++j) {
      cells[first + j * pitch] = halves_of_sums(sum, CELL_UNIT);
      sum += row[j + CELL_H] - row[j];
    }
  }
  uint part[STRIP + 3 * PART_H], row[STRIP + 4 * PART_H], sum = 0;
  UNROLL for (int j = 0; j < STRIP + 4 * PART_H; ++j) row[j] = part_sums[first + j * pitch];
  UNROLL for (int j = 0; j < PART_H; ++j) sum += row[j];
  UNROLL for (int j = 0; j < STRIP + 3 * PART_H; ++j) {
    part[j] = halves_of_sums(sum, PART_UNIT);
    sum += row[j + PART_H] - row[j];
  }
  UNROLL for (int j = 0; j < STRIP; ++j) {
    const uint a = part[j], b = part[j + PART_H], c = part[j + 2 * PART_H], d = part[j + 3 * PART_H];
    uint4 fours;
    fours.x = pick_bytes(a, b, LOW_HALVES), fours.y = pick_bytes(c, d, LOW_HALVES);
    fours.z = pick_bytes(a, b, HIGH_HALVES), fours.w = pick_bytes(c, d, HIGH_HALVES);
    parts[first + j * pitch] = fours;
  }
}
