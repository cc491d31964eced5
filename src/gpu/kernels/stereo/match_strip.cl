// SPDX-License-Identifier: Apache-2.0
// `match` by SAD or SSD of byte pixels on NVIDIA's warps: see strip.h for how work-items share the work, sums_*.h for
// the costs, and scan_*.h for the search. Macros: settings.h, strip.h, rows.h, emit.h and sums_sad.h say which are
// needed.
#include "stereo/strip.h"
#if COST == COST_SAD
#include "stereo/sums_sad.h"
#else
#include "stereo/sums_ssd.h"
#endif
#if COST == COST_SAD && SHORT_KEYS
#include "stereo/scan_short.h"
#else
#include "stereo/scan_long.h"
#endif

#define KEY_OF_COLUMN(c) (place + STRIP_KEY_STRIDE * (c))
#define SQUARES_OF_ROW STRIP_SQUARES_OF_ROW(OWN, CANDIDATES)
#define SQUARE_LOADS ((CHUNK * SQUARES_OF_ROW + THREADS - 1) / THREADS)
#define FIRST_ROWS ((2 * RY + CHUNK + WARPS - 1) / WARPS)   // that a warp loads for the first chunk
#define ROWS_AT_ONCE (FIRST_ROWS < 6 ? FIRST_ROWS : 6)      // of these, that it waits for together
#define PARTS (THREADS >= COLUMNS ? THREADS / COLUMNS : 1)  // work-items that share a column where pixels are looked at
#define NO_WINNER_AHEAD (-9999)                             // further from every candidate than any winner

// Local memory of a group; strip.h of gpu/shared says how it is laid out.
typedef struct {
  LOCAL_POINTER uint* ring;
  LOCAL_POINTER int* best;
  LOCAL_POINTER int* squares;
  LOCAL_POINTER int* second;
  LOCAL_POINTER uint* neighbours;  // cost before, cost after
  uint scale;                      // of short keys
} Shared;

// What a work-item is in its group and strip.
typedef struct {
  int lane, warp, thread;
  int first;      // the warp's first candidate
  int own_x;      // the pixel whose window ends at the first own column
  bool edge;      // candidates may lie outside the other picture
  bool is_exact;  // neither that, nor are there candidates beyond COUNT
} Place;

// The pictures and maps that pass through a strip.
typedef struct {
  __global const uchar* mine;
  __global const uchar* theirs;
  __global const int* their_squares;
  int squares_left, squares_width;
} Inputs;

// What a work-item has loaded for the next chunk while the group computes this one.
typedef struct {
  uint quads[ROWS_OF_WARP][QUADS_OF_LANE];
#if COST == COST_SSD
  int squares[SQUARE_LOADS];
#endif
} Ahead;

#if COST == COST_SSD
// Word i of the rows of squares that start at row `first`.
static inline int load_square(Strip s, Inputs in, int first, int i) {
  const int y = s.top + first + i / SQUARES_OF_ROW, p = s.other_left + i % SQUARES_OF_ROW - RX - in.squares_left;
  const bool inside = y < s.height && p >= 0 && p < in.squares_width;
  return inside ? in.their_squares[(int64)y * in.squares_width + p] * SCALE : 0;
}
#endif

static inline void store_quads(LOCAL_POINTER uint* row, const uint* quads, int lane) {
  UNROLL for (int j = 0; j < QUADS_OF_LANE; ++j)
    if (lane + 32 * j < QUADS) store_quad(row, lane + 32 * j, quads[j]);
}

static inline void clear_keys(Shared shared, int thread) {
  for (int i = thread; i < CHUNKS * KEYS; i += THREADS) {
    shared.best[i] = NO_KEY;
#if FULL
    shared.second[i] = NO_KEY;
#endif
  }
}

