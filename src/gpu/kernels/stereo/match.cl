// SPDX-License-Identifier: Apache-2.0
// `match` for every cost, window and rule: a group of work-items takes a strip of columns and marches down its rows.
// Each column of the strip keeps the sum of its window's rows for every candidate; a pixel adds up the columns of its
// window and sees the candidates in ascending order. SPLIT times GROUP work-items share the candidates of the strip's
// columns. Where there is room, sums of pixels are kept in local memory, and the first GROUP work-items see them while
// the others go on to the next row.
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/tap_cost.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#if !defined(WORD) || !defined(COLUMN) || !defined(SUM) || !defined(COST) || !defined(RX) || !defined(RY) || \
    !defined(COUNT)
#error "match needs WORD, COLUMN, SUM, COST (0 SAD, 1 SSD, 2 Hamming), RX, RY and COUNT"
#endif
#if !defined(DMIN) || !defined(MATCHES_LEFT) || !defined(WHOLE_WINDOWS) || !defined(OUTSIDE) || !defined(TIE_HIGHEST)
#error "match needs DMIN, MATCHES_LEFT, WHOLE_WINDOWS, OUTSIDE (0 skip, 1 zero, 2 clamp) and TIE_HIGHEST"
#endif
#if !defined(GROUP) || !defined(TILE) || !defined(SPLIT) || !defined(KEEPS_SUMS) || !defined(ROWS) || \
    !defined(LOCAL_COLUMNS)
#error "match needs GROUP, TILE (<= GROUP), SPLIT, KEEPS_SUMS, ROWS and LOCAL_COLUMNS"
#endif
#if !defined(MAP) || !defined(INVALID) || !defined(NO_WINNER) || !defined(RATIO) || !defined(TEXTURE) || \
    !defined(SUBPIXEL)
#error "match needs MAP, INVALID, NO_WINNER, RATIO, TEXTURE and SUBPIXEL"
#endif
#if !defined(PACK) || !defined(PIXEL_SUM) || !defined(PRODUCT)
#error \
    "match needs PACK (2: costs fit 16 bits, and two share a COLUMN), PIXEL_SUM (holds PACK costs) and PRODUCT (a cost times columns)"
#endif
#if !defined(CONFIDENCE) || !defined(COSTS) || !defined(WINNER_ONLY)
#error "match needs CONFIDENCE, COSTS and WINNER_ONLY"
#endif

#define SPAN (TILE + 2 * RX)
#define UNITS (COUNT / PACK)  // of candidates, which share an integer
#define TAPS_DIFFER (OUTSIDE == 0 && !WHOLE_WINDOWS)
#define NONE ((SUM)-1)
#if LOCAL_COLUMNS
#define COLUMN_SPACE LOCAL_POINTER
#define COLUMN_BARRIER() GROUP_BARRIER()
#else
#define COLUMN_SPACE __global
#define COLUMN_BARRIER() GLOBAL_BARRIER()
#endif

SUM tap(WORD a, WORD b) {
#if COST == 0
  return (SUM)(a > b ? a - b : b - a);
#elif COST == 1
  const SUM difference = (SUM)(a > b ? a - b : b - a);
  return difference * difference;
#else
  return (SUM)popcount(a ^ b);
#endif
}

// A cost and the tap columns it sums; NONE where there is no candidate.
typedef struct {
  SUM cost;
  int columns;
  int d;
} Best;

// Does `b`, which comes later in ascending order, take the place of `a`?
bool replaces(Best a, SUM cost, int columns) {
  if (a.cost == NONE) return true;
#if TAPS_DIFFER
  const PRODUCT theirs = (PRODUCT)a.cost * (PRODUCT)columns, mine = (PRODUCT)cost * (PRODUCT)a.columns;
#else
  const SUM theirs = a.cost, mine = cost;
#endif
  return TIE_HIGHEST ? mine <= theirs : mine < theirs;
}

// Tap columns of pixel x when its partner is column p.
int tap_columns(int x, int p, int width) {
#if TAPS_DIFFER
  return min(min(RX, x), p) + 1 + min(min(RX, width - 1 - x), width - 1 - p);
#else
  return 1;
#endif
}

