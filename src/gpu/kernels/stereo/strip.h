// SPDX-License-Identifier: Apache-2.0
// What the parts of match_strip.cl share: a group takes a strip of columns and slides its windows down ROWS rows, CHUNK
// at a time. A warp has all columns, OWN to a work-item, and CANDIDATES / WARPS candidates; the warps of a group split
// the candidates. Rows of both pictures pass through a ring in local memory; the warps combine the best keys of CHUNK
// rows there.
//
// Only for rules under which all candidates of a pixel that are counted sum equally many taps.
//
// Launch configuration, all of it given:
//   OF_WARP     candidates of a warp, 8 or 16
//   WARPS       of a group, 1 to 16
//   OWN         columns of a work-item, 4 or 8
//   ROWS        of a group, from 1 on
//   CHUNK       rows that are loaded and finished together, 1, 2 or 4; or ROWS, where CHUNKS is 1
//   CHUNKS      that local memory holds at a time, 1 or 2
//   ORDER_BITS  of a candidate's place among the group's candidates
//   INNER       1: serves the columns inner_left to inner_right alone, whose windows lie inside as those of all
//               candidates do that count
#include "gpu/shared/stereo/strip.h"
#include "stereo/emit.h"
#include "stereo/rows.h"
#if !defined(OF_WARP) || !defined(WARPS) || !defined(ROWS) || !defined(OWN) || !defined(CHUNK) || !defined(ORDER_BITS)
#error "strip needs OF_WARP, WARPS, ROWS, OWN, CHUNK and ORDER_BITS"
#endif
#if !defined(INNER) || !defined(CHUNKS)
#error "strip needs INNER and CHUNKS"
#endif
#if TAPS_DIFFER
#error "strips compare costs as they are"
#endif

#define COLUMNS STRIP_COLUMNS(OWN)
#define CANDIDATES (OF_WARP * WARPS)                  // COUNT, rounded up
#define SKIPS (OUTSIDE == OUTSIDE_SKIP && !INNER)     // candidates of some pixels
#define MAY_HAVE_NONE (SKIPS || COUNT != CANDIDATES)  // a warp's pixel may have no candidate at all
#define THREADS (32 * WARPS)
#define LEAD STRIP_LEAD(RX)
#define STEP STRIP_STEP(RX, OWN)
#define RING STRIP_RING(RY, CHUNKS, CHUNK)
#define ROW_WORDS STRIP_ROW_WORDS(COST, OWN, CANDIDATES)
#define QUADS (STRIP_ROW_PIXELS(OWN, CANDIDATES) / 4)  // four pixels: the reference's row, then the other picture's
#define QUADS_OF_LANE ((QUADS + 31) / 32)
#define MY_QUADS (COLUMNS / 128)                    // of a lane's quads, the reference's
#define ROWS_OF_WARP ((CHUNK + WARPS - 1) / WARPS)  // that it loads for a chunk
#define KEYS STRIP_KEYS(CHUNK, OWN)
#define NO_KEY 0x7FFFFFFF
#define KEY_PLACE(row, c, lane) (STRIP_KEY_STRIDE * (OWN * (row) + (c)) + (lane))

// Which rows and columns of the pictures pass through a strip.
typedef struct {
  int left, other_left;  // column 0 of either row in local memory
  int top;               // the first row of output
  int end;               // columns from it on get none
  int width, height;
} Strip;

static inline Strip strip_of(MatchArguments match) {
  const int width = match.width, height = match.height;
  Strip s;
  s.left = (INNER ? match.inner_left : 0) + (int)get_group_id(0) * STEP - STRIP_BEGIN(RX);
  s.end = INNER ? match.inner_right : width;
  // For candidate k, column c is compared with place c - k + CANDIDATES of the other picture's row.
  s.other_left = s.left - DMIN - CANDIDATES;
  s.top = (int)get_group_id(1) * ROWS;
  s.width = width;
  s.height = height;
  return s;
}

