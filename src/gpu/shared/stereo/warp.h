// SPDX-License-Identifier: Apache-2.0
// The sizes that follow from match_warp.cl's launch configuration, which check.cl knows as well:
//   pairs    pairs of candidates of a work-item, 1, 2 or 4
//   columns  pixels of a warp, 8, 16 or 32
//   warps    of a group
//   chunk    rows that are loaded together, 1, 2, 4 or 8
//   rx, ry   half the window, px
//   words    of 32 bits in a census word, 1 or 2; 0: taps compare bytes
#ifndef VERGENCE_GPU_SHARED_STEREO_WARP_H
#define VERGENCE_GPU_SHARED_STEREO_WARP_H

#include "gpu/shared/language.h"
#include "gpu/shared/stereo/settings.h"

#define WARP_OWN(pairs) (2 * (pairs))                    // candidates of a work-item
#define WARP_CANDIDATES(pairs) (32 * WARP_OWN(pairs))    // of a warp
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
#define WARP_THEIR_QUADS(pairs, warps, columns, rx) (WARP_MY_QUADS(warps, columns, rx) + WARP_CANDIDATES(pairs) / 4)
#define WARP_MY_WORDS(words, warps, columns, rx) (4 * ((words) > 1 ? (words) : 1) * WARP_MY_QUADS(warps, columns, rx))
#define WARP_THEIR_WORDS(words, pairs, warps, columns, rx) \
  (((words) > 0 ? 4 * (words) : 2) * WARP_THEIR_QUADS(pairs, warps, columns, rx))
#define WARP_ROW_WORDS(words, pairs, warps, columns, rx) \
  (WARP_MY_WORDS(words, warps, columns, rx) + (WARP_THEIR_WORDS(words, pairs, warps, columns, rx) + 3) / 4 * 4)
#define WARP_RING_WORDS(words, pairs, warps, columns, chunk, rx, ry) \
  ((WARP_RING(ry, chunk) + 1) * WARP_ROW_WORDS(words, pairs, warps, columns, rx) + 4)
// What a warp notes of a row until each lane has a pixel to finish: minima, and the costs of the work-items around each
// winner.
#define WARP_NOTED_ROWS(columns) (32 / (columns))
#define WARP_MINIMA(columns) (2 * (columns) + 2)
#define WARP_AROUND(pairs, columns) (WARP_OWN(pairs) * (columns))
#define WARP_MINIMA_WORDS(warps, columns) ((warps)*WARP_NOTED_ROWS(columns) * WARP_MINIMA(columns))
#define WARP_AROUND_WORDS(pairs, warps, columns) ((warps)*WARP_NOTED_ROWS(columns) * WARP_AROUND(pairs, columns))
// Masks of candidates: for each place of the winner, and for each count of first ones.
#define WARP_PLACES(pairs) (WARP_OWN(pairs) + 3)
#define WARP_MASK_WORDS(pairs) (WARP_PLACES(pairs) * (pairs))
#define WARP_FIRST_WORDS(pairs) ((WARP_OWN(pairs) + 1) * (pairs))
#define WARP_MULTIPLE_WORDS(rx) (2 * (rx) + 2)  // for each number of tap columns
// Both views: keys of the other view's pixels that a strip meets, twice for the rows of a chunk, and those that have
// passed all candidates.
#define WARP_RIGHT_KEYS(pairs, warps, columns) (WARP_STEP(warps, columns) + WARP_CANDIDATES(pairs))
#define WARP_RIGHT_WORDS(both, pairs, warps, columns, chunk) \
  ((both) ? 2 * (chunk)*WARP_RIGHT_KEYS(pairs, warps, columns) : 1)
#define WARP_PASSED_WORDS(both, warps, columns) ((both) ? WARP_STEP(warps, columns) : 1)
// All of it.
#define WARP_LOCAL_WORDS(words, both, pairs, warps, columns, chunk, rx, ry)                           \
  (WARP_RING_WORDS(words, pairs, warps, columns, chunk, rx, ry) + WARP_MINIMA_WORDS(warps, columns) + \
   WARP_AROUND_WORDS(pairs, warps, columns) + WARP_MASK_WORDS(pairs) + WARP_FIRST_WORDS(pairs) +      \
   WARP_MULTIPLE_WORDS(rx) + WARP_RIGHT_WORDS(both, pairs, warps, columns, chunk) +                   \
   WARP_PASSED_WORDS(both, warps, columns))
// Global memory: costs of the other view's last rx columns in a row, where taps differ in number; two to a word.
#define WARP_LAST_WORDS(pairs, rx) ((rx)*WARP_CANDIDATES(pairs) / 2)

VERGENCE_SHARED_BEGIN

// Strips at the sides take longer: they are divided among more groups, which come first.
typedef struct {
  MatchArguments match;
  int strips, front, back;  // strips of a row, and how many of the first and of the last ones are at the sides
} MatchWarpArguments;
VERGENCE_SHARED_SIZE(MatchWarpArguments, 44)

VERGENCE_SHARED_END

#endif
