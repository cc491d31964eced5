// SPDX-License-Identifier: Apache-2.0
// Where the levels of a frame lie: all pictures in one buffer, all gradients in another, at the same places. A gradient
// is a word, across in the low half and down in the high one. Rows begin at multiples of 16 pixels; kernels may write
// up to there beyond a row's end, and read a little beyond the last one.
#include "definitions/track/position.h"
#include "track/registers.h"

typedef struct {
  int width, height;
  int pitch;     // pixels from row to row
  int64 offset;  // of the first pixel, in pixels
} Level;

// A level has four numbers in the table; its offset is counted in rows' units of 16 pixels.
static inline Level level_of(__global const int* restrict table, int number) {
  Level level;
  level.width = table[4 * number];
  level.height = table[4 * number + 1];
  level.pitch = table[4 * number + 2];
  level.offset = (int64)table[4 * number + 3] * 16;
  return level;
}

static inline int across_of(int gradient) { return (int)(short)(gradient & 0xFFFF); }
static inline int down_of(int gradient) { return gradient >> 16; }