// Cost of one tap: pixel (x, .) of the row `mine` and the column that candidate d names in `theirs`.
SUM tap_at(__global const WORD* restrict mine, __global const WORD* restrict theirs, int x, int d, int width) {
  const int p = MATCHES_LEFT ? x - d : x + d;
  WORD other = 0;
#if OUTSIDE == 0
  if (p < 0 || p >= width) return 0;
  other = theirs[p];
#elif OUTSIDE == 1
  if (p >= 0 && p < width) other = theirs[p];
#else
  other = theirs[clamp(p, 0, width - 1)];
#endif
  return tap(mine[x], other);
}

// The same of unit n of candidates.
SUM taps_at(__global const WORD* restrict mine, __global const WORD* restrict theirs, int x, int n, int width) {
#if PACK == 2
  return tap_at(mine, theirs, x, DMIN + 2 * n, width) | tap_at(mine, theirs, x, DMIN + 2 * n + 1, width) << 16;
#else
  return tap_at(mine, theirs, x, DMIN + n, width);
#endif
}

// Brings column x of every SPLITth unit from the window around row y - 1 to that around row y, or starts with row y.
void update(COLUMN_SPACE COLUMN* columns, __global const WORD* restrict mine, __global const WORD* restrict theirs,
            int x, int y, bool start, int width, int height, int slice) {
  const int entering = y + RY, leaving = y - RY - 1;
  for (int n = slice; n < UNITS; n += SPLIT) {
    SUM sum = 0;
    if (start) {
      for (int v = max(y - RY, 0); v <= min(y + RY, height - 1); ++v)
        sum += taps_at(mine + (int64)v * width, theirs + (int64)v * width, x, n, width);
    } else {
      sum = columns[n * SPAN];
      if (entering < height)
        sum += taps_at(mine + (int64)entering * width, theirs + (int64)entering * width, x, n, width);
      if (leaving >= 0) sum -= taps_at(mine + (int64)leaving * width, theirs + (int64)leaving * width, x, n, width);
    }
    columns[n * SPAN] = (COLUMN)sum;
  }
}

// The sum of a pixel's window; `columns` is at its first column.
SUM window_sum(COLUMN_SPACE const COLUMN* columns) {
  SUM sum = 0;
  for (int u = 0; u <= 2 * RX; ++u) sum += columns[u];
  return sum;
}

// Sums of a pixel's windows: kept ones, or its first column's.
#if KEEPS_SUMS
#define SUMS LOCAL_POINTER const PIXEL_SUM*
#else
#define SUMS COLUMN_SPACE const COLUMN*
#endif

SUM cost_of(SUMS sums, int k) {
#if KEEPS_SUMS && PACK == 2
  return sums[k / 2 * TILE] >> 16 * (k % 2) & 0xFFFFu;
#elif KEEPS_SUMS
  return sums[k * TILE];
#else
  return window_sum(sums + k * SPAN);
#endif
}

int partner(int x, int k) { return MATCHES_LEFT ? x - (DMIN + k) : x + (DMIN + k); }

// Candidate k of pixel x.
Best seen(SUMS sums, int x, int k, int width) {
  const Best one = {cost_of(sums, k), tap_columns(x, partner(x, k), width), k};
  return one;
}

// The best one so far and of the candidates from .. to.
Best see(Best best, SUMS sums, int x, int from, int to, int width) {
  for (int k = from; k <= to; ++k) {
    const Best one = seen(sums, x, k, width);
    if (replaces(best, one.cost, one.columns)) best = one;
  }
  return best;
}