// The rows that the first chunk's windows need.
static inline void load_first_chunk(Shared shared, Strip strip, Inputs in, Place at) {
  if (are_words(strip, in.mine, in.theirs)) {
    const LaneWords words = words_of(strip, at.lane);
    const int last = 2 * RY + CHUNK - 1;  // which warps without another row load once more
    NO_UNROLL for (int first = at.warp; first <= last; first += ROWS_AT_ONCE * WARPS) {
      uint quads[ROWS_AT_ONCE][QUADS_OF_LANE];
      UNROLL for (int i = 0; i < ROWS_AT_ONCE; ++i)
        load_words_of(quads[i], strip, &words, in.mine, in.theirs, min(first + i * WARPS, last), at.lane);
      UNROLL for (int i = 0; i < ROWS_AT_ONCE; ++i)
        store_quads(shared.ring + min(first + i * WARPS, last) * ROW_WORDS, quads[i], at.lane);
    }
  } else {
    UNROLL_2 for (int row = at.warp; row < 2 * RY + CHUNK; row += WARPS) {
      uint quads[QUADS_OF_LANE];
      load_quads(quads, strip, in.mine, in.theirs, row, at.lane);
      store_quads(shared.ring + row * ROW_WORDS, quads, at.lane);
    }
  }
#if COST == COST_SSD
  UNROLL_4 for (int i = at.thread; i < CHUNK * SQUARES_OF_ROW; i += THREADS)
    shared.squares[i] = load_square(strip, in, 0, i);
#endif
}

// The chunk whose first row of output is `first`, counted in the strip; nothing where there are no rows any more.
static inline void load_ahead(Ahead* ahead, Strip strip, Inputs in, Place at, int first, bool any) {
  UNROLL for (int j = 0; j < ROWS_OF_WARP; ++j)
    if (any && at.warp + j * WARPS < CHUNK)
      load_quads(ahead->quads[j], strip, in.mine, in.theirs, first + 2 * RY + at.warp + j * WARPS, at.lane);
#if COST == COST_SSD
  UNROLL for (int j = 0; j < SQUARE_LOADS; ++j)
    ahead->squares[j] = load_square(strip, in, first, at.thread + j * THREADS);
#endif
}
static inline void store_ahead(Shared shared, const Ahead* ahead, Place at, int first, bool any, int turn) {
  UNROLL for (int j = 0; j < ROWS_OF_WARP; ++j)
    if (any && at.warp + j * WARPS < CHUNK)
      store_quads(shared.ring + (first + 2 * RY + at.warp + j * WARPS) % RING * ROW_WORDS, ahead->quads[j], at.lane);
#if COST == COST_SSD
  UNROLL for (int j = 0; j < SQUARE_LOADS; ++j) {
    const int i = at.thread + j * THREADS;
    if (i < CHUNK * SQUARES_OF_ROW) shared.squares[turn * CHUNK * SQUARES_OF_ROW + i] = ahead->squares[j];
  }
#endif
}

