// SPDX-License-Identifier: Apache-2.0
// Of match_rows.cl: the winner among a pixel's sums, which lie in vectors of 16 candidates, and what is written of it.
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/ties.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "gpu/shared/stereo/columns.h"
#include "stereo/candidates.h"
#include "stereo/settings.h"
#include "stereo/taps.h"
#include "stereo/vectors.h"

#define NONE ((Sum)-1)
#define VECTORS ROWS_VECTORS(COUNT)
#define PLACES (ROWS_LANES * VECTORS)  // of candidates; some at the end that is not needed stay empty
#define TOGETHER 8                     // pixels whose winners are looked for at once
// Vectors from the sums of a pixel to those of the next one: between them lies one of NONE where row_views.h asks so.
#define PITCH (VECTORS + BOTH_VIEWS)

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

Sums places(int vector) {
  const Sums count = (Sums)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return count + (Sum)(16 * vector);
}
// Every bit where the place lies outside first .. end - 1.
Sums beyond(int vector, int first, int end) {
  return AS_SUMS(places(vector) - (Sum)first >= ALL_SUMS((Sum)max(end - first, 0)));
}
// Sums with NONE in places that stay empty.
Sums but_for_empty(Sums sums, int vector) {
  const bool some = FIRST_PLACE > 16 * vector || END_PLACE < 16 * vector + 16;
  return some ? sums | beyond(vector, FIRST_PLACE, END_PLACE) : sums;
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
    const Sums mine = BOTH_VIEWS ? sums[k] : but_for_empty(sums[k], k);
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

// The cost of the n-th candidate; NONE where it does not count or sums other columns than the winner, which `all` rules
// out.
static ALWAYS_INLINE Sum neighbour(const Sum* line, Pixel p, bool all, int columns, int n) {
  if (n < 0 || n >= COUNT) return NONE;
  if (all) return line[PLACE(n)];
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
static ALWAYS_INLINE bool may_break_tie_rule(Pixel p, bool all, const Sums* sums, Best best) {
  if (!REJECT_TIES) return false;
  if (!all && !has_all(p)) {
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

// all: the pixel is known to have all candidates, and none of them is clipped.
static ALWAYS_INLINE void write_pixel(const Targets* targets, Pixel p, bool all, const Sums* sums, Best best) {
  const Targets to = *targets;
  const int64 at = (int64)p.y * p.width + p.x;
  const bool some_clipped = TAPS_DIFFER && !all && (p.first > FIRST_PLACE || p.end < END_PLACE);
  const Sum* const line = (const Sum*)sums;
  Best second = {NONE, 1, 0};
  const bool valid = best.cost != NONE;
#if WINNER_ONLY
  to.winner[at] = valid ? DMIN + best.n : NO_WINNER;
#else
  const bool in_roi = p.x >= to.roi_x && p.x < to.roi_x + to.roi_w && p.y >= to.roi_y && p.y < to.roi_y + to.roi_h;
  if (WANT_WINNER) to.winner[at] = valid && in_roi ? DMIN + best.n : NO_WINNER;
  bool keep = valid && in_roi;
  if (valid && (NEEDS_SECOND || may_break_tie_rule(p, all, sums, best))) {
    second = best_of(sums, p.columns, p.first, p.end, true, best.n);
    if (some_clipped) second = with_clipped(second, line, p, true, best.n);
    if (is_rejected(p, best, second)) keep = false;
  }
  if (TEXTURE && to.textureless[at] != 0) keep = false;
  Sum before = NONE, after = NONE;
  if (NEEDS_NEIGHBOURS && valid) {
    before = neighbour(line, p, all, best.columns, best.n - 1);
    after = neighbour(line, p, all, best.columns, best.n + 1);
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
void write_together(const Targets* to, int x, int y, int width, int height, const Sums* pixels) {
#if !LONG_SUMS
  uint8 keys[TOGETHER];
  uint least[TOGETHER];
  UNROLL for (int i = 0; i < TOGETHER; ++i) keys[i] = keys_of(pixels + i * PITCH);
  *(uint8*)least = least_keys(keys);
  for (int i = 0; i < TOGETHER; ++i) {
    const Pixel p = pixel_at(x + i, y, width, height);
    const int order = (int)(least[i] & 0xFFFF);
    const Best best = {(Sum)(least[i] >> 16), p.columns, TIE_HIGHEST ? PLACES - 1 - order : order};
    write_pixel(to, p, true, pixels + i * PITCH, best);
  }
#endif
}