// What a lane loads of row `row` in the ring's numbering, in which row 0 is top - RY: every 32nd quad.
static inline void load_quads(uint* quads, Strip s, __global const uchar* restrict mine,
                              __global const uchar* restrict theirs, int row, int lane) {
  const int y = s.top - RY + row;
  const bool inside = y >= 0 && y < s.height;
  const int64 offset = (int64)(inside ? y : 0) * s.width;
  const RowSource my_row = source_of(mine + offset, s.left, s.width);
  const RowSource their_row = source_of(theirs + offset, s.other_left, s.width);
  UNROLL for (int j = 0; j < QUADS_OF_LANE; ++j) {
    quads[j] = 0;
    if (j < MY_QUADS) {
      if (inside) quads[j] = four_pixels(my_row, s.left, lane + 32 * j, s.width, false);
    } else if (inside && lane + 32 * j < QUADS) {
      quads[j] = four_pixels(their_row, s.other_left, lane + 32 * (j - MY_QUADS), s.width, true);
    }
  }
}
// The same where a quad is a word of the picture or lies outside: which words a lane loads, counted from a row's first
// one, and what becomes of their bytes.
typedef struct {
  int at[QUADS_OF_LANE];
  uint order[QUADS_OF_LANE];
} LaneWords;
static inline bool are_words(Strip s, __global const uchar* restrict mine, __global const uchar* restrict theirs) {
  return (s.width & 3) == 0 && (s.left & 3) == 0 && (s.other_left & 3) == 0 &&
         (((size_t)mine | (size_t)theirs) & 3) == 0;
}
static inline LaneWords words_of(Strip s, int lane) {
  LaneWords words;
  UNROLL for (int j = 0; j < QUADS_OF_LANE; ++j) {
    const bool other = j >= MY_QUADS;
    const int first = other ? s.other_left + 4 * (lane + 32 * (j - MY_QUADS)) : s.left + 4 * (lane + 32 * j);
    const int x = clamp(first, 0, s.width - 4);
    words.at[j] = (MATCHES_LEFT ? x : s.width - 4 - x) >> 2;
    words.order[j] = MATCHES_LEFT ? 0x3210u : 0x0123u;
    if (x != first)
      words.order[j] = !other || OUTSIDE != OUTSIDE_CLAMP ? 0x4444u : (first < 0) == MATCHES_LEFT ? 0 : 0x3333u;
  }
  return words;
}
static inline void load_words_of(uint* quads, Strip s, const LaneWords* words, __global const uchar* restrict mine,
                                 __global const uchar* restrict theirs, int row, int lane) {
  const int y = s.top - RY + row;
  const uint all = y >= 0 && y < s.height ? ~0u : 0;
  const int64 offset = (int64)clamp(y, 0, s.height - 1) * s.width;
  __global const uint* my_row = (__global const uint*)(mine + offset);
  __global const uint* their_row = (__global const uint*)(theirs + offset);
  UNROLL for (int j = 0; j < QUADS_OF_LANE; ++j) {
    quads[j] = 0;
    if (j < MY_QUADS || lane + 32 * j < QUADS)
      quads[j] = pick_bytes((j < MY_QUADS ? my_row : their_row)[words->at[j]], 0, words->order[j]) & all;
  }
}

// The candidate of a key of the group, counted from DMIN.
static inline int candidate_of(int key) {
  const int order = key & ((1 << ORDER_BITS) - 1);
  return TIE_HIGHEST ? CANDIDATES - 1 - order : order;
}

// Bit 1: candidate k of pixel x is none; bit 0: neither is k + 1. Without `edge` all columns serve.
static inline uint excluded(int k, int x, bool edge, int width) {
  uint none = 0;
  if (k >= COUNT || (edge && !is_partner(k, x, width))) none |= 2u;
  if (k + 1 >= COUNT || (edge && !is_partner(k + 1, x, width))) none |= 1u;
  return none;
}

// Whether some candidate of some pixel of the strip lies outside the other picture.
static inline bool at_edge(Strip s) {
  const int first = s.left + LEAD - RX;
  return SKIPS && (first - DMIN - CANDIDATES < RX || first + STEP - DMIN >= s.width - RX);
}

// Sums over windows of columns, sliding along a work-item's own columns from its first one. COLUMN(sums, j, k) is
// column j, counted from the first own one, of this warp's strip; columns below 0 lie with lanes below.
#define LANES_BACK(j) ((-(j) + OWN - 1) / OWN)
#define COLUMN(sums, j, k) \
  ((j) >= 0 ? sums[(j) & (OWN - 1)][k] : from_lane_below(sums[(j) & (OWN - 1)][k], LANES_BACK(j)))
#define WHOLE_LANES (2 * RX / OWN)  // lanes below whose columns all belong to the first own column's window
#define PART_LANE (2 * RX % OWN)    // columns of the lane below those