// Brings columns' sums to the windows of the next row.
static inline void slide_down(SUM (*sums)[SUMS], LOCAL_POINTER const uint* ref, LOCAL_POINTER const uint* other,
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

#if !WHOLE_WINDOWS && !INNER
// Columns outside the picture cost nothing.
static inline void clip(SUM (*sums)[SUMS], int left, int width) {
  UNROLL for (int c = 0; c < OWN; ++c)
    UNROLL for (int k = 0; k < SUMS; ++k) sums[c][k] = left + c >= 0 && left + c < width ? sums[c][k] : 0;
}
#endif

#if FULL
// The best candidate that is no neighbour of the group's winner, and the winner's neighbours, of the pixels of one row.
// `best` are the warp's keys. The warps that have neither the winner nor a neighbour of it know their second best
// already.
static inline void look_around_winners(SUM (*sums)[SUMS], Place at, int width, const Extra* extra, Shared shared,
                                       int place, const int* best) {
  int ahead[OWN];  // the group's winner, counted from this warp's first candidate
  bool close_by = false;
  UNROLL for (int c = 0; c < OWN; ++c) {
    const int key = shared.best[KEY_OF_COLUMN(c)];
    ahead[c] = key == NO_KEY ? NO_WINNER_AHEAD : candidate_of(key) - at.first;
    close_by = close_by || (ahead[c] >= -1 && ahead[c] <= OF_WARP);
  }
  if (any_lane(close_by)) {
    int second[OWN], before[OWN], after[OWN];
    find_second_best(sums, at.first, at.own_x, !at.is_exact, at.edge, width, extra, ahead, second, before, after);
    UNROLL for (int c = 0; c < OWN; ++c) {
      atomic_min(&shared.second[KEY_OF_COLUMN(c)], second[c]);
      if (ahead[c] >= 1 && ahead[c] <= OF_WARP) shared.neighbours[2 * KEY_OF_COLUMN(c)] = before[c];
      if (ahead[c] >= -1 && ahead[c] < OF_WARP - 1) shared.neighbours[2 * KEY_OF_COLUMN(c) + 1] = after[c];
    }
  } else {
    UNROLL for (int c = 0; c < OWN; ++c)
      atomic_min(&shared.second[KEY_OF_COLUMN(c)], best[c] == NO_KEY ? NO_KEY : best[c] >> ORDER_BITS);
  }
}
#endif

// Searches row `row` of a chunk; turn: which of the two chunks that local memory has keys of.
static inline void search_row(SUM (*sums)[SUMS], Place at, int width, Shared shared, int turn, int row) {
  const int place = turn * KEYS + KEY_PLACE(row, 0, at.lane);
  Extra extra;
#if COST == COST_SSD
  load_squares(
      &extra, shared.squares + (turn * CHUNK + row) * SQUARES_OF_ROW + CANDIDATES + at.lane * OWN - at.first - OF_WARP);
#else
  extra.scale = shared.scale;
#endif
  int best[OWN];
  // Two copies; the usual one has no checks for the edges.
  if (!at.is_exact)
    find_best(sums, at.first, at.own_x, true, at.edge, width, &extra, best);
  else
    find_best(sums, at.first, at.own_x, false, false, width, &extra, best);
  UNROLL for (int c = 0; c < OWN; ++c) atomic_min(&shared.best[KEY_OF_COLUMN(c)], best[c]);
#if FULL
  GROUP_BARRIER();
  look_around_winners(sums, at, width, &extra, shared, place, best);
#endif
}

// What the group found out about the pixel whose keys lie at `key_at`, which are cleared for a later chunk.
static inline Found take_found(Shared shared, int key_at, __global const int* restrict my_squares, int64 pixel, int x,
                               int width) {
  const int key = shared.best[key_at];
  Found found;
  found.any = key != NO_KEY, found.k = candidate_of(key), found.columns = found.second_columns = 1;
  shared.best[key_at] = NO_KEY;
#if FULL
  const int second = shared.second[key_at];
  shared.second[key_at] = NO_KEY;
  int common = 0;  // to all candidates of the pixel
  if (COST == COST_SSD) common = my_squares[pixel];
  found.cost = (uint)((key >> ORDER_BITS) + common);
  found.has_second = second != NO_KEY, found.second = (uint)(second + common);
  found.tied = found.has_second && found.second == found.cost;
  found.before = shared.neighbours[2 * key_at] + (uint)common;
  found.after = shared.neighbours[2 * key_at + 1] + (uint)common;
  found.pair = is_candidate(found.k - 1, x, width) && is_candidate(found.k + 1, x, width);
#endif
  return found;
}

// Writes the `rows` rows from `top` on, whose keys are the group's from `keys_at` on.
static inline void finish_chunk(Shared shared, int keys_at, __global const int* restrict my_squares, Outputs outputs,
                                Strip strip, int top, int rows, int thread) {
  if (thread >= PARTS * COLUMNS) return;
  for (int c = thread % COLUMNS; c < COLUMNS; c += THREADS) {
    const int x = strip.left + c - RX;
    if (c < LEAD || c >= LEAD + STEP || x >= strip.end) continue;  // nobody looks at its keys
    for (int r = thread / COLUMNS; r < rows; r += PARTS) {
      const int y = top + r;
      const Found found = take_found(shared, keys_at + KEY_PLACE(r, c % OWN, c / OWN), my_squares,
                                     (int64)y * outputs.width + x, x, outputs.width);
      emit(found, candidates_of(x, outputs.width), x, y, outputs);
    }
  }
}

// Slides the windows down the strip's rows.
static inline void match_rows(Shared shared, Strip strip, Inputs in, Place at, Outputs outputs,
                              __global const int* restrict my_squares) {
  LOCAL_POINTER const uint* ref_at = shared.ring + ref_place(at.lane);
  LOCAL_POINTER const uint* other_at = shared.ring + other_place(at.lane, at.first);
  SUM sums[OWN][SUMS];
  UNROLL for (int c = 0; c < OWN; ++c)
    UNROLL for (int k = 0; k < SUMS; ++k) sums[c][k] = 0;
  for (int r = 0; r < 2 * RY; ++r) slide_down(sums, ref_at, other_at, r, -1);
  int entering = 2 * RY, leaving = -1;  // rows of the ring; none leaves at first
  const int rows = min(ROWS, strip.height - strip.top);
  for (int base = 0, turn = 0; base < rows; base += CHUNK, turn = 1 - turn) {
    const int here = min(CHUNK, rows - base);
#if CHUNKS > 1
    const bool more = base + CHUNK < rows;
    Ahead ahead;
    load_ahead(&ahead, strip, in, at, base + CHUNK, more);
#endif
    for (int r = 0; r < here; ++r) {
      slide_down(sums, ref_at, other_at, entering, leaving);
      entering = entering + 1 == RING ? 0 : entering + 1;
      leaving = leaving + 1 == RING ? 0 : leaving + 1;
#if !WHOLE_WINDOWS && !INNER
      if (strip.left < 0 || strip.left + COLUMNS > strip.width) clip(sums, at.own_x + RX, strip.width);
#endif
      search_row(sums, at, strip.width, shared, turn, r);
    }
#if CHUNKS > 1
    store_ahead(shared, &ahead, at, base + CHUNK, more, 1 - turn);
#endif
    GROUP_BARRIER();
    finish_chunk(shared, turn * KEYS, my_squares, outputs, strip, strip.top + base, here, at.thread);
  }
}

__kernel WORK_GROUP(THREADS, 1) void match_strip(
    __global const uchar* restrict mine, __global const uchar* restrict theirs, __global const int* restrict my_squares,
    __global const int* restrict their_squares, __global const uchar* restrict textureless,
    __global MAP* restrict disparity, __global int* restrict winner, __global uchar* restrict confidences,
    __global uint* restrict costs, const MatchStripArguments arguments) {
  __local uint ALIGN_16 ring[STRIP_RING_WORDS(COST, RY, OWN, CANDIDATES, CHUNKS, CHUNK)];
  __local int best[STRIP_BEST_WORDS(CHUNKS, CHUNK, OWN)];
  Shared shared = {ring, best, 0, 0, 0, (uint)arguments.scale};
#if COST == COST_SSD
  __local int ALIGN_16 squares[STRIP_SQUARE_WORDS(OWN, CANDIDATES, CHUNKS, CHUNK)];
  shared.squares = squares;
#endif
#if FULL
  __local int second[STRIP_SECOND_WORDS(CHUNKS, CHUNK, OWN)];
  __local uint neighbours[STRIP_NEIGHBOUR_WORDS(CHUNKS, CHUNK, OWN)];
  shared.second = second, shared.neighbours = neighbours;
#endif
  const Strip strip = strip_of(arguments.match);
  const int thread = (int)get_local_id(0), lane = thread & 31, warp = warp_of(thread);
  const bool edge = at_edge(strip);
  const Place at = {
      lane, warp, thread, warp * OF_WARP, strip.left + lane * OWN - RX, edge, !edge && COUNT == CANDIDATES};
  const Inputs inputs = {mine, theirs, their_squares, arguments.squares_left, arguments.squares_width};
  const Outputs outputs = outputs_of(disparity, winner, textureless, confidences, costs, arguments.match);
  clear_keys(shared, thread);
  load_first_chunk(shared, strip, inputs, at);
  GROUP_BARRIER();
  match_rows(shared, strip, inputs, at, outputs, my_squares);
}
