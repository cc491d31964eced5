// SPDX-License-Identifier: Apache-2.0
// Census costs for some steps of a group's lines, in local memory, two in a word as packed_step.h has them. A strip is
// 8 neighbouring pixels of a row; each has HALF + 8 words, for the pixels of the other picture that any of the 8 may
// meet: word u has the costs of the u-th of them, and of the one HALF further on. Those that lie outside have
// NO_LEVELS, too, where they are no candidates.
//
// On NVIDIA's GPUs the instruction that multiplies matrices of bits counts them: bits that differ are those that a
// pixel has and the other one has not, and the reverse; so a row of the matrix is another pixel's word and its
// complement, and a column the complement of the pixel's word and the word.
#ifndef GIVEN
#error "packed_tile needs GIVEN"
#endif
#if !GIVEN
#include "stereo/sources.h"

#define PITCH PACKED_PITCH(PLACES)  // words from pixel to pixel
#define STRIP_WORDS PACKED_STRIP_WORDS(PLACES)
// The word of pixel g of a strip that has candidate 0: the other picture's pixels lie in the order of disparity.
#define FIRST_WORD(g) (MATCHES_LEFT ? 7 - (g) : (g))
// The other picture's column of word u.
#define COLUMN_OF_WORD(left, u) (MATCHES_LEFT ? (left) + 7 - DMIN - (u) : (left) + DMIN + (u))

// Words of a row of each picture.
typedef struct {
  __global const WORD* restrict mine;
  __global const WORD* restrict theirs;
} WordRows;

// NO_LEVELS in the halves of word u for columns that are no candidates; sources: of the strip's row.
static ALWAYS_INLINE bool is_absent(Sources sources, int column, int width) {
  return (OUTSIDE == OUTSIDE_SKIP && (column < 0 || column >= width)) || !column_shows(sources.other, column, width);
}
static ALWAYS_INLINE uint absent_columns(Sources sources, int left, int u, int width) {
  if (OUTSIDE != OUTSIDE_SKIP && !SOURCES) return 0;
  return (is_absent(sources, COLUMN_OF_WORD(left, u), width) ? 0x8000u : 0u) |
         (is_absent(sources, COLUMN_OF_WORD(left, u + HALF), width) ? 0x80000000u : 0u);
}
// The same for all candidates of the strip's pixel g.
static ALWAYS_INLINE uint absent_pixel(Sources sources, int left, int g, int width) {
  return column_shows(sources.own, left + g, width) ? 0u : NO_LEVELS;
}

#ifdef VERGENCE_NVIDIA

#define PARTS ((int)sizeof(WORD) / 4)  // of a word
#define COLUMNS (PLACES / 8 + 1)       // of the other picture, of a work-item

// What a warp reads for a strip. Nothing is done to it until the strip's costs are written, so that the warp does not
// wait for it.
typedef struct {
  uint mine;              // of pixel lane / 4
  uint columns[COLUMNS];  // of words lane / 4, lane / 4 + 8, ...
} Strip;

// Where a warp's lane begins to read the strip whose first pixel is `at`, all whose columns lie in the picture.
typedef struct {
  __global const uint* restrict mine;
  __global const uint* restrict theirs;
} StripPlace;
static ALWAYS_INLINE StripPlace strip_place(WordRows rows, int64 at) {
  const int lane = (int)get_local_id(0) & 31, part = lane % 4 % PARTS;
  const StripPlace place = {(__global const uint*)rows.mine + (at + lane / 4) * PARTS + part,
                            (__global const uint*)rows.theirs + (at + COLUMN_OF_WORD(0, lane / 4)) * PARTS + part};
  return place;
}
// So many words further on.
static ALWAYS_INLINE void read_inner_strip(Strip* strip, StripPlace place, int64 on) {
  strip->mine = read_with_neighbours(place.mine + on);
  UNROLL for (int i = 0; i < COLUMNS; ++i)
    strip->columns[i] = read_with_neighbours(place.theirs + on + (MATCHES_LEFT ? -8 * i : 8 * i) * PARTS);
}
// The same of pixels left .. left + 7 wherever they lie, and of rows of their own.
static ALWAYS_INLINE void read_strip(Strip* strip, WordRows rows, int left, int width) {
  const int lane = (int)get_local_id(0) & 31, part = lane % 4 % PARTS, first = COLUMN_OF_WORD(left, lane / 4);
  __global const uint* restrict mine = (__global const uint*)rows.mine + part;
  __global const uint* restrict theirs = (__global const uint*)rows.theirs + part;
  strip->mine = mine[clamp(left + lane / 4, 0, width - 1) * PARTS];
  UNROLL for (int i = 0; i < COLUMNS; ++i) {
    const int p = first + (MATCHES_LEFT ? -8 * i : 8 * i);
    strip->columns[i] = theirs[clamp(p, 0, width - 1) * PARTS];
    if (OUTSIDE == OUTSIDE_ZERO && (p < 0 || p >= width)) strip->columns[i] = 0;
  }
}
// All of a warp call it. `marks`: some columns may lie outside.
static ALWAYS_INLINE void write_strip(LOCAL_POINTER uint* costs, const Strip* strip, Sources sources, int left,
                                      int width, bool marks) {
  const int lane = (int)get_local_id(0) & 31, part = lane & 3;
  const uint inverted = 0u - (uint)(part >> 1);
  const bool counts = part % 2 < PARTS;  // else the word has no such part
  const uint mine = counts ? strip->mine ^ ~inverted : 0;
  uint columns[COLUMNS];
  UNROLL for (int i = 0; i < COLUMNS; ++i) columns[i] = strip->columns[i] ^ inverted;
  LOCAL_POINTER uint* to = costs + 2 * part * PITCH + lane / 4;
  const uint first = marks ? absent_pixel(sources, left, 2 * part, width) : 0;
  const uint second = marks ? absent_pixel(sources, left, 2 * part + 1, width) : 0;
  UNROLL for (int i = 0; i <= HALF / 8; ++i) {
    uint sums[4];
    count_common_bits(sums, columns[i], columns[i + HALF / 8], mine);
    const uint absent = marks ? absent_columns(sources, left, lane / 4 + 8 * i, width) : 0;
    to[8 * i] = sums[0] + sums[2] * 0x10000u + (absent | first);
    to[8 * i + PITCH] = sums[1] + sums[3] * 0x10000u + (absent | second);
  }
}
#define STRIP_WORKERS 32

#else

typedef struct {
  WordRows rows;
} Strip;
static ALWAYS_INLINE void read_strip(Strip* strip, WordRows rows, int left, int width) { strip->rows = rows; }
static ALWAYS_INLINE void write_strip(LOCAL_POINTER uint* costs, const Strip* s, Sources sources, int left, int width,
                                      bool marks) {
  for (int i = 0; i < 8 * (HALF + 8); ++i) {
    const int g = i / (HALF + 8), u = i % (HALF + 8);
    const WORD mine = s->rows.mine[clamp(left + g, 0, width - 1)];
    const uint low = (uint)popcount(mine ^ other_word(s->rows.theirs, COLUMN_OF_WORD(left, u), width));
    const uint high = (uint)popcount(mine ^ other_word(s->rows.theirs, COLUMN_OF_WORD(left, u + HALF), width));
    const uint absent = absent_columns(sources, left, u, width) | absent_pixel(sources, left, g, width);
    costs[g * PITCH + u] = low | high << 16 | (marks ? absent : 0);
  }
}
#define STRIP_WORKERS 1

#endif
#endif
