// SPDX-License-Identifier: Apache-2.0
// What the parts of match_warp.cl share: a group takes a strip of columns and slides its windows down ROWS rows, CHUNK
// at a time. Each of its warps has COLUMNS of them with all candidates: a work-item has OWN candidates that follow each
// other, two to a register, and the sums of every column that some window of the warp needs. Minima over
// all candidates of a pixel are taken over the 32 work-items of one warp, so there is no need to wait for the whole
// group.
//
// Launch configuration, all of it given:
//   OWN           candidates of a work-item, 2, 4 or 8; of census 3, too
//   COLUMNS       pixels of a warp, 8, 16 or 32
//   WARPS         of a group, 4 to 16
//   ROWS          of a group, from 1 on
//   SIDE_ROWS     the same at the sides, where edges make rows longer
//   CHUNK         rows that are loaded together, 1, 2, 4 or 8
//   ORDER_BITS    of a candidate's place among the warp's
//   BOTH_VIEWS    1: finds the other view's winners as well
//   WARP_MINIMUM  1: an instruction finds the least word of a warp
//   COMMON_TAPS   a multiple of 1 to 2 RX + 1; counts where TAPS_DIFFER
//   WORDS         of 32 bits in a census word, 1 or 2; 0: taps compare bytes
//   WORD          what pictures hold: uchar, uint or uint64
#include "gpu/shared/stereo/warp.h"
#include "stereo/emit.h"
#include "stereo/exchange.h"
#include "stereo/rows.h"
#if !defined(OWN) || !defined(COLUMNS) || !defined(WARPS) || !defined(ROWS) || !defined(CHUNK) || !defined(ORDER_BITS)
#error "warp needs OWN, COLUMNS, WARPS, ROWS, CHUNK and ORDER_BITS"
#endif
#if !defined(SIDE_ROWS)
#error "warp needs SIDE_ROWS"
#endif
#if !defined(BOTH_VIEWS) || !defined(WARP_MINIMUM) || !defined(COMMON_TAPS) || !defined(WORDS) || !defined(WORD)
#error "warp needs BOTH_VIEWS, WARP_MINIMUM, COMMON_TAPS, WORDS and WORD"
#endif

#define PAIRS WARP_PAIRS(OWN)            // of candidates of a work-item; the last one may have no second
#define CANDIDATES WARP_CANDIDATES(OWN)  // COUNT, rounded up
#define THREADS (32 * WARPS)
#define STEP WARP_STEP(WARPS, COLUMNS)
#define SPAN WARP_SPAN(COLUMNS, RX)  // the first lies RX to the left of the warp's first pixel
#define FOURS WARP_FOURS(COLUMNS, RX)
#define SCALE (1 << ORDER_BITS)
#define TIES_BY_LANES (REJECT_TIES && !NEEDS_SECOND)  // a vote of the warp finds ties; else the second best tells
// Cost and order of what is no candidate: this or more.
#if TAPS_DIFFER
#define NO_KEY 0x40000000
#else
#define NO_KEY WARP_NO_COST_KEY(ORDER_BITS)
#endif

#define RING WARP_RING(RY, CHUNK)
#define MY_QUADS WARP_MY_QUADS(WARPS, COLUMNS, RX)
#define THEIR_QUADS WARP_THEIR_QUADS(OWN, WARPS, COLUMNS, RX)
#define QUADS_OF_LANE ((MY_QUADS + THEIR_QUADS + 31) / 32)
#define MY_WORDS WARP_MY_WORDS(WORDS, WARPS, COLUMNS, RX)
#define ROW_WORDS WARP_ROW_WORDS(WORDS, OWN, WARPS, COLUMNS, RX)
#define MINIMA WARP_MINIMA(COLUMNS)
#define AROUND WARP_AROUND(OWN, COLUMNS)
#define NOTED_ROWS WARP_NOTED_ROWS(COLUMNS)
#define RIGHT_KEYS WARP_RIGHT_KEYS(OWN, WARPS, COLUMNS)

