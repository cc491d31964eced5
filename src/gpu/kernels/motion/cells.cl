// SPDX-License-Identifier: Apache-2.0
// What elimination.cl asks of the reference, at every place of it: the pixels, sums of cells, and their means.
#include "motion/cells.h"
#include "motion/edge_word.h"
#include "packed.h"
#if !defined(FIRST_X) || !defined(FIRST_Y) || !defined(GROUP_W)
#error "cells needs FIRST_X, FIRST_Y (of the range) and GROUP_W"
#endif

/// Sums of `count` pixels from each of four that follow each other: 16 bits each. `words` hold the pixels.
static inline uint2 sums_of_four(const uint* words, const int count) {
  uint whole = 0;
  UNROLL for (int i = 0; i < count / 4; ++i) whole = add_byte_differences(whole, words[i], 0);
  const uint leaves = words[0];
  uint sum[4];
  UNROLL for (int k = 0; k < 4; ++k) {
    // Of a count that is no multiple of 4, which is 2, what is left over comes one by one.
    sum[k] = count == 2 ? (pick_bytes(words[0], words[1], (uint)k) & 0xFFu) + (pick_bytes(words[0], words[1], (uint)k + 1) & 0xFFu)
                        : whole + add_byte_differences(0, words[count / 4] & ((1u << (8 * k)) - 1), 0) -
                              add_byte_differences(0, leaves & ((1u << (8 * k)) - 1), 0);
  }
  uint2 packed;
  packed.x = sum[0] | sum[1] << 16, packed.y = sum[2] | sum[3] << 16;
  return packed;
}

/// The plane, and sums of CELL_W and of PART_W pixels from each of its pixels on. A work-item has four of them.
__kernel WORK_GROUP(GROUP_W, 1) void rows(__global const uchar* restrict reference, __global uchar* restrict plane,
                                          __global ushort* restrict sums, __global ushort* restrict part_sums, int plane_pitch,
                                          int width, int height, int pitch) {
  const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), there = x + FIRST_X;
  if (x >= plane_pitch) return;
  __global const uchar* row = reference + (int64)padded(y + FIRST_Y, height) * pitch;
  uint words[CELL_W / 4 + 1];
  if (there >= 0 && there + CELL_W + 8 <= width) {
    const int shift = there & 3;
    __global const uint* from = (__global const uint*)(row + there - shift);
    uint last = from[0];
    UNROLL for (int i = 0; i <= CELL_W / 4; ++i) {
      const uint next = from[i + 1];
      words[i] = pick_bytes(last, next, 0x3210u + 0x1111u * (uint)shift);
      last = next;
    }
  } else {
    UNROLL for (int i = 0; i <= CELL_W / 4; ++i) words[i] = edge_word(row, there + 4 * i, width);
  }
  const int64 place = (int64)y * plane_pitch + x;
  *(__global uint*)(plane + place) = words[0];
  *(__global uint2*)(sums + place) = sums_of_four(words, CELL_W);
  *(__global uint2*)(part_sums + place) = sums_of_four(words, PART_W);
}

/// Sums of cells and of their quarters at each of the plane's pixels, and words of the means of four cells that follow each
/// other.
__kernel WORK_GROUP(GROUP_W, 1) void cells(__global const ushort* restrict sums, __global const ushort* restrict part_sums,
                                           __global ushort* restrict cells, __global ushort* restrict parts,
                                           __global uint* restrict means, int plane_w, int plane_h, int plane_pitch) {
  const int x = (int)get_global_id(0), top = (int)get_group_id(1) * STRIP;
  if (x >= plane_w) return;
  int column[4];
  uint cell[4] = {0, 0, 0, 0}, part = 0;
  for (int k = 0; k < 4; ++k) column[k] = min(x + k * CELL_W, plane_w - 1);
  for (int j = 0; j < CELL_H; ++j) {
    const int64 row = (int64)min(top + j, plane_h - 1) * plane_pitch;
    for (int k = 0; k < 4; ++k) cell[k] += sums[row + column[k]];
    if (j < PART_H) part += part_sums[row + x];
  }
  for (int y = top; y < top + STRIP && y < plane_h; ++y) {
    const int64 row = (int64)y * plane_pitch, enters = (int64)min(y + CELL_H, plane_h - 1) * plane_pitch;
    uint word = 0;
    for (int k = 0; k < 4; ++k) word |= cell[k] / AREA << (8 * k);
    means[row + x] = word;
    cells[row + x] = (ushort)cell[0];
    parts[row + x] = (ushort)part;
    for (int k = 0; k < 4; ++k) cell[k] += (uint)sums[enters + column[k]] - sums[row + column[k]];
    part += (uint)part_sums[(int64)min(y + PART_H, plane_h - 1) * plane_pitch + x] - part_sums[row + x];
  }
}
