// SPDX-License-Identifier: Apache-2.0
// The sizes that follow from match_warp.cl's launch configuration, which check.cl knows as well:
//   own      candidates of a work-item, 2, 3, 4 or 8: two to a register, so the last one of three has one by itself
//   columns  pixels of a warp, 8, 16 or 32
//   warps    of a group
//   chunk    rows that are loaded together, 1, 2, 4 or 8
//   rx, ry   half the window, px
//   words    of 32 bits in a census word, 1 or 2; 0: taps compare bytes
#ifndef VERGENCE_GPU_SHARED_STEREO_WARP_H
#define VERGENCE_GPU_SHARED_STEREO_WARP_H

#include "gpu/shared/language.h"
#include "gpu/shared/stereo/settings.h"

#define WARP_PAIRS(own) (((own) + 1) / 2)  // registers that a work-item's candidates share
#define WARP_CANDIDATES(own) (32 * (own))  // of a warp
// Where a candidate lies among registers of work-items that follow each other, and in which half.
#define WARP_PLACE(own, k) ((k) / (own)*WARP_PAIRS(own) + (k) % (own) / 2)
#define WARP_IS_LOW(own, k) ((k) % (own) % 2 != 0)
#define WARP_STEP(warps, columns) ((warps) * (columns))  // pixels of a strip
#define WARP_SPAN(columns, rx) ((columns) + 2 * (rx))    // columns that a warp has sums of
#define WARP_FOURS(columns, rx) ((WARP_SPAN(columns, rx) + 3) / 4)
// A key of the other view's pixels that is this or more names no candidate.
#define WARP_NO_COST_KEY(order_bits) (0xFFFF << (order_bits))

// Arrays in local memory, in words of 4 bytes.
// A ring of rows: those of a chunk's windows, one that leaves, and the next chunk; after it a black row. A row holds
// the reference's pixels, each in both halves of a word, then the other picture's, two to a word; or the census words
// of both. Four pixels are a quad. Words are read four at a time, so the last row has as many more.
#define WARP_RING(ry, chunk) (2 * (ry) + 1 + 2 * (chunk))
#define WARP_MY_QUADS(warps, columns, rx) ((WARP_STEP(warps, columns) - (columns)) / 4 + WARP_FOURS(columns, rx))
#define WARP_THEIR_QUADS(own, warps, columns, rx) (WARP_MY_QUADS(warps, columns, rx) + WARP_CANDIDATES(own) / 4)
#define WARP_MY_WORDS(words, warps, columns, rx) (4 * ((words) > 1 ? (words) : 1) * WARP_MY_QUADS(warps, columns, rx))
#define WARP_THEIR_WORDS(words, own, warps, columns, rx) \
  (((words) > 0 ? 4 * (words) : 2) * WARP_THEIR_QUADS(own, warps, columns, rx))
#define WARP_ROW_WORDS(words, own, warps, columns, rx) \
  (WARP_MY_WORDS(words, warps, columns, rx) + (WARP_THEIR_WORDS(words, own, warps, columns, rx) + 3) / 4 * 4)
#define WARP_RING_WORDS(words, own, warps, columns, chunk, rx, ry) \
  ((WARP_RING(ry, chunk) + 1) * WARP_ROW_WORDS(words, own, warps, columns, rx) + 4)
// What a warp notes of a row until each lane has a pixel to finish: minima, and the costs of the work-items around each
// winner.
#define WARP_NOTED_ROWS(columns) (32 / (columns))
#define WARP_MINIMA(columns) (2 * (columns) + 2)
#define WARP_AROUND(own, columns) (2 * WARP_PAIRS(own) * (columns))
#define WARP_MINIMA_WORDS(warps, columns) ((warps)*WARP_NOTED_ROWS(columns) * WARP_MINIMA(columns))
#define WARP_AROUND_WORDS(own, warps, columns) ((warps)*WARP_NOTED_ROWS(columns) * WARP_AROUND(own, columns))
// Masks of candidates: for each place of the winner, and for each count of first ones.
#define WARP_PLACES(own) ((own) + 3)
#define WARP_MASK_WORDS(own) (WARP_PLACES(own) * WARP_PAIRS(own))
#define WARP_FIRST_WORDS(own) (((own) + 1) * WARP_PAIRS(own))
#define WARP_MULTIPLE_WORDS(rx) (2 * (rx) + 2)  // for each number of tap columns
// Both views: keys of the other view's pixels that a strip meets, twice for the rows of a chunk, and those that have
// passed all candidates.
#define WARP_RIGHT_KEYS(own, warps, columns) (WARP_STEP(warps, columns) + WARP_CANDIDATES(own))
#define WARP_RIGHT_WORDS(both, own, warps, columns, chunk) \
  ((both) ? 2 * (chunk)*WARP_RIGHT_KEYS(own, warps, columns) : 1)
#define WARP_PASSED_WORDS(both, warps, columns) ((both) ? WARP_STEP(warps, columns) : 1)
// All of it.
#define WARP_LOCAL_WORDS(words, both, own, warps, columns, chunk, rx, ry)                                            \
  (WARP_RING_WORDS(words, own, warps, columns, chunk, rx, ry) + WARP_MINIMA_WORDS(warps, columns) +                  \
   WARP_AROUND_WORDS(own, warps, columns) + WARP_MASK_WORDS(own) + WARP_FIRST_WORDS(own) + WARP_MULTIPLE_WORDS(rx) + \
   WARP_RIGHT_WORDS(both, own, warps, columns, chunk) + WARP_PASSED_WORDS(both, warps, columns))
// Global memory: costs of the other view's last rx columns in a row, where taps differ in number; two to a word.
#define WARP_LAST_WORDS(own, rx) ((rx)*32 * WARP_PAIRS(own))

VERGENCE_SHARED_BEGIN

// Strips at the sides take longer: they are divided among more groups, which come first.
typedef struct {
  MatchArguments match;
  int strips, front, back;  // strips of a row, and how many of the first and of the last ones are at the sides
} MatchWarpArguments;
VERGENCE_SHARED_SIZE(MatchWarpArguments, 44)

VERGENCE_SHARED_END

#endif
