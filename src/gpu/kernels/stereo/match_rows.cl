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
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/ties.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "gpu/shared/stereo/columns.h"
#include "stereo/candidates.h"
#include "stereo/settings.h"
#include "stereo/vectors.h"
#if !defined(WORD) || !defined(WORDS) || !defined(BAND) || !defined(STRIP)
#error "match_rows needs WORD, WORDS, BAND and STRIP"
#endif
#ifndef WINNER_ONLY
#define WINNER_ONLY 0
#endif
#ifndef WANT_WINNER
#define WANT_WINNER 0
#endif

#define NONE ((Sum)-1)
#define TAPS_DIFFER (OUTSIDE == OUTSIDE_SKIP && !WHOLE_WINDOWS)
#define VECTORS ROWS_VECTORS(COUNT)
#define PLACES (ROWS_LANES * VECTORS)  // of candidates; some at the end that is not needed stay empty
#define SPAN ROWS_SPAN(STRIP, RX)
#define TOGETHER 8  // pixels whose winners are looked for at once

// Candidates in the order of their partners' columns: the place of the n-th.
#if MATCHES_LEFT
#define PLACE(n) (PLACES - 1 - (n))
#define FIRST_PLACE (PLACES - COUNT)
#define END_PLACE PLACES
#else
#define PLACE(n) (n)
#define FIRST_PLACE 0
#define END_PLACE COUNT
#endif
// The column of the partner in place 0 for pixel x.
#define FIRST_PARTNER(x) (MATCHES_LEFT ? 1 - PLACES - DMIN + (x) : DMIN + (x))

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

Sums places(int vector) {
  const Sums count = (Sums)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return count + (Sum)(16 * vector);
}
// Every bit where the place lies outside first .. end - 1.
Sums beyond(int vector, int first, int end) {
  return AS_SUMS(places(vector) - (Sum)first >= ALL_SUMS((Sum)max(end - first, 0)));
}
// The key by which candidates of one cost follow each other: its place, or the places counted backwards.
#define BACKWARDS (MATCHES_LEFT != TIE_HIGHEST)
// Is the cost `a` of later places to win over `b`?
#define BEFORE(a, b) (BACKWARDS ? (a) <= (b) : (a) < (b))
Sums order_of(int vector) { return BACKWARDS ? (Sum)(PLACES - 1) - places(vector) : places(vector); }

// A cost, the tap columns that it sums, and whose it is; NONE where there is no candidate.
typedef struct {
  Sum cost;
  int columns, n;
} Best;

bool replaces(Best a, Best b) {
  if (a.cost == NONE) return true;
  const uint64 theirs = (uint64)a.cost * (uint64)b.columns, mine = (uint64)b.cost * (uint64)a.columns;
  return mine < theirs || (mine == theirs && (TIE_HIGHEST ? b.n > a.n : b.n < a.n));
}

// Tap columns of pixel x when its partner is column p.
int tap_columns(int x, int p, int width) {
#if TAPS_DIFFER
  return min(min(RX, x), p) + 1 + min(min(RX, width - 1 - x), width - 1 - p);
#else
  return 1;
#endif
}

// The best of the places first .. end - 1 but for those next to the n-th candidate (`far`), all of equally many taps.
Best best_of(const Sums* sums, int columns, int first, int end, bool far, int n) {
  const int near = TIE_HIGHEST ? PLACES - 1 - n : n;
  Sums least = ALL_SUMS(NONE);
  Sums kept[VECTORS];
  UNROLL for (int k = 0; k < VECTORS; ++k) {
    kept[k] = sums[k];
    if (first > 16 * k || end < 16 * k + 16) kept[k] |= beyond(k, first, end);
    if (far) kept[k] |= AS_SUMS(order_of(k) - (Sum)(near - 1) <= ALL_SUMS(2));
    least = min(least, kept[k]);
  }
  Best best = {smallest(least), columns, 0};
  Sums who = ALL_SUMS(NONE);
  UNROLL for (int k = 0; k < VECTORS; ++k) who = min(who, order_of(k) | AS_SUMS(kept[k] != ALL_SUMS(best.cost)));
  const int order = (int)smallest(who);
  best.n = TIE_HIGHEST ? PLACES - 1 - order : order;
  return best;
}