typedef struct {
  int left, top, rows;  // the first pixel of output, and its rows
  int end;              // columns from it on get none
  int width, height;
} Strip;

// Of the group: strips at the sides first.
static inline int number_of_strip(MatchWarpArguments a) {
  const int sides = a.front + a.back, group = (int)get_group_id(0);
  const int of_side = (a.match.height + SIDE_ROWS - 1) / SIDE_ROWS, of_others = (a.match.height + ROWS - 1) / ROWS;
  if (group >= sides * of_side) return a.front + (group - sides * of_side) / of_others;
  return group / of_side < a.front ? group / of_side : group / of_side - a.front + a.strips - a.back;
}
static inline Strip strip_of(MatchWarpArguments a, int number) {
  const int sides = a.front + a.back, group = (int)get_group_id(0);
  const int of_side = (a.match.height + SIDE_ROWS - 1) / SIDE_ROWS, of_others = (a.match.height + ROWS - 1) / ROWS;
  const bool side = group < sides * of_side;
  // Behind the columns that another kernel serves strips begin anew.
  const int before = (a.match.inner_left + STEP - 1) / STEP;
  const bool behind = number >= before;
  Strip s;
  s.left = behind ? a.match.inner_right + (number - before) * STEP : number * STEP;
  s.top = side ? group % of_side * SIDE_ROWS : (group - sides * of_side) % of_others * ROWS;
  s.rows = min(side ? SIDE_ROWS : ROWS, a.match.height - s.top);
  s.end = behind ? a.match.width : a.match.inner_left;
  s.width = a.match.width, s.height = a.match.height;
  return s;
}

// The halves of a work-item's candidates whose partners of column x lie in the other picture; no tap of the others
// counts. firsts holds the halves of its first 0, 1, 2 ... candidates.
static inline void halves_with_partner(uint* counts, int x, int first, int width, LOCAL_POINTER const uint* firsts) {
  const int partners = x < 0 || x >= width ? 0 : OUTSIDE == OUTSIDE_SKIP ? x - DMIN - first + 1 : OWN;
  load_words(counts, firsts + clamp(partners, 0, OWN) * PAIRS, PAIRS, PAIRS);
}

#if WORDS > 0
#include "stereo/warp_census.h"
#else
// A row of both pictures, where row 0 is s.top - RY.
static inline void copy_row(LOCAL_POINTER uint* to, Strip s, __global const uchar* restrict mine,
                            __global const uchar* restrict theirs, int row, int lane) {
  const int y = s.top - RY + row;
  const bool inside = y >= 0 && y < s.height;
  const int64 offset = (int64)(inside ? y : 0) * s.width;
  const int my_left = s.left - RX, their_left = my_left - DMIN - CANDIDATES;
  const RowSource my_row = source_of(mine + offset, my_left, s.width);
  const RowSource their_row = source_of(theirs + offset, their_left, s.width);
  uint quads[QUADS_OF_LANE];
  UNROLL for (int j = 0; j < QUADS_OF_LANE; ++j) {
    const int quad = lane + 32 * j;
    quads[j] = 0;
    if (inside && quad < MY_QUADS)
      quads[j] = four_pixels(my_row, my_left, quad, s.width, false);
    else if (inside && quad < MY_QUADS + THEIR_QUADS)
      quads[j] = four_pixels(their_row, their_left, quad - MY_QUADS, s.width, true);
  }
  UNROLL for (int j = 0; j < QUADS_OF_LANE; ++j) {
    const int quad = lane + 32 * j;
    if (quad < MY_QUADS) {
      uint4 four;
      four.x = pick_bytes(quads[j], 0, 0x4040u), four.y = pick_bytes(quads[j], 0, 0x4141u);
      four.z = pick_bytes(quads[j], 0, 0x4242u), four.w = pick_bytes(quads[j], 0, 0x4343u);
      *(LOCAL_POINTER uint4*)(to + 4 * quad) = four;
    } else if (quad < MY_QUADS + THEIR_QUADS) {
      to[2 * MY_QUADS + 2 * quad] = pick_bytes(quads[j], 0, 0x4140u);
      to[2 * MY_QUADS + 2 * quad + 1] = pick_bytes(quads[j], 0, 0x4342u);
    }
  }
}

