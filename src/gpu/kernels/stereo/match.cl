// SPDX-License-Identifier: Apache-2.0
// `match` for every cost, window and rule: a group of work-items takes a strip of columns and slides its windows down
// the rows. Each column of the strip keeps the sum of its window's rows for every candidate; a pixel adds up the
// columns of its window and sees the candidates in ascending order. SPLIT times GROUP work-items share the candidates
// of the strip's columns. Where they fit, sums of pixels are kept in local memory, and the first GROUP work-items see
// them while the others go on to the next row.
//
// Types that follow from the settings:
//   WORD          what taps compare: uchar, ushort, uint or uint64
//   COLUMN        holds PACK sums of a column
//   SUM           holds a pixel's sum: uint or uint64
//   PIXEL_SUM     holds PACK sums of a pixel
//   PRODUCT       holds a cost times a number of columns
//   PACK          2: sums fit 16 bits, and two candidates share an integer; else 1
//   WINNER_ONLY   1: nothing but integer winners are asked for
//   SOURCES       1: masks are given (sources.h); groups whose pixels and candidates all show something write nothing:
//                 another kernel has served them
// Launch configuration:
//   GROUP         work-items of a column's slice, a multiple of 32 on GPUs
//   TILE          pixels of a strip, up to GROUP
//   SPLIT         work-items that share a column's candidates, 1 to 8; 1 where KEEPS_SUMS is 0
//   ROWS          of a group, from 1 on
//   KEEPS_SUMS    1: sums of pixels lie in local memory
//   LOCAL_COLUMNS 1: sums of columns lie in local memory, 0: in `scratch`
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/tap_cost.h"
#include "definitions/stereo/ties.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "gpu/shared/stereo/columns.h"
#include "stereo/candidates.h"
#include "stereo/settings.h"
#include "stereo/sources.h"
#include "stereo/taps.h"
#if !defined(WORD) || !defined(COLUMN) || !defined(SUM) || !defined(PIXEL_SUM) || !defined(PRODUCT)
#error "match needs WORD, COLUMN, SUM, PIXEL_SUM and PRODUCT"
#endif
#if !defined(GROUP) || !defined(TILE) || !defined(ROWS) || !defined(KEEPS_SUMS) || !defined(LOCAL_COLUMNS)
#error "match needs GROUP, TILE, ROWS, KEEPS_SUMS and LOCAL_COLUMNS"
#endif
#ifndef PACK
#define PACK 1
#endif
#ifndef SPLIT
#define SPLIT 1
#endif
#ifndef WINNER_ONLY
#define WINNER_ONLY 0
#endif

#define SPAN COLUMNS_SPAN(TILE, RX)
#define UNITS (COUNT / PACK)  // of candidates, which share an integer
#define NONE ((SUM)-1)
#if LOCAL_COLUMNS
#define COLUMN_SPACE LOCAL_POINTER
#define COLUMN_BARRIER() GROUP_BARRIER()
#else
#define COLUMN_SPACE __global
#define COLUMN_BARRIER() GLOBAL_BARRIER()
#endif

SUM tap(WORD a, WORD b) {
#if COST == COST_SAD
  return (SUM)(a > b ? a - b : b - a);
#elif COST == COST_SSD
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
  int tied;  // of those that cost as little, the one furthest from d
} Best;

// The best of `a` and `b`, which comes later in ascending order.
Best better(Best a, Best b) {
  if (a.cost == NONE) return b;
#if TAPS_DIFFER
  const PRODUCT theirs = (PRODUCT)a.cost * (PRODUCT)b.columns, mine = (PRODUCT)b.cost * (PRODUCT)a.columns;
#else
  const SUM theirs = a.cost, mine = b.cost;
#endif
  if (REJECT_TIES && mine == theirs) {
    if (TIE_HIGHEST)
      b.tied = a.tied;
    else
      a.tied = b.d;
  }
  return (TIE_HIGHEST ? mine <= theirs : mine < theirs) ? b : a;
}

