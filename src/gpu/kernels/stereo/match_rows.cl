// SPDX-License-Identifier: Apache-2.0
// `match` where work-items are loops on a CPU (OpenCL alone: its vectors are used). A work-item takes a band of
// rows and slides its windows down it, strip of columns by strip. Each column keeps the sum of its window's rows for
// every candidate; a row's windows slide over the columns. 16 candidates share a vector, in the order of their
// partners' columns, so that one unaligned load gets the partners of them all.
//
//   WORD, WORDS  what taps compare: uchar, ushort, uint or ulong, and 16 of them
//   BAND         rows of a work-item, from 1 on
//   STRIP        columns that it slides down together, from 1 on
//   LONG_SUMS    vectors.h
//   WANT_WINNER  1: writes integer winners besides disparities
//   WINNER_ONLY  1: nothing but integer winners are asked for
//   BOTH_VIEWS   1: finds the other view's winners as well, from the same sums (row_views.h)
//   KEEPS_TAPS   1: costs of taps, which fit a byte, are kept until their row leaves the window
#include "gpu/shared/stereo/columns.h"
#include "stereo/settings.h"
#include "stereo/vectors.h"
#if !defined(WORD) || !defined(WORDS) || !defined(BAND) || !defined(STRIP)
#error "match_rows needs WORD, WORDS, BAND and STRIP"
#endif
#if !defined(BOTH_VIEWS) || !defined(KEEPS_TAPS)
#error "match_rows needs BOTH_VIEWS and KEEPS_TAPS"
#endif
#ifndef WINNER_ONLY
#define WINNER_ONLY 0
#endif
#ifndef WANT_WINNER
#define WANT_WINNER 0
#endif
#include "stereo/row_views.h"
#define SPAN ROWS_SPAN(STRIP, RX)

// Costs of one pixel against 16.
Sums taps(WORD mine, WORDS theirs) {
#if COST == COST_HAMMING
  return SUMS(popcount(theirs ^ (WORDS)mine));
#elif LONG_SUMS
  const Sums a = SUMS(theirs), b = ALL_SUMS(mine);
  const Sums difference = max(a, b) - min(a, b);
  return COST == COST_SAD ? difference : difference * difference;
#else
  const short16 difference = convert_short16(theirs) - (short16)mine;
  const ushort16 size = as_ushort16(max(difference, -difference));
  return COST == COST_SAD ? size : size * size;
#endif
}

// Columns first .. first + count - 1 of a row, outside it what the rule says; zeros where there is no row.
void copy_row(WORD* to, __global const WORD* restrict picture, int row, int top, int height, int first, int count,
              int width) {
  const int begin = clamp(-first, 0, count), end = clamp(width - first, begin, count);
  const bool there = row >= top && row < height;
  __global const WORD* const from = picture + (int64)(there ? row : 0) * width;
  const bool edges = there && OUTSIDE == OUTSIDE_CLAMP;
  for (int i = 0; i < begin; ++i) to[i] = edges ? from[0] : 0;
  for (int i = begin; i < end; ++i) to[i] = there ? from[first + i] : 0;
  for (int i = end; i < count; ++i) to[i] = edges ? from[width - 1] : 0;
}

// What a row's taps are compared with, for the columns of a strip.
typedef struct {
  WORD mine[SPAN], theirs[SPAN + PLACES];
} Row;
void read_row(Row* to, __global const WORD* restrict mine, __global const WORD* restrict theirs, int row, int top,
              int height, int left, int width) {
  copy_row(to->mine, mine, row, top, height, left - RX, SPAN, width);
  copy_row(to->theirs, theirs, row, top, height, FIRST_PARTNER(left - RX), SPAN + PLACES, width);
}

// One row of a strip: brings its columns from the window of the row above to that of this row. `kept`: what the row
// that leaves cost, whose place the row that comes takes; what is there before the first one leaves does not count.
void slide_down(__global Sums* restrict columns, __global uchar16* restrict kept, bool leaves, const Row* in,
                const Row* out, int left, int width) {
  const int from = max(0, RX - left), to = min(SPAN, width + RX - left);
  const Sums counts = ALL_SUMS(leaves ? NONE : 0);
  for (int c = from; c < to; ++c) {
    const int partner = FIRST_PARTNER(left - RX + c);
    const bool clipped = OUTSIDE == OUTSIDE_SKIP && (partner < 0 || partner + PLACES > width);
    UNROLL for (int k = 0; k < VECTORS; ++k) {
      const Sums now = taps(in->mine[c], vload16(k, in->theirs + c));
#if KEEPS_TAPS
      Sums change = now - (SUMS(kept[c * VECTORS + k]) & counts);
      kept[c * VECTORS + k] = convert_uchar16(now);
#else
      Sums change = now - taps(out->mine[c], vload16(k, out->theirs + c));
#endif
      if (clipped) change &= ~beyond(k, clamp(-partner, 0, PLACES), clamp(width - partner, 0, PLACES));
      columns[c * VECTORS + k] += change;
    }
  }
}

