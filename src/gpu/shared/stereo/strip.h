// SPDX-License-Identifier: Apache-2.0
// What match_strip.cl and squares.cl take besides buffers, and the sizes that follow from match_strip.cl's launch
// configuration:
//   own         columns of a work-item, 4 or 8; a strip has 32 times as many
//   candidates  of a group: those of a warp, times its warps
//   chunk       rows that are loaded and finished together
//   chunks      that local memory holds at a time: 2, or 1 where a chunk has all rows of the group
//   rx, ry      half the window, px
#ifndef VERGENCE_GPU_SHARED_STEREO_STRIP_H
#define VERGENCE_GPU_SHARED_STEREO_STRIP_H

#include "gpu/shared/language.h"
#include "gpu/shared/stereo/settings.h"

#define STRIP_COLUMNS(own) (32 * (own))
// Windows end at their last column, so that a warp looks back only. Column c of a strip ends the window around pixel
// left + c - rx; the first STRIP_LEAD columns only feed windows. Pixels come four at a time, so both are rounded.
#define STRIP_BEGIN(rx) (((rx) + 3) / 4 * 4)
#define STRIP_LEAD(rx) (STRIP_BEGIN(rx) + (rx))
#define STRIP_STEP(rx, own) ((STRIP_COLUMNS(own) - STRIP_LEAD(rx)) / 4 * 4)  // pixels of a strip

// Arrays in local memory, in words of 4 bytes.
// A ring of rows: those of a chunk's windows, and one that leaves and the next chunk. A row has the reference's columns
// and those that its candidates meet; SAD has two pixels in a word, SSD four.
#define STRIP_RING(ry, chunks, chunk) (2 * (ry) + (chunks) * (chunk) + (chunks)-1)
#define STRIP_ROW_PIXELS(own, candidates) (2 * STRIP_COLUMNS(own) + (candidates))
#define STRIP_ROW_WORDS(cost, own, candidates) (STRIP_ROW_PIXELS(own, candidates) / ((cost) == COST_SAD ? 2 : 4))
#define STRIP_RING_WORDS(cost, ry, own, candidates, chunks, chunk) \
  (STRIP_RING(ry, chunks, chunk) * STRIP_ROW_WORDS(cost, own, candidates))
// The best key of each pixel of the chunks: one chunk is finished while the next one begins. A stride of 33 puts
// the keys of 32 lanes into different banks, whichever way they are read.
#define STRIP_KEY_STRIDE 33
#define STRIP_KEYS(chunk, own) ((chunk) * (own)*STRIP_KEY_STRIDE)
#define STRIP_BEST_WORDS(chunks, chunk, own) ((chunks)*STRIP_KEYS(chunk, own))
// Where more than winners is asked for: the second-best cost of each pixel, and those before and after the winner.
#define STRIP_SECOND_WORDS(chunks, chunk, own) ((chunks)*STRIP_KEYS(chunk, own))
#define STRIP_NEIGHBOUR_WORDS(chunks, chunk, own) (2 * (chunks)*STRIP_KEYS(chunk, own))
// SSD: the sums of squares that the chunks' candidates need.
#define STRIP_SQUARES_OF_ROW(own, candidates) (STRIP_COLUMNS(own) + (candidates))
#define STRIP_SQUARE_WORDS(own, candidates, chunks, chunk) ((chunks) * (chunk)*STRIP_SQUARES_OF_ROW(own, candidates))
// All of it; is_full: more than winners is asked for.
#define STRIP_LOCAL_WORDS(cost, is_full, ry, own, candidates, chunks, chunk)                              \
  (STRIP_RING_WORDS(cost, ry, own, candidates, chunks, chunk) + STRIP_BEST_WORDS(chunks, chunk, own) +    \
   ((is_full) ? STRIP_SECOND_WORDS(chunks, chunk, own) + STRIP_NEIGHBOUR_WORDS(chunks, chunk, own) : 0) + \
   ((cost) == COST_SSD ? STRIP_SQUARE_WORDS(own, candidates, chunks, chunk) : 0))

// Short keys are the cost, times this, and the pair's number. Kernels are given it: of a number that they know
// compilers make shifts, for units that have more to do than those that multiply.
#define STRIP_SHORT_SCALE 8

// squares.cl: columns of output that a group of so many work-items has.
#define SQUARES_STEP(group, rx) ((group)-2 * (rx))

VERGENCE_SHARED_BEGIN

typedef struct {
  MatchArguments match;
  int squares_left, squares_width;  // the first column of the maps of squares, and how many they have; SSD
  int scale;                        // STRIP_SHORT_SCALE
} MatchStripArguments;
VERGENCE_SHARED_SIZE(MatchStripArguments, 44)

typedef struct {
  int width, height;    // of the picture, px
  int left, out_width;  // the first column of the map, which may lie outside the picture, and how many it has
} SquaresArguments;
VERGENCE_SHARED_SIZE(SquaresArguments, 16)

VERGENCE_SHARED_END

#endif