__kernel WORK_GROUP(GROUP * SPLIT, 1) void match(
    __global const WORD* restrict mine, __global const WORD* restrict theirs, __global COLUMN* restrict scratch,
    __global const uchar* restrict textureless, __global MAP* restrict disparity, __global int* restrict winner,
    __global uchar* restrict confidences, __global uint* restrict costs, int width, int height, int first_row,
    int roi_x, int roi_y, int roi_w, int roi_h) {
#if LOCAL_COLUMNS
  __local COLUMN memory[UNITS * SPAN];
  LOCAL_POINTER COLUMN* columns = memory;
#else
  __global COLUMN* columns = scratch + (int64)(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * (UNITS * SPAN);
#endif
#if KEEPS_SUMS
  __local PIXEL_SUM sums[UNITS * TILE];
#endif
  const int lane = (int)get_local_id(0) % GROUP, slice = (int)get_local_id(0) / GROUP;
  const int left = (int)get_group_id(0) * TILE, x = left + lane;
  const int top = first_row + (int)get_group_id(1) * ROWS, bottom = min(top + ROWS, height);
  for (int y = top; y < bottom; ++y) {
    for (int c = lane; c < SPAN; c += GROUP) {
      const int column = left - RX + c;
      if (column >= 0 && column < width) {
        update(columns + c, mine, theirs, column, y, y == top, width, height, slice);
      } else if (y == top) {
        for (int n = slice; n < UNITS; n += SPLIT) columns[n * SPAN + c] = 0;
      }
    }
    COLUMN_BARRIER();
#if KEEPS_SUMS
    if (lane < TILE)
      for (int n = slice; n < UNITS; n += SPLIT)
        sums[n * TILE + lane] = (PIXEL_SUM)window_sum(columns + n * SPAN + lane);
    GROUP_BARRIER();
#endif
    if (slice == 0 && lane < TILE && x < width) {
      const bool inside = WHOLE_WINDOWS ? x >= RX && x < width - RX && y >= RY && y < height - RY : true;
      int first = 0, last = inside ? COUNT - 1 : -1;  // candidates that count
      if (OUTSIDE == 0) {
        const int margin = WHOLE_WINDOWS ? RX : 0;
        const int nearest = MATCHES_LEFT ? x - DMIN - (width - margin - 1) : margin - x - DMIN;
        first = max(first, nearest);
        last = min(last, nearest + width - 2 * margin - 1);
      }
#if KEEPS_SUMS
      SUMS of_pixel = sums + lane;
#else
      SUMS of_pixel = columns + lane;
#endif
      const Best nothing = {NONE, 1, 0};
      const Best best = see(nothing, of_pixel, x, first, last, width);
      const int64 at = (int64)y * width + x;
      const bool valid = best.cost != NONE;
      winner[at] = valid ? DMIN + best.d : NO_WINNER;
#if !WINNER_ONLY
      const bool in_roi = x >= roi_x && x < roi_x + roi_w && y >= roi_y && y < roi_y + roi_h;
      Best before = nothing, after = nothing, rival = nothing;
      if (valid && best.d > first) before = seen(of_pixel, x, best.d - 1, width);
      if (valid && best.d < last) after = seen(of_pixel, x, best.d + 1, width);
      if (valid && (RATIO > 0 || CONFIDENCE || COSTS)) {
        rival = see(nothing, of_pixel, x, first, best.d - 2, width);
        rival = see(rival, of_pixel, x, best.d + 2, last, width);
      }
      const bool pair =
          before.cost != NONE && after.cost != NONE && before.columns == best.columns && after.columns == best.columns;
      bool keep = valid && in_roi;
      if (RATIO > 0 && rival.cost != NONE && is_ambiguous(best.cost, best.columns, rival.cost, rival.columns, RATIO))
        keep = false;
      if (TEXTURE && textureless[at] != 0) keep = false;
      int64 value = (int64)16 * (DMIN + best.d);
      if (SUBPIXEL && pair)
        value = COST == 0 ? vfit(DMIN + best.d, (int64)before.cost, (int64)best.cost, (int64)after.cost)
                          : parabola(DMIN + best.d, (int64)before.cost, (int64)best.cost, (int64)after.cost);
      disparity[at] = keep ? (MAP)value : (MAP)(INVALID);
      if (!in_roi) winner[at] = NO_WINNER;
      if (CONFIDENCE) {
        int sure = 255;
        if (keep && rival.cost != NONE) sure = confidence(best.cost, best.columns, rival.cost, rival.columns);
        confidences[at] = (uchar)(keep ? sure : 0);
      }
      if (COSTS) {
        const int64 plane = (int64)width * height;
        costs[at] = valid && in_roi ? (uint)best.cost : 0xFFFFFFFFu;
        costs[at + plane] = valid && in_roi && rival.cost != NONE ? (uint)rival.cost : 0xFFFFFFFFu;
        costs[at + 2 * plane] = pair && in_roi ? (uint)before.cost : 0xFFFFFFFFu;
        costs[at + 3 * plane] = pair && in_roi ? (uint)after.cost : 0xFFFFFFFFu;
      }
#endif
    }
#if !KEEPS_SUMS
    COLUMN_BARRIER();
#endif
  }
}
