// SPDX-License-Identifier: Apache-2.0
// `match` by SAD of byte pixels where more than integer winners of one view is asked for, and by census, on NVIDIA's
// warps: see warp.h for how work-items share the work, and scan_warp.h for the search. Macros: settings.h, warp.h,
// rows.h, exchange.h and emit.h say which are needed.
#include "stereo/scan_warp.h"

// Keys of the other view's pixels in `rows` rows go to the plane of this strip; strips two apart share none.
static inline void store_right(LOCAL_POINTER int* right, __global int* restrict plane, int rows, int thread, int left,
                               int width) {
  for (int i = thread; i < RIGHT_KEYS - 1; i += THREADS) {
    const int p = left - (CANDIDATES - 1) + i - DMIN;
    const bool inside = p >= 0 && p < width;
    LOCAL_POINTER int* from = right + i;
    __global int* to = plane + p;
    for (int r = 0; r < rows; ++r) {
      if (inside) *to = *from;
      *from = NO_KEY;
      from += RIGHT_KEYS, to += width;
    }
  }
}

// What a group's work-items need of each other and of masks before the first row.
static inline void fill_local_memory(LOCAL_POINTER uint* black_row, Shared shared, LOCAL_POINTER uint* masks,
                                     LOCAL_POINTER uint* firsts, LOCAL_POINTER int* multiples, int thread) {
  for (int i = thread; i < ROW_WORDS; i += THREADS) black_row[i] = 0;
  for (int i = thread; i < WARP_MASK_WORDS(OWN); i += THREADS) {
    const int place = i / PAIRS, k = i % PAIRS;
    const bool high = (uint)(place - 2 * k) <= 2u, low = (uint)(place - 2 * k - 1) <= 2u;
    masks[i] = place == FAR ? 0 : (high ? 0xFFFF0000u : 0) | (low ? 0x0000FFFFu : 0);
  }
  for (int i = thread; i < WARP_FIRST_WORDS(OWN); i += THREADS)
    firsts[i] = (i / PAIRS > 2 * (i % PAIRS) ? 0xFFFF0000u : 0) | (i / PAIRS > 2 * (i % PAIRS) + 1 ? 0x0000FFFFu : 0);
  if (thread >= 1 && thread < WARP_MULTIPLE_WORDS(RX)) multiples[thread] = COMMON_TAPS / thread;
#if BOTH_VIEWS
  for (int i = thread; i < WARP_RIGHT_WORDS(1, OWN, WARPS, COLUMNS, CHUNK); i += THREADS) shared.right[i] = NO_KEY;
#endif
}

// A warp's pixels: its first one, and which of its columns the sums begin at in a row of the ring.
typedef struct {
  int x, number, warp;  // number: of the first column in the strip
  int my_columns, their_columns;
  bool edge;  // some tap or candidate of the warp's pixels is missing
} Place;

static inline Place place_of_warp(Strip strip, int warp, int lane) {
  Place at;
  at.warp = warp, at.number = warp * COLUMNS, at.x = strip.left + at.number;
  at.my_columns = my_place(at.number), at.their_columns = their_place(at.number, lane);
  const int last = at.x + COLUMNS - 1;
  const bool at_sides = at.x - RX < 0 || last + RX >= strip.width;
  const bool partners_miss =
      OUTSIDE == OUTSIDE_SKIP && (at.x - DMIN - (COUNT - 1) < RX || last - DMIN >= strip.width - RX);
  at.edge = at_sides || partners_miss;
  return at;
}

// Brings the sums to the row that enters, which begins at word `in` of the ring while the one at `out` leaves.
static inline void take_row(uint (*sums)[PAIRS], const Lane* l, Place at, bool edge, LOCAL_POINTER const uint* ring,
                            int in, int out, int width, LOCAL_POINTER const uint* firsts) {
  LOCAL_POINTER const uint* mine = ring + at.my_columns;
  LOCAL_POINTER const uint* theirs = ring + at.their_columns;
  slide_down(sums, mine + in, mine + out, theirs + in, theirs + out, edge, at.x - RX, l->first, width, firsts);
}

// Writes the pixels of the `rows` rows up to y that the warp has noted.
static inline void finish_rows(Shared shared, const Lane* l, Place at, Strip strip, int y, int rows, Outputs outputs) {
  WARP_BARRIER();
  if (l->lane < rows * COLUMNS) {
    const int c = l->lane % COLUMNS, row = l->lane / COLUMNS, x = at.x + c;
    shared.minima += row * MINIMA + 2 * c, shared.around += l->lane * 2 * PAIRS;
    const Found found = found_in(shared, at.edge, x, outputs.width);
    if (x < strip.end) emit(found, candidates_of(x, outputs.width), x, y - (rows - 1) + row, outputs);
  }
  WARP_BARRIER();
}