// Cost of one tap: pixel (x, .) of the row `mine` and the column that candidate d names in `theirs`.
SUM tap_at(__global const WORD* restrict mine, __global const WORD* restrict theirs, int x, int d, int width) {
  const int p = MATCHES_LEFT ? x - d : x + d;
  WORD other = 0;
#if OUTSIDE == OUTSIDE_SKIP
  if (p < 0 || p >= width) return 0;
  other = theirs[p];
#elif OUTSIDE == OUTSIDE_ZERO
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
  const Best one = {cost_of(sums, k), tap_columns(x, partner(x, k), width), k, k};
  return one;
}

// The best one so far and of the candidates from .. to.
Best see(Best best, SUMS sums, Sources sources, int x, int from, int to, int width) {
  for (int k = from; k <= to; ++k)
    if (partner_shows(sources, x, k, width)) best = better(best, seen(sums, x, k, width));
  return best;
}

// What is written, and where.
typedef struct {
  __global const uchar* textureless;
  __global MAP* disparity;
  __global int* winner;
  __global uchar* confidences;
  __global uint* costs;  // four planes
  int width, height, roi_x, roi_y, roi_w, roi_h;
} Outputs;

#if !WINNER_ONLY
// What was found besides the best candidate; cost NONE where there is no such candidate.
typedef struct {
  Best before, after, second;
  bool pair;  // both neighbours are there, and sum as many taps as the winner
} Around;

static ALWAYS_INLINE Around look_around(Best best, SUMS sums, Sources sources, int x, Candidates c, int width) {
  const Best nothing = {NONE, 1, 0, 0};
  const bool valid = best.cost != NONE;
  Around a = {nothing, nothing, nothing, false};
  if (valid && best.d > c.first && partner_shows(sources, x, best.d - 1, width))
    a.before = seen(sums, x, best.d - 1, width);
  if (valid && best.d < c.last && partner_shows(sources, x, best.d + 1, width))
    a.after = seen(sums, x, best.d + 1, width);
  if (valid && NEEDS_SECOND) {
    a.second = see(nothing, sums, sources, x, c.first, best.d - 2, width);
    a.second = see(a.second, sums, sources, x, best.d + 2, c.last, width);
  }
  a.pair = a.before.cost != NONE && a.after.cost != NONE && a.before.columns == best.columns &&
           a.after.columns == best.columns;
  return a;
}

static ALWAYS_INLINE void write_costs(Outputs to, int64 at, Best best, Around a, bool counts) {
  const int64 plane = (int64)to.width * to.height;
  to.costs[at] = counts ? (uint)best.cost : NO_COST;
  to.costs[at + plane] = counts && a.second.cost != NONE ? (uint)a.second.cost : NO_COST;
  to.costs[at + 2 * plane] = a.pair && counts ? (uint)a.before.cost : NO_COST;
  to.costs[at + 3 * plane] = a.pair && counts ? (uint)a.after.cost : NO_COST;
}

// Whether the tie rule rejects the winner.
static ALWAYS_INLINE bool breaks_tie_rule(Best best, Candidates c) {
  return REJECT_TIES && (is_tied(min(best.d, best.tied), max(best.d, best.tied)) || lacks_second_best(c, best.d));
}

static ALWAYS_INLINE void write_disparity(Outputs to, int x, int y, Best best, Candidates c, Around a) {
  const int64 at = (int64)y * to.width + x;
  const bool in_roi = x >= to.roi_x && x < to.roi_x + to.roi_w && y >= to.roi_y && y < to.roi_y + to.roi_h;
  const bool counts = best.cost != NONE && in_roi;
  bool keep = counts;
  if (RATIO > 0 && a.second.cost != NONE &&
      is_ambiguous(best.cost, best.columns, a.second.cost, a.second.columns, RATIO))
    keep = false;
  if (breaks_tie_rule(best, c)) keep = false;
  if (TEXTURE && to.textureless[at] != 0) keep = false;
  int64 value = (int64)SUBPIXELS * (DMIN + best.d);
  if (SUBPIXEL && a.pair)
    value = COST == COST_SAD ? vfit(DMIN + best.d, (int64)a.before.cost, (int64)best.cost, (int64)a.after.cost)
                             : parabola(DMIN + best.d, (int64)a.before.cost, (int64)best.cost, (int64)a.after.cost);
  to.disparity[at] = keep ? (MAP)value : (MAP)(INVALID);
  if (!in_roi) to.winner[at] = NO_WINNER;
  if (CONFIDENCE) {
    int sure = 255;
    if (keep && a.second.cost != NONE) sure = confidence(best.cost, best.columns, a.second.cost, a.second.columns);
    to.confidences[at] = (uchar)(keep ? sure : 0);
  }
  if (COSTS) write_costs(to, at, best, a, counts);
}
#endif