#if !LONG_SUMS
// Of one pixel the least keys, cost and then order, that 8 lanes know.
uint8 keys_of(const Sums* sums) {
  Sums least = ALL_SUMS(NONE), who = ALL_SUMS(0);
  UNROLL for (int k = 0; k < VECTORS; ++k) {
    Sums mine = sums[k];
    if (FIRST_PLACE > 16 * k || END_PLACE < 16 * k + 16) mine |= beyond(k, FIRST_PLACE, END_PLACE);
    who = k == 0 ? order_of(0) : select(who, order_of(k), BEFORE(mine, least));
    least = min(mine, least);
  }
  const uint16 keys = convert_uint16(least) << 16 | convert_uint16(who);
  return min(keys.lo, keys.hi);
}

// The least key of each of 8 pixels.
uint8 least_keys(const uint8* k) {
  const uint8 a = min((uint8)(k[0].lo, k[1].lo), (uint8)(k[0].hi, k[1].hi));
  const uint8 b = min((uint8)(k[2].lo, k[3].lo), (uint8)(k[2].hi, k[3].hi));
  const uint8 c = min((uint8)(k[4].lo, k[5].lo), (uint8)(k[4].hi, k[5].hi));
  const uint8 d = min((uint8)(k[6].lo, k[7].lo), (uint8)(k[6].hi, k[7].hi));
  const uint8 e = min((uint8)(a.s0145, b.s0145), (uint8)(a.s2367, b.s2367));
  const uint8 f = min((uint8)(c.s0145, d.s0145), (uint8)(c.s2367, d.s2367));
  return min((uint8)(e.s0246, f.s0246), (uint8)(e.s1357, f.s1357));
}
#endif

// A pixel: where its sums are, and which of its candidates count.
typedef struct {
  int x, y, width, height;
  int first, end;  // places of the candidates that sum `columns` tap columns
  int columns;
  int low, high;  // partners whose candidates count
} Pixel;

Pixel pixel_at(int x, int y, int width, int height) {
  Pixel p = {x, y, width, height, FIRST_PLACE, END_PLACE, 1, INT_MIN, INT_MAX};
#if OUTSIDE == OUTSIDE_SKIP
  p.low = WHOLE_WINDOWS ? RX : 0;
  p.high = width - p.low;
  const int left = WHOLE_WINDOWS ? RX : min(RX, x), right = WHOLE_WINDOWS ? RX : min(RX, width - 1 - x);
  p.columns = TAPS_DIFFER ? left + 1 + right : 1;
  p.first = clamp(left - FIRST_PARTNER(x), FIRST_PLACE, END_PLACE);
  p.end = clamp(width - right - FIRST_PARTNER(x), FIRST_PLACE, END_PLACE);
#endif
  return p;
}

// Lets those candidates in whose windows are clipped at the other picture's ends.
Best with_clipped(Best best, const Sum* line, Pixel p, bool far, int n) {
#if TAPS_DIFFER
  for (int place = max(FIRST_PLACE, -FIRST_PARTNER(p.x)); place < END_PLACE; ++place) {
    if (place == p.first && p.first < p.end) place = p.end;
    const int partner = FIRST_PARTNER(p.x) + place;
    if (place >= END_PLACE || partner >= p.high) break;
    const Best one = {line[place], tap_columns(p.x, partner, p.width), MATCHES_LEFT ? PLACES - 1 - place : place};
    if (!(far && abs(one.n - n) <= 1) && replaces(best, one)) best = one;
  }
#endif
  return best;
}

// The cost of the n-th candidate; NONE where it does not count or sums other columns than the winner.
Sum neighbour(const Sum* line, Pixel p, int columns, int n) {
  if (n < 0 || n >= COUNT) return NONE;
  const int partner = FIRST_PARTNER(p.x) + PLACE(n);
  if (partner < p.low || partner >= p.high || tap_columns(p.x, partner, p.width) != columns) return NONE;
  return line[PLACE(n)];
}

typedef struct {
  __global const uchar* textureless;
  __global MAP* disparity;
  __global int* winner;
  __global uchar* confidences;
  __global uint* costs;
  int roi_x, roi_y, roi_w, roi_h;
} Targets;

bool is_inside(Pixel p) {
  return WHOLE_WINDOWS ? p.x >= RX && p.x < p.width - RX && p.y >= RY && p.y < p.height - RY : true;
}
bool has_all(Pixel p) { return is_inside(p) && p.first == FIRST_PLACE && p.end == END_PLACE; }

