// SPDX-License-Identifier: Apache-2.0
// The median of the valid pixels in a window of 3x3, of two pixels of a row at once: the halves of a word. A work-item
// has ROWS of such pairs below each other. Equal to reference/postfilter/median.cpp.
//
//   INVALID  the disparity that says there is none
//   ROWS     from 1 on
//   GROUP_W  is even
#include "gpu/shared/picture.h"
#include "packed.h"
#if !defined(INVALID) || !defined(ROWS) || !defined(GROUP_W) || !defined(GROUP_H)
#error "median_pairs needs INVALID, ROWS, GROUP_W and GROUP_H"
#endif
#define SIDE 3
#define TAPS (SIDE * SIDE)
#define VALUE uint
#define LESSER(a, b) min_signed_halves(a, b)
#define GREATER(a, b) max_signed_halves(a, b)
#include "postfilter/middle.h"
#define BOTH_HALVES(value) (((uint)(value)&0xFFFFu) * 0x00010001u)
#define LOWEST BOTH_HALVES(0x8000)

// The pairs that begin in columns x - 1, x and x + 1 of row y; what lies outside the map is invalid.
static ALWAYS_INLINE void read_pairs(uint* pairs, __global const short* restrict in, int x, int y, int width,
                                     int height) {
  uint four[SIDE + 1];
  UNROLL for (int i = 0; i < SIDE + 1; ++i) {
    const int u = x - 1 + i;
    const bool inside = u >= 0 && u < width && y >= 0 && y < height;
    four[i] = (uint)(ushort)(inside ? in[y * width + u] : (short)(INVALID));
  }
  UNROLL for (int i = 0; i < SIDE; ++i) pairs[i] = four[i] | four[i + 1] << 16;
}

// All bits of the halves that are INVALID.
static ALWAYS_INLINE uint invalid_halves(uint pair) {
  return 0xFFFFFFFFu - min_halves(pair ^ BOTH_HALVES(INVALID), 0x00010001u) * 0xFFFFu;
}
// The halves of `others` where the bits of `where` are set, else those of `pair`.
static ALWAYS_INLINE uint replace_halves(uint pair, uint where, uint others) {
  return (pair & ~where) | (others & where);
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void median_pairs(__global const short* restrict in, __global short* restrict out,
                                                        const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int thread = (int)(get_local_id(1) * GROUP_W + get_local_id(0));
  const int x = (int)get_group_id(0) * GROUP_W + thread % (GROUP_W / 2) * 2;
  const int top = ((int)get_group_id(1) * GROUP_H * 2 + thread / (GROUP_W / 2)) * ROWS;
  if (x >= width || top >= height) return;
  uint pairs[(ROWS + 2) * SIDE], invalid[(ROWS + 2) * SIDE];
  UNROLL for (int row = 0; row < ROWS + 2; ++row) read_pairs(pairs + row * SIDE, in, x, top - 1 + row, width, height);
  UNROLL for (int i = 0; i < (ROWS + 2) * SIDE; ++i) invalid[i] = invalid_halves(pairs[i]);
  UNROLL for (int row = 0; row < ROWS; ++row) {
    // What is invalid goes to both ends by turns, first to the lower one: so the wanted value comes to lie in the
    // middle.
    uint values[TAPS], end = LOWEST;
    UNROLL for (int i = 0; i < TAPS; ++i) {
      const int tap = row * SIDE + i;
      values[i] = replace_halves(pairs[tap], invalid[tap], end);
      end ^= invalid[tap];  // the highest value has all the bits that the lowest has not
    }
    const uint found = replace_halves(middle(values), invalid[row * SIDE + TAPS / 2], BOTH_HALVES(INVALID));
    const int y = top + row;
    if (y < height) {
      out[y * width + x] = (short)(ushort)(found & 0xFFFFu);
      if (x + 1 < width) out[y * width + x + 1] = (short)(ushort)(found >> 16);
    }
  }
}