// Slides the windows down the strip's rows. `shared` holds the group's keys, and this warp's notes.
static inline void match_rows(LOCAL_POINTER uint* ring, Shared shared, const Lane* l, Place at, Strip strip,
                              __global const WORD* restrict mine, __global const WORD* restrict theirs, Outputs outputs,
                              __global int* restrict right_planes, __global uint* restrict last_costs) {
  // Step i takes in row i of the ring's numbering, in which row 0 is strip.top - RY.
  const int steps = 2 * RY + strip.rows, width = strip.width;
  const int thread = (int)get_local_id(0);
  uint sums[SPAN][PAIRS];
  UNROLL for (int c = 0; c < SPAN; ++c)
    UNROLL for (int k = 0; k < PAIRS; ++k) sums[c][k] = 0;
  int entering = 0, noted = 0;
  for (int base = 0, turn = 0; base < steps; base += CHUNK, turn = 1 - turn) {
    // The next chunk's rows: other warps have work while one waits for them.
    const int here = min(CHUNK, steps - base);
    NO_UNROLL for (int row = base + CHUNK + at.warp; row < min(base + 2 * CHUNK, steps); row += WARPS)
      copy_row(ring + row % RING * ROW_WORDS, strip, mine, theirs, row, l->lane);
    for (int r = 0; r < here && at.x < strip.end; ++r) {
      const int y = strip.top + base + r - 2 * RY;
      int leaving = entering - (2 * RY + 1);
      leaving = base + r < 2 * RY + 1 ? RING : leaving < 0 ? leaving + RING : leaving;
      const int in = entering * ROW_WORDS, out = leaving * ROW_WORDS;
      entering = entering + 1 == RING ? 0 : entering + 1;
      Shared row = shared;
      row.minima += noted * MINIMA, row.around += noted * AROUND;
#if BOTH_VIEWS
      row.right += (turn * CHUNK + r) * RIGHT_KEYS;
#endif
      // Two copies; the usual one has no checks for the edges.
      if (at.edge) {
        take_row(sums, l, at, !WHOLE_WINDOWS, ring, in, out, width, shared.firsts);
        if (y < strip.top) continue;
        scan_row(sums, l, true, at.x, at.number, width, row, last_costs + (int64)y * WARP_LAST_WORDS(OWN, RX));
      } else {
        take_row(sums, l, at, false, ring, in, out, width, shared.firsts);
        if (y < strip.top) continue;
        scan_row(sums, l, false, at.x, at.number, width, row, last_costs);
      }
      ++noted;
      if (noted < NOTED_ROWS && base + r + 1 < steps) continue;
      finish_rows(shared, l, at, strip, y, noted, outputs);
      noted = 0;
    }
    GROUP_BARRIER();
#if BOTH_VIEWS
    const int skipped = max(2 * RY - base, 0);  // rows that only started windows
    if (skipped < here)
      store_right(shared.right + (turn * CHUNK + skipped) * RIGHT_KEYS,
                  right_planes + (int64)(strip.top + base + skipped - 2 * RY) * width, here - skipped, thread,
                  strip.left, width);
#endif
  }
}

__kernel WORK_GROUP(THREADS, 1) void match_warp(__global const WORD* restrict mine,
                                                __global const WORD* restrict theirs,
                                                __global const uchar* restrict textureless,
                                                __global MAP* restrict disparity, __global int* restrict winner,
                                                __global uchar* restrict confidences, __global uint* restrict costs,
                                                __global int* restrict right_planes, __global uint* restrict last_costs,
                                                const MatchWarpArguments arguments) {
  __local uint ALIGN_16 ring[WARP_RING_WORDS(WORDS, OWN, WARPS, COLUMNS, CHUNK, RX, RY)];
  __local uint ALIGN_16 masks[WARP_MASK_WORDS(OWN)];
  __local uint ALIGN_16 around[WARP_AROUND_WORDS(OWN, WARPS, COLUMNS)];
  __local uint ALIGN_16 minima[WARP_MINIMA_WORDS(WARPS, COLUMNS)];
  __local uint ALIGN_16 firsts[WARP_FIRST_WORDS(OWN)];
  __local int multiples[WARP_MULTIPLE_WORDS(RX)];
  __local int right[WARP_RIGHT_WORDS(BOTH_VIEWS, OWN, WARPS, COLUMNS, CHUNK)];
  __local int passed[WARP_PASSED_WORDS(BOTH_VIEWS, WARPS, COLUMNS)];
  const int thread = (int)get_local_id(0), warp = warp_of(thread);
  const Lane l = lane_of(thread & 31);
  const int number = number_of_strip(arguments);
  const Strip strip = strip_of(arguments, number);
  const Place at = place_of_warp(strip, warp, l.lane);
  const Outputs outputs = outputs_of(disparity, winner, textureless, confidences, costs, arguments.match);
  const Shared shared = {right,
                         passed + (BOTH_VIEWS ? warp * COLUMNS : 0),
                         minima + warp * NOTED_ROWS * MINIMA,
                         around + warp * NOTED_ROWS * AROUND,
                         masks,
                         firsts,
                         multiples};
  fill_local_memory(ring + RING * ROW_WORDS, shared, masks, firsts, multiples, thread);
  const int steps = 2 * RY + strip.rows;
  NO_UNROLL for (int row = warp; row < min(CHUNK, steps); row += WARPS)
    copy_row(ring + row * ROW_WORDS, strip, mine, theirs, row, l.lane);
  GROUP_BARRIER();
  match_rows(ring, shared, &l, at, strip, mine, theirs, outputs,
             right_planes + (int64)(number & 1) * strip.height * strip.width, last_costs);
}