// False where the tie rule cannot reject the winner, at less work than the second best takes: some candidates may be
// second best, and none of them costs as little.
bool may_break_tie_rule(Pixel p, const Sums* sums, Best best) {
  if (!REJECT_TIES) return false;
  if (!has_all(p)) {
    // Of the places first .. end - 1 none may be second best, or some sum other taps than the winner.
    if (p.end - p.first <= 3 || best.columns != p.columns) return true;
    const Best last = {best.cost, best.columns, TIE_HIGHEST ? -1 : COUNT};  // others of its cost come before it
    if (with_clipped(last, (const Sum*)sums, p, true, best.n).n != last.n) return true;
  }
  Sums equal = ALL_SUMS(0);
  UNROLL for (int k = 0; k < VECTORS; ++k) equal -= AS_SUMS(sums[k] == ALL_SUMS(best.cost));
  return total(equal) > 1;
}
// By what the second best says: uniqueness and the tie rule.
bool is_rejected(Pixel p, Best best, Best second) {
  if (second.cost == NONE)
    return REJECT_TIES && lacks_second_best(candidates_of(WORKING_COLUMN(p.x, p.width), p.width), best.n);
  return is_ambiguous(best.cost, best.columns, second.cost, second.columns, RATIO) ||
         (REJECT_TIES && is_as_cheap(best.cost, best.columns, second.cost, second.columns));
}

void write_pixel(Targets to, Pixel p, const Sums* sums, Best best) {
  const int64 at = (int64)p.y * p.width + p.x;
  const bool some_clipped = TAPS_DIFFER && (p.first > FIRST_PLACE || p.end < END_PLACE);
  const Sum* const line = (const Sum*)sums;
  Best second = {NONE, 1, 0};
  const bool valid = best.cost != NONE;
#if WINNER_ONLY
  to.winner[at] = valid ? DMIN + best.n : NO_WINNER;
#else
  const bool in_roi = p.x >= to.roi_x && p.x < to.roi_x + to.roi_w && p.y >= to.roi_y && p.y < to.roi_y + to.roi_h;
  if (WANT_WINNER) to.winner[at] = valid && in_roi ? DMIN + best.n : NO_WINNER;
  bool keep = valid && in_roi;
  if (valid && (NEEDS_SECOND || may_break_tie_rule(p, sums, best))) {
    second = best_of(sums, p.columns, p.first, p.end, true, best.n);
    if (some_clipped) second = with_clipped(second, line, p, true, best.n);
    if (is_rejected(p, best, second)) keep = false;
  }
  if (TEXTURE && to.textureless[at] != 0) keep = false;
  Sum before = NONE, after = NONE;
  if (NEEDS_NEIGHBOURS && valid) {
    before = neighbour(line, p, best.columns, best.n - 1);
    after = neighbour(line, p, best.columns, best.n + 1);
  }
  const bool pair = before != NONE && after != NONE;
  int64 value = (int64)SUBPIXELS * (DMIN + best.n);
  if (SUBPIXEL && pair && keep) {
#if COST == COST_SAD && !LONG_SUMS
    value = vfit_small(DMIN + best.n, before, best.cost, after);
#else
    value = COST == COST_SAD ? vfit(DMIN + best.n, (int64)before, (int64)best.cost, (int64)after)
                             : parabola(DMIN + best.n, (int64)before, (int64)best.cost, (int64)after);
#endif
  }
  to.disparity[at] = keep ? (MAP)value : (MAP)(INVALID);
  if (CONFIDENCE) {
    int sure = 255;
    if (keep && second.cost != NONE) sure = confidence(best.cost, best.columns, second.cost, second.columns);
    to.confidences[at] = (uchar)(keep ? sure : 0);
  }
  if (COSTS) {
    const int64 plane = (int64)p.width * p.height;
    to.costs[at] = valid && in_roi ? (uint)best.cost : NO_COST;
    to.costs[at + plane] = valid && in_roi && second.cost != NONE ? (uint)second.cost : NO_COST;
    to.costs[at + 2 * plane] = pair && in_roi ? (uint)before : NO_COST;
    to.costs[at + 3 * plane] = pair && in_roi ? (uint)after : NO_COST;
  }
#endif
}

Best search(Pixel p, const Sums* sums) {
  Best best = {NONE, 1, 0};
  if (is_inside(p)) {
    best = best_of(sums, p.columns, p.first, p.end, false, 0);
    if (TAPS_DIFFER && !has_all(p)) best = with_clipped(best, (const Sum*)sums, p, false, 0);
  }
  return best;
}

