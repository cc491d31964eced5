// SPDX-License-Identifier: Apache-2.0
// `match` by SAD of byte pixels where more than integer winners of one view is asked for, on NVIDIA's warps: see warp.h
// for how the work is cut, and scan_warp.h for the search.
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

__kernel WORK_GROUP(THREADS, 1) void match_warp(__global const uchar* restrict mine,
                                                __global const uchar* restrict theirs,
                                                __global const uchar* restrict textureless,
                                                __global MAP* restrict disparity, __global int* restrict winner,
                                                __global uchar* restrict confidences, __global uint* restrict costs,
                                                __global int* restrict right_planes, __global uint* restrict last_costs,
                                                int width, int height, int roi_x, int roi_y, int roi_w, int roi_h) {
  __local uint ALIGN_16 ring[(RING + 1) * ROW_WORDS + 4];
  __local uint ALIGN_16 masks[(FAR + 1) * PAIRS];
  __local uint ALIGN_16 around[WARPS * NOTED_ROWS * AROUND];
  __local uint ALIGN_16 minima[WARPS * NOTED_ROWS * MINIMA];
  __local uint ALIGN_16 firsts[(OWN + 1) * PAIRS];
  __local int multiples[2 * RX + 2];
#if BOTH_VIEWS
  __local int right[2 * CHUNK * RIGHT_KEYS];
  __local int passed[STEP];
#else
  __local int right[1], passed[1];
#endif
  const int thread = (int)get_local_id(0), warp = thread >> 5;
  const Lane l = lane_of(thread & 31);
  // Groups at the sides have more to do and come first.
  const int number = (int)get_group_id(1);
  const Strip strip = {number * STEP, (int)get_group_id(0) * ROWS, width, height};
  const Outputs outputs = {disparity, winner, textureless, confidences, costs, width,
                           height,    roi_x,  roi_y,       roi_w,       roi_h};
  const int x = strip.left + warp * COLUMNS, last = x + COLUMNS - 1;
  // Whether some tap or candidate of the warp's pixels is missing.
  const bool at_sides = x - RX < 0 || last + RX >= width;
  const bool partners_miss = OUTSIDE == 0 && (x - DMIN - (CANDIDATES - 1) < RX || last - DMIN >= width - RX);
  const bool edge = at_sides || partners_miss;
  LOCAL_POINTER const uint* my_columns = ring + warp * COLUMNS;
  LOCAL_POINTER const uint* their_columns =
      ring + 4 * MY_QUADS + (CANDIDATES + warp * COLUMNS) / 2 - PAIRS * (l.lane + 1);
  LOCAL_POINTER uint* my_around = around + warp * NOTED_ROWS * AROUND;
  LOCAL_POINTER uint* my_minima = minima + warp * NOTED_ROWS * MINIMA;

  // Step i takes in row i of the ring's numbering, in which row 0 is strip.top - RY.
  const int steps = 2 * RY + min(ROWS, height - strip.top);

  for (int i = thread; i < ROW_WORDS; i += THREADS) ring[RING * ROW_WORDS + i] = 0;
  for (int i = thread; i < (FAR + 1) * PAIRS; i += THREADS) {
    const int place = i / PAIRS, k = i % PAIRS;
    const bool high = (uint)(place - 2 * k) <= 2u, low = (uint)(place - 2 * k - 1) <= 2u;
    masks[i] = place == FAR ? 0 : (high ? 0xFFFF0000u : 0) | (low ? 0x0000FFFFu : 0);
  }
  for (int i = thread; i < (OWN + 1) * PAIRS; i += THREADS)
    firsts[i] = (i / PAIRS > 2 * (i % PAIRS) ? 0xFFFF0000u : 0) | (i / PAIRS > 2 * (i % PAIRS) + 1 ? 0x0000FFFFu : 0);
  if (thread >= 1 && thread < 2 * RX + 2) multiples[thread] = COMMON_TAPS / thread;
#if BOTH_VIEWS
  for (int i = thread; i < 2 * CHUNK * RIGHT_KEYS; i += THREADS) right[i] = NO_KEY;
#endif
  NO_UNROLL for (int row = warp; row < min(CHUNK, steps); row += WARPS)
    copy_row(ring + row * ROW_WORDS, strip, mine, theirs, row, l.lane);
  GROUP_BARRIER();

  uint sums[SPAN][PAIRS];
  UNROLL for (int c = 0; c < SPAN; ++c)
    UNROLL for (int k = 0; k < PAIRS; ++k) sums[c][k] = 0;
  int entering = 0, noted = 0;
  for (int base = 0, turn = 0; base < steps; base += CHUNK, turn = 1 - turn) {
    // The next chunk's rows: other warps have work while one waits for them.
    const int here = min(CHUNK, steps - base);
    NO_UNROLL for (int row = base + CHUNK + warp; row < min(base + 2 * CHUNK, steps); row += WARPS)
      copy_row(ring + row % RING * ROW_WORDS, strip, mine, theirs, row, l.lane);
    for (int r = 0; r < here && x < width; ++r) {
      const int y = strip.top + base + r - 2 * RY;
      int leaving = entering - (2 * RY + 1);
      leaving = base + r < 2 * RY + 1 ? RING : leaving < 0 ? leaving + RING : leaving;
      const int in = entering * ROW_WORDS, out = leaving * ROW_WORDS;
      entering = entering + 1 == RING ? 0 : entering + 1;
      Shared shared = {right, passed, my_minima + noted * MINIMA, my_around + noted * AROUND, masks, firsts, multiples};
#if BOTH_VIEWS
      shared.right += (turn * CHUNK + r) * RIGHT_KEYS;
      shared.passed += warp * COLUMNS;
#endif
      // Two copies, of which the usual one asks no questions.
      if (edge) {
        march(sums, my_columns + in, my_columns + out, their_columns + in, their_columns + out, !WHOLE_WINDOWS, x - RX,
              l.first, width, firsts);
        if (y < strip.top) continue;
        scan_row(sums, &l, true, x, warp * COLUMNS, width, shared, last_costs + (int64)y * (RX * 32 * PAIRS));
      } else {
        march(sums, my_columns + in, my_columns + out, their_columns + in, their_columns + out, false, x - RX, l.first,
              width, firsts);
        if (y < strip.top) continue;
        scan_row(sums, &l, false, x, warp * COLUMNS, width, shared, last_costs);
      }
      ++noted;
      if (noted < NOTED_ROWS && base + r + 1 < steps) continue;
      WARP_BARRIER();
      if (l.lane < noted * COLUMNS) {
        const int c = l.lane % COLUMNS, row = l.lane / COLUMNS;
        const Found found =
            found_in(my_minima + row * MINIMA + 2 * c, my_around + l.lane * OWN, edge, x + c, width, multiples);
        if (x + c < width) emit(found, x + c, y - (noted - 1) + row, outputs);
      }
      noted = 0;
      WARP_BARRIER();
    }
    GROUP_BARRIER();
#if BOTH_VIEWS
    const int skipped = max(2 * RY - base, 0);  // rows that only started windows
    if (skipped < here)
      store_right(right + (turn * CHUNK + skipped) * RIGHT_KEYS,
                  right_planes + ((int64)(number & 1) * height + strip.top + base + skipped - 2 * RY) * width,
                  here - skipped, thread, strip.left, width);
#endif
  }
}
