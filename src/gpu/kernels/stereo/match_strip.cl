// SPDX-License-Identifier: Apache-2.0
// `match` by SAD or SSD of byte pixels on NVIDIA's warps: see strip.h for how the work is cut, sums_*.h for the costs,
// and scan_*.h for the search.
#include "stereo/strip.h"
#if COST == 0
#include "stereo/sums_sad.h"
#else
#include "stereo/sums_ssd.h"
#endif
#if COST == 0 && SHORT_KEYS
#include "stereo/scan_short.h"
#else
#include "stereo/scan_long.h"
#endif

#define PLACE(c) (place + (c)*KEY_STRIDE)
#define SQUARE_WORDS (COLUMNS + CANDIDATES)
#define SQUARE_LOADS ((CHUNK * SQUARE_WORDS + THREADS - 1) / THREADS)
#define PARTS (THREADS >= COLUMNS ? THREADS / COLUMNS : 1)  // work-items that share a column where pixels are looked at

#if COST == 1
// Word i of the rows of squares that start at row `first`.
static inline int load_square(Strip s, __global const int* restrict squares, int squares_left, int squares_width,
                              int first, int i) {
  const int y = s.top + first + i / SQUARE_WORDS, p = s.other_left + i % SQUARE_WORDS - RX - squares_left;
  return y < s.height && p >= 0 && p < squares_width ? squares[(int64)y * squares_width + p] * SCALE : 0;
}
#endif

static inline void store_quads(LOCAL_POINTER uint* row, const uint* quads, int lane) {
  UNROLL for (int j = 0; j < QUADS_OF_LANE; ++j)
    if (lane + 32 * j < QUADS) store_quad(row, lane + 32 * j, quads[j]);
}

// Brings columns' sums to the windows of the next row.
static inline void march(SUM (*sums)[SUMS], LOCAL_POINTER const uint* ref, LOCAL_POINTER const uint* other,
                         int entering, int leaving) {
  Row in, out;
  load_row(&in, ref + entering * ROW_WORDS, other + entering * ROW_WORDS);
  if (leaving < 0) {
    enter_row(sums, &in);
  } else {
    load_row(&out, ref + leaving * ROW_WORDS, other + leaving * ROW_WORDS);
    exchange_rows(sums, &in, &out);
  }
}

#if !WHOLE_WINDOWS
// Columns outside the picture cost nothing.
static inline void clip(SUM (*sums)[SUMS], int left, int width) {
  UNROLL for (int c = 0; c < OWN; ++c)
    UNROLL for (int k = 0; k < SUMS; ++k) sums[c][k] = left + c >= 0 && left + c < width ? sums[c][k] : 0;
}
#endif