// Searches pixel x of row y and writes it.
static ALWAYS_INLINE void finish_pixel(SUMS sums, Sources sources, int x, int y, Outputs to) {
  const Best nothing = {NONE, 1, 0, 0};
  const bool inside = !WHOLE_WINDOWS || (x >= RX && x < to.width - RX && y >= RY && y < to.height - RY);
  Candidates c = candidates_of(WORKING_COLUMN(x, to.width), to.width);
  if (!inside) c.last = -1;
  c = shown_candidates(c, sources, x, to.width);
  const Best best = see(nothing, sums, sources, x, c.first, c.last, to.width);
  to.winner[(int64)y * to.width + x] = best.cost != NONE ? DMIN + best.d : NO_WINNER;
#if !WINNER_ONLY
  write_disparity(to, x, y, best, c, look_around(best, sums, sources, x, c, to.width));
#endif
}

#if SOURCES
// Whether pixels of a strip and their candidates all show something; each work-item looks at some of them.
static ALWAYS_INLINE bool all_show(__global const uchar* restrict mask, int left, int top, int bottom, int width) {
  bool all = true;
  for (int y = top; y < bottom; ++y)
    for (int x = left + (int)get_local_id(0); x < min(left + TILE, width); x += GROUP * SPLIT)
      all = all && mask[(int64)y * width + x] == ALL_SHOW;
  return all;
}
#endif

__kernel WORK_GROUP(GROUP * SPLIT, 1) void match(
    __global const WORD* restrict mine, __global const WORD* restrict theirs, __global COLUMN* restrict scratch,
    __global const uchar* restrict textureless, __global MAP* restrict disparity, __global int* restrict winner,
    __global uchar* restrict confidences, __global uint* restrict costs, __global const uchar* restrict own_mask,
    __global const uchar* restrict other_mask, const MatchArguments arguments) {
#if LOCAL_COLUMNS
  __local COLUMN memory[COLUMNS_SUMS(UNITS, TILE, RX)];
  LOCAL_POINTER COLUMN* columns = memory;
#else
  __global COLUMN* columns =
      scratch + (int64)(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * COLUMNS_SUMS(UNITS, TILE, RX);
#endif
#if KEEPS_SUMS
  __local PIXEL_SUM sums[COLUMNS_PIXEL_SUMS(UNITS, TILE)];
#endif
  const int width = arguments.width, height = arguments.height;
  const Outputs to = {textureless, disparity,       winner,          confidences,     costs,          width,
                      height,      arguments.roi_x, arguments.roi_y, arguments.roi_w, arguments.roi_h};
  const int lane = (int)get_local_id(0) % GROUP, slice = (int)get_local_id(0) / GROUP;
  // Columns that match_strip.cl serves are left out.
  const int number = (int)get_group_id(0), in_front = (arguments.inner_left + TILE - 1) / TILE;
  const bool behind = number >= in_front;
  const int left = behind ? arguments.inner_right + (number - in_front) * TILE : number * TILE, x = left + lane;
  const int end = behind ? width : arguments.inner_left;
  const int top = (int)get_group_id(1) * ROWS;
  int bottom = min(top + ROWS, height);
#if SOURCES
  __local int holes;
  if (get_local_id(0) == 0) holes = 0;
  GROUP_BARRIER();
  if (!all_show(own_mask, left, top, bottom, width)) holes = 1;
  GROUP_BARRIER();
  if (holes == 0) bottom = top;
#endif
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
    if (slice == 0 && lane < TILE && x < end)
      finish_pixel(sums + lane, sources_of_pixel(own_mask, other_mask, x, y, width), x, y, to);
#else
    if (slice == 0 && lane < TILE && x < end)
      finish_pixel(columns + lane, sources_of_pixel(own_mask, other_mask, x, y, width), x, y, to);
    COLUMN_BARRIER();
#endif
  }
}