// Columns `left` .. end - 1 of row y, from the sums of the strip's columns.
void find_row(const __global Sums* restrict columns, Sums* restrict pixels, OthersOfRow others, const Targets* to,
              int left, int end, int y, int width, int height) {
  Sums sums[VECTORS];
  UNROLL for (int k = 0; k < VECTORS; ++k) sums[k] = ALL_SUMS(0);
  for (int c = 0; c < 2 * RX; ++c) {
    UNROLL for (int k = 0; k < VECTORS; ++k) sums[k] += columns[c * VECTORS + k];
  }
  Late late;
  for (int x = left; x < end; x += TOGETHER) {
    const int count = min(TOGETHER, end - x);
    for (int i = 0; i < count; ++i) {
      const int c = x - left + i;
      UNROLL for (int k = 0; k < VECTORS; ++k) {
        sums[k] += columns[(c + 2 * RX) * VECTORS + k];
        pixels[i * PITCH + k] = BOTH_VIEWS ? but_for_empty(sums[k], k) : sums[k];
        sums[k] -= columns[c * VECTORS + k];
      }
    }
    const bool together = !LONG_SUMS && count == TOGETHER && has_all(pixel_at(x, y, width, height)) &&
                          has_all(pixel_at(x + TOGETHER - 1, y, width, height));
    if (together) {
      write_together(to, x, y, width, height, pixels);
    } else {
      for (int i = 0; i < count; ++i) {
        const Pixel p = pixel_at(x + i, y, width, height);
        write_pixel(to, p, false, pixels + i * PITCH, search(p, pixels + i * PITCH));
      }
    }
    if (BOTH_VIEWS) compete(others, &late, pixel_at(x, y, width, height), count, pixels);
  }
  if (BOTH_VIEWS && left == 0) compete_late(others, &late, y, width, height);
}

__kernel WORK_GROUP(1, 1) void match_rows(__global const WORD* restrict mine, __global const WORD* restrict theirs,
                                          __global Sums* restrict scratch, __global uchar16* restrict kept,
                                          __global Sum* restrict bests, __global const uchar* restrict textureless,
                                          __global MAP* restrict disparity, __global int* restrict winner,
                                          __global int* restrict other_winner, __global uchar* restrict confidences,
                                          __global uint* restrict costs, const MatchArguments arguments) {
  const int width = arguments.width, height = arguments.height, band = (int)get_group_id(0);
  __global Sums* const columns = scratch + (int64)band * ROWS_SCRATCH(COUNT, STRIP, RX);
  kept += KEEPS_TAPS ? (int64)band * ROWS_KEPT(COUNT, STRIP, RX, RY) : 0;
  const Targets to = {textureless,     disparity,       winner,          confidences,    costs,
                      arguments.roi_x, arguments.roi_y, arguments.roi_w, arguments.roi_h};
  const int top = band * BAND, bottom = min(top + BAND, height), first_row = max(top - RY, 0);
  Row in, out;
  Sums pixels[BOTH_VIEWS + TOGETHER * PITCH];
  if (BOTH_VIEWS) {
    for (int i = 0; i < BOTH_VIEWS + TOGETHER * PITCH; ++i) pixels[i] = ALL_SUMS(NONE);
    bests += (int64)band * BAND * 2 * ROWS_BESTS(COUNT, width);
    for (int i = 0; i < BAND * 2 * ROWS_BESTS(COUNT, width); ++i) bests[i] = NONE;
  }
  for (int left = 0; left < width; left += STRIP) {
    for (int i = 0; i < SPAN * VECTORS; ++i) columns[i] = ALL_SUMS(0);
    for (int entering = first_row; entering < bottom + RY; ++entering) {
      const int leaving = entering - (2 * RY + 1), y = entering - RY;
      read_row(&in, mine, theirs, entering, 0, height, left, width);
      if (!KEEPS_TAPS) read_row(&out, mine, theirs, leaving, first_row, height, left, width);
      const int slot = KEEPS_TAPS ? entering % (2 * RY + 1) * SPAN * VECTORS : 0;
      slide_down(columns, kept + slot, leaving >= first_row, &in, &out, left, width);
      if (y < top) continue;
      find_row(columns, pixels + BOTH_VIEWS, others_of_row(bests, y - top, width), &to, left, min(left + STRIP, width),
               y, width, height);
    }
  }
  for (int y = top; BOTH_VIEWS && y < bottom; ++y)
    write_others(others_of_row(bests, y - top, width), width, other_winner + (int64)y * width);
}
