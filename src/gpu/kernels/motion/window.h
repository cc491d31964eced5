// SPDX-License-Identifier: Apache-2.0
// SAD, or another sum that ADD_WORD takes of two words, on bytes of many candidates at once. A work-item has one column
// and TALL rows of candidates, whose sums stay in registers: each word of four reference pixels that it reads serves up
// to TALL of them, and so does each word of the block. The pixels that COLUMNS columns and SLABS x TALL rows of
// candidates are compared with lie in local memory four times, shifted by 0 to 3 bytes, so that a word may begin at any
// pixel, and neighbouring work-items read words of different banks.
//
// Functions that touch local memory are inlined: where a compiler puts the one array that all callers give in place of
// a parameter, PoCL 3.1 finds another array there.

// The launch configuration, and what the device can do:
#ifndef GROUP
#define GROUP 256  // work-items of a group: COLUMNS * SLABS, up to a multiple of 32
#endif
#ifndef COLUMNS
#define COLUMNS 33  // columns of candidates of a tile
#endif
#ifndef SLABS
#define SLABS 4  // work-items of a column
#endif
#ifndef TALL
#define TALL 9  // rows of candidates of a work-item: 1 .. 16
#endif
#ifndef TILES_X
#define TILES_X 1  // tiles of a row of candidates
#endif
#ifndef TILES
#define TILES 1  // tiles of a block
#endif
#ifndef CHUNK
#define CHUNK 8  // rows of the block at once; a multiple of 4
#endif
#ifndef PANEL_WORDS
#define PANEL_WORDS 4  // words of a row of a panel of the block
#endif
#ifndef PANEL_ROWS
#define PANEL_ROWS 16  // rows of a panel; a multiple of 4
#endif

#include "gpu/shared/motion/exhaustive.h"
#include "motion/edge_word.h"
#include "motion/spread.h"
#include "packed.h"

#if !defined(ADD_WORD)
#define ADD_WORD add_byte_differences
#endif
#define ORIGIN_X WINDOW_ORIGIN_X(FIRST_X)
#define NEEDED_WORDS WINDOW_READ_WORDS(COLUMNS, PANEL_WORDS)
#define WORDS WINDOW_COPY_WORDS(COLUMNS, PANEL_WORDS)
#define ROW WINDOW_ROW_WORDS(COLUMNS, PANEL_WORDS)
#define WINDOW_ROWS WINDOW_ROW_COUNT(SLABS, TALL, PANEL_ROWS)

/// Adds a row of the block's word `a` to the sums of a column of candidates.
static ALWAYS_INLINE void add_row(uint* sums, LOCAL_POINTER const uint* from, uint a, uint mask) {
  SPREAD for (int i = 0; i < TALL; ++i) sums[i] = ADD_WORD(sums[i], from[i * ROW] & mask, a);
}
/// `rows` of them at once: CHUNK or fewer, a multiple of 4 that the compiler knows.
static ALWAYS_INLINE void add_chunk(uint* sums, LOCAL_POINTER const uint* from, LOCAL_POINTER const uint* block,
                                    const int rows) {
  uint a[CHUNK];
  SPREAD for (int i = 0; i < rows / 4; ++i) {
    const uint4 four = *(LOCAL_POINTER const uint4*)(block + 4 * i);
    a[4 * i] = four.x, a[4 * i + 1] = four.y, a[4 * i + 2] = four.z, a[4 * i + 3] = four.w;
  }
  SPREAD for (int j = 0; j < TALL + rows - 1; ++j) {
    const uint word = from[j * ROW];
    SPREAD for (int i = 0; i < TALL; ++i)
      if (j - i >= 0 && j - i < rows) sums[i] = ADD_WORD(sums[i], word, a[j - i]);
  }
}

/// A block and a tile of its candidates.
typedef struct {
  int x, y, w, h;  // the block, as the frame leaves it
  int dx, dy;      // the tile's first candidate
} Work;

/// A word of the window in all four copies, from it and the next one.
static ALWAYS_INLINE void put_word(LOCAL_POINTER uint* to, uint a, uint b) {
  to[0] = a;
  to[WORDS] = pick_bytes(a, b, BYTES_FROM(1));
  to[2 * WORDS] = pick_bytes(a, b, BYTES_FROM(2));
  to[3 * WORDS] = pick_bytes(a, b, BYTES_FROM(3));
}

/// Loads a panel of the block, and the window of the reference that its tile needs, into local memory.
static ALWAYS_INLINE void load_panel(LOCAL_POINTER uint* window, LOCAL_POINTER uint* block,
                                     __global const uchar* restrict current, __global const uchar* restrict reference,
                                     Work work, int panel_x, int panel_y, int thread, int width, int height,
                                     int pitch) {
  // A work-item has a column of words, so that for each row only its address is computed.
  const int word = thread % NEEDED_WORDS, step = GROUP / NEEDED_WORDS, first = thread / NEEDED_WORDS;
  const int x = work.x + work.dx + panel_x + 4 * word, y = work.y + work.dy + panel_y;
  const bool whole = x >= 0 && x + 8 <= width;
  const int rows = first < step ? WINDOW_ROWS : 0;
  if (whole && y >= 0 && y + WINDOW_ROWS <= height) {
    __global const uint* from = (__global const uint*)(reference + (int64)(y + first) * pitch + x);
    UNROLL_4 for (int row = first; row < rows; row += step, from += step * pitch / 4)
      put_word(window + row * ROW + word, from[0], from[1]);
  } else if (whole) {
    UNROLL_4 for (int row = first; row < rows; row += step) {
      __global const uchar* pixels = reference + (int64)padded(y + row, height) * pitch;
      put_word(window + row * ROW + word, *(__global const uint*)(pixels + x), *(__global const uint*)(pixels + x + 4));
    }
  } else {
    NO_UNROLL for (int row = first; row < rows; row += step) {
      __global const uchar* pixels = reference + (int64)padded(y + row, height) * pitch;
      put_word(window + row * ROW + word, edge_word(pixels, x, width), edge_word(pixels, x + 4, width));
    }
  }
  for (int i = thread; i < PANEL_WORDS * PANEL_ROWS; i += GROUP) {
    const int column = i / PANEL_ROWS, row = i % PANEL_ROWS;
    const int left = work.w - panel_x - 4 * column;  // pixels of the block from this word on
    uint four = 0;
    if (left > 0 && panel_y + row < work.h)
      four = *(__global const uint*)(current + (int64)(work.y + panel_y + row) * pitch + work.x + panel_x + 4 * column);
    block[i] = left < 4 && left > 0 ? four & ((1u << (8 * left)) - 1) : four;
  }
}