__kernel WORK_GROUP(THREADS, 1) void match_strip(
    __global const uchar* restrict mine, __global const uchar* restrict theirs, __global const int* restrict my_squares,
    __global const int* restrict their_squares, __global const uchar* restrict textureless,
    __global MAP* restrict disparity, __global int* restrict winner, __global uchar* restrict confidences,
    __global uint* restrict costs, int width, int height, int squares_left, int squares_width, int roi_x, int roi_y,
    int roi_w, int roi_h) {
  __local uint ALIGN_16 ring[RING * ROW_WORDS];
  __local int best_keys[2 * KEYS];
#if COST == 1
  __local int ALIGN_16 squares[2 * CHUNK * SQUARE_WORDS];
#endif
#if FULL
  __local int second_best[2 * KEYS];
  __local uint neighbours[4 * KEYS];  // cost before, cost after
#endif
  const int thread = (int)get_local_id(0), lane = thread & 31, warp = thread >> 5;
  const int first = warp * OF_WARP;  // candidate
  const Strip strip = strip_of(width, height);
  const bool edge = at_edge(strip), exclude = edge || COUNT != CANDIDATES;
  const int own_column = strip.left + lane * OWN;
  const Outputs outputs = {disparity, winner, textureless, confidences, costs, width,
                           height,    roi_x,  roi_y,       roi_w,       roi_h};
  LOCAL_POINTER const uint* ref_at = ring + ref_place(lane);
  LOCAL_POINTER const uint* other_at = ring + other_place(lane, first);

  for (int i = thread; i < 2 * KEYS; i += THREADS) {
    best_keys[i] = NO_KEY;
#if FULL
    second_best[i] = NO_KEY;
#endif
  }
  UNROLL_2 for (int row = warp; row < 2 * RY + CHUNK; row += WARPS) {
    uint quads[QUADS_OF_LANE];
    load_quads(quads, strip, mine, theirs, row, lane);
    store_quads(ring + row * ROW_WORDS, quads, lane);
  }
#if COST == 1
  UNROLL_4 for (int i = thread; i < CHUNK * SQUARE_WORDS; i += THREADS)
    squares[i] = load_square(strip, their_squares, squares_left, squares_width, 0, i);
#endif
  GROUP_BARRIER();

  SUM sums[OWN][SUMS];
  UNROLL for (int c = 0; c < OWN; ++c)
    UNROLL for (int k = 0; k < SUMS; ++k) sums[c][k] = 0;
  for (int r = 0; r < 2 * RY; ++r) march(sums, ref_at, other_at, r, -1);
  int entering = 2 * RY, leaving = -1;  // rows of the ring; none leaves at first
  const int rows = min(ROWS, height - strip.top);
  for (int base = 0, turn = 0; base < rows; base += CHUNK, turn = 1 - turn) {
    // The next chunk's rows are on their way while this one is computed.
    const int here = min(CHUNK, rows - base), next_row = base + 2 * RY + CHUNK + warp;
    const bool more = base + CHUNK < rows;
    uint next[ROWS_OF_WARP][QUADS_OF_LANE];
    UNROLL for (int j = 0; j < ROWS_OF_WARP; ++j)
      if (more && warp + j * WARPS < CHUNK) load_quads(next[j], strip, mine, theirs, next_row + j * WARPS, lane);
#if COST == 1
    int next_squares[SQUARE_LOADS];
    UNROLL for (int j = 0; j < SQUARE_LOADS; ++j)
      next_squares[j] =
          load_square(strip, their_squares, squares_left, squares_width, base + CHUNK, thread + j * THREADS);
#endif
    for (int r = 0; r < here; ++r) {
      march(sums, ref_at, other_at, entering, leaving);
      entering = entering + 1 == RING ? 0 : entering + 1;
      leaving = leaving + 1 == RING ? 0 : leaving + 1;
#if !WHOLE_WINDOWS
      if (strip.left < 0 || strip.left + COLUMNS > width) clip(sums, own_column, width);
#endif
      Extra extra;
#if COST == 1
      load_squares(&extra, squares + (turn * CHUNK + r) * SQUARE_WORDS + CANDIDATES + lane * OWN - first - OF_WARP);
#else
      extra.unused = 0;
#endif
      const int place = turn * KEYS + KEY_PLACE(r, 0, lane);
      int best[OWN];
      // Two copies, of which the usual one asks no questions.
      if (exclude)
        find_best(sums, first, own_column - RX, true, edge, width, &extra, best);
      else
        find_best(sums, first, own_column - RX, false, false, width, &extra, best);
      UNROLL for (int c = 0; c < OWN; ++c) atomic_min(&best_keys[PLACE(c)], best[c]);
#if FULL
      GROUP_BARRIER();
      int ahead[OWN];  // the group's winner, counted from this warp's first candidate
      bool close_by = false;
      UNROLL for (int c = 0; c < OWN; ++c) {
        const int key = best_keys[PLACE(c)];
        ahead[c] = key == NO_KEY ? -9999 : candidate_of(key) - first;
        close_by = close_by || (ahead[c] >= -1 && ahead[c] <= OF_WARP);
      }
      if (any_lane(close_by)) {
        int rival[OWN], before[OWN], after[OWN];
        find_second_best(sums, first, own_column - RX, exclude, edge, width, &extra, ahead, rival, before, after);
        UNROLL for (int c = 0; c < OWN; ++c) {
          atomic_min(&second_best[PLACE(c)], rival[c]);
          if (ahead[c] >= 1 && ahead[c] <= OF_WARP) neighbours[2 * PLACE(c)] = before[c];
          if (ahead[c] >= -1 && ahead[c] < OF_WARP - 1) neighbours[2 * PLACE(c) + 1] = after[c];
        }
      } else {
        UNROLL for (int c = 0; c < OWN; ++c)
          atomic_min(&second_best[PLACE(c)], best[c] == NO_KEY ? NO_KEY : best[c] >> ORDER_BITS);
      }
#endif
    }
    UNROLL for (int j = 0; j < ROWS_OF_WARP; ++j)
      if (more && warp + j * WARPS < CHUNK)
        store_quads(ring + (next_row + j * WARPS) % RING * ROW_WORDS, next[j], lane);
#if COST == 1
    UNROLL for (int j = 0; j < SQUARE_LOADS; ++j) {
      const int i = thread + j * THREADS;
      if (i < CHUNK * SQUARE_WORDS) squares[(1 - turn) * CHUNK * SQUARE_WORDS + i] = next_squares[j];
    }
#endif
    GROUP_BARRIER();
    if (thread < PARTS * COLUMNS)
      for (int c = thread % COLUMNS; c < COLUMNS; c += THREADS) {
        const int x = strip.left + c - RX;
        const bool shown = c >= LEAD && c < LEAD + STEP && x < width;
        for (int r = thread / COLUMNS; r < here; r += PARTS) {
          const int at = turn * KEYS + KEY_PLACE(r, c % OWN, c / OWN), y = strip.top + base + r;
          const int key = best_keys[at];
          Found found;
          found.any = key != NO_KEY, found.k = candidate_of(key), found.columns = found.second_columns = 1;
          best_keys[at] = NO_KEY;
#if FULL
          const int rival = second_best[at];
          second_best[at] = NO_KEY;
          int common = 0;  // to all candidates of the pixel
          if (COST == 1 && shown) common = my_squares[(int64)y * width + x];
          found.cost = (uint)((key >> ORDER_BITS) + common);
          found.has_second = rival != NO_KEY, found.rival = (uint)(rival + common);
          found.before = neighbours[2 * at] + (uint)common, found.after = neighbours[2 * at + 1] + (uint)common;
          found.pair = is_candidate(found.k - 1, x, width) && is_candidate(found.k + 1, x, width);
#endif
          if (shown) emit(found, x, y, outputs);
        }
      }
  }
}