// The pixels with which column c is compared for candidates 2 k (high half) and 2 k + 1 of a work-item; words begin
// 2 PAIRS pixels before the one for column 0 and candidate 0.
static inline uint pair_of(const uint* words, int c, int k) {
  const int place = c - 2 * k + 2 * PAIRS;
  return place % 2 == 1 ? words[place / 2] : pick_bytes(words[place / 2 - 1], words[place / 2], 0x5432u);
}

// Where columns begin in a row of local memory: the reference's, and the word 2 PAIRS pixels before the other picture's
// for the warp's first column and the lane's first candidate.
static inline int my_place(int number) { return number; }
static inline int their_place(int number, int lane) {
  return MY_WORDS + (CANDIDATES + number) / 2 - PAIRS * (lane + 1);
}

// Brings the columns' sums to the next row. Where `edge`, taps outside a picture count nothing; the warp's first column
// is x.
static inline void slide_down(uint (*sums)[PAIRS], LOCAL_POINTER const uint* mine_in,
                              LOCAL_POINTER const uint* mine_out, LOCAL_POINTER const uint* theirs_in,
                              LOCAL_POINTER const uint* theirs_out, bool edge, int x, int first, int width,
                              LOCAL_POINTER const uint* firsts) {
  uint in[2 * FOURS + PAIRS + PAIRS], out[2 * FOURS + PAIRS + PAIRS];
  load_words(in, theirs_in, 2 * FOURS + PAIRS, PAIRS);
  load_words(out, theirs_out, 2 * FOURS + PAIRS, PAIRS);
  UNROLL for (int four = 0; four < FOURS; ++four) {
    const uint4 my_in = *(LOCAL_POINTER const uint4*)(mine_in + 4 * four);
    const uint4 my_out = *(LOCAL_POINTER const uint4*)(mine_out + 4 * four);
    const uint a[4] = {my_in.x, my_in.y, my_in.z, my_in.w}, b[4] = {my_out.x, my_out.y, my_out.z, my_out.w};
    UNROLL for (int j = 0; j < 4; ++j) {
      const int c = 4 * four + j;
      if (c >= SPAN) continue;
      uint counts[PAIRS];
      if (edge) halves_with_partner(counts, x + c, first, width, firsts);
      UNROLL for (int k = 0; k < PAIRS; ++k) {
        const uint enters = pair_of(in, c, k), leaves = pair_of(out, c, k);
        sums[c][k] = edge ? exchange_masked(sums[c][k], a[j], enters, b[j], leaves, counts[k])
                          : exchange_pair(sums[c][k], a[j], enters, b[j], leaves);
      }
    }
  }
}
#endif

// Columns of taps that pixel x and its partner for candidate k share.
static inline int tap_columns(int k, int x, int width) {
  const int p = x - DMIN - k;  // not right of x
  return min(RX, p) + 1 + min(RX, width - 1 - x);
}

// The candidate of a key, counted from DMIN.
static inline int candidate_of(int key) {
  const int order = key & (SCALE - 1);
  return TIE_HIGHEST ? CANDIDATES - 1 - order : order;
}
static inline int order_of(int k) { return TIE_HIGHEST ? CANDIDATES - 1 - k : k; }

// Cost and order in one number, of the candidate in the high (place 0) or low half of a register.
static inline int key_of(uint costs, int place, int order) {
#if ORDER_BITS < 8
  return (int)add_halves((uint)order, costs, place == 0 ? SCALE << 8 : SCALE);
#else
  return (int)(add_halves(0, costs, place == 0 ? 0x8000u : 0x80u) * (SCALE / 128)) + order;
#endif
}

static inline uint warp_minimum(uint value) {
#if WARP_MINIMUM
  return least_of_warp(value);
#else
  UNROLL for (uint step = 16; step > 0; step /= 2) value = min(value, from_lane_across(value, step));
  return value;
#endif
}