// Pixels x .. x + TOGETHER - 1, which have all candidates.
void write_together(Targets to, int x, int y, int width, int height, const Sums* pixels) {
#if !LONG_SUMS
  uint8 keys[TOGETHER];
  uint least[TOGETHER];
  UNROLL for (int i = 0; i < TOGETHER; ++i) keys[i] = keys_of(pixels + i * VECTORS);
  *(uint8*)least = least_keys(keys);
  for (int i = 0; i < TOGETHER; ++i) {
    const Pixel p = pixel_at(x + i, y, width, height);
    const int order = (int)(least[i] & 0xFFFF);
    const Best best = {(Sum)(least[i] >> 16), p.columns, TIE_HIGHEST ? PLACES - 1 - order : order};
    write_pixel(to, p, pixels + i * VECTORS, best);
  }
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

// One row of a strip: brings its columns from the window of the row above to that of this row.
void slide_down(__global Sums* restrict columns, const WORD* in, const WORD* their_in, const WORD* out,
                const WORD* their_out, int left, int width) {
  const int from = max(0, RX - left), to = min(SPAN, width + RX - left);
  for (int c = from; c < to; ++c) {
    const int partner = FIRST_PARTNER(left - RX + c);
    const bool clipped = OUTSIDE == OUTSIDE_SKIP && (partner < 0 || partner + PLACES > width);
    UNROLL for (int k = 0; k < VECTORS; ++k) {
      Sums change = taps(in[c], vload16(k, their_in + c)) - taps(out[c], vload16(k, their_out + c));
      if (clipped) change &= ~beyond(k, clamp(-partner, 0, PLACES), clamp(width - partner, 0, PLACES));
      columns[c * VECTORS + k] += change;
    }
  }
}

__kernel WORK_GROUP(1, 1) void match_rows(__global const WORD* restrict mine, __global const WORD* restrict theirs,
                                          __global Sums* restrict scratch, __global const uchar* restrict textureless,
                                          __global MAP* restrict disparity, __global int* restrict winner,
                                          __global uchar* restrict confidences, __global uint* restrict costs,
                                          const MatchArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  __global Sums* const columns = scratch + (int64)get_group_id(0) * ROWS_SCRATCH(COUNT, STRIP, RX);
  const Targets to = {textureless,     disparity,       winner,          confidences,    costs,
                      arguments.roi_x, arguments.roi_y, arguments.roi_w, arguments.roi_h};
  const int top = (int)get_group_id(0) * BAND, bottom = min(top + BAND, height);
  WORD in[SPAN], out[SPAN], their_in[SPAN + PLACES], their_out[SPAN + PLACES];
  for (int left = 0; left < width; left += STRIP) {
    const int first = left - RX, end = min(left + STRIP, width);
    for (int i = 0; i < SPAN * VECTORS; ++i) columns[i] = ALL_SUMS(0);
    for (int entering = max(top - RY, 0); entering < bottom + RY; ++entering) {
      const int leaving = entering - (2 * RY + 1), y = entering - RY;
      copy_row(in, mine, entering, 0, height, first, SPAN, width);
      copy_row(out, mine, leaving, max(top - RY, 0), height, first, SPAN, width);
      copy_row(their_in, theirs, entering, 0, height, FIRST_PARTNER(first), SPAN + PLACES, width);
      copy_row(their_out, theirs, leaving, max(top - RY, 0), height, FIRST_PARTNER(first), SPAN + PLACES, width);
      slide_down(columns, in, their_in, out, their_out, left, width);
      if (y < top) continue;
      Sums sums[VECTORS];
      UNROLL for (int k = 0; k < VECTORS; ++k) sums[k] = ALL_SUMS(0);
      for (int c = 0; c < 2 * RX; ++c) {
        UNROLL for (int k = 0; k < VECTORS; ++k) sums[k] += columns[c * VECTORS + k];
      }
      for (int x = left; x < end;) {
        const bool together = !LONG_SUMS && x + TOGETHER <= end && has_all(pixel_at(x, y, width, height)) &&
                              has_all(pixel_at(x + TOGETHER - 1, y, width, height));
        const int count = together ? TOGETHER : 1;
        Sums pixels[TOGETHER * VECTORS];
        for (int i = 0; i < count; ++i) {
          const int c = x - left + i;
          UNROLL for (int k = 0; k < VECTORS; ++k) {
            sums[k] += columns[(c + 2 * RX) * VECTORS + k];
            pixels[i * VECTORS + k] = sums[k];
            sums[k] -= columns[c * VECTORS + k];
          }
        }
        if (together)
          write_together(to, x, y, width, height, pixels);
        else
          write_pixel(to, pixel_at(x, y, width, height), pixels, search(pixel_at(x, y, width, height), pixels));
        x += count;
      }
    }
  }
}
