// SPDX-License-Identifier: Apache-2.0
// How a warp searches one row of its columns: best candidate, second best and neighbours of each pixel, and what the
// row says about the pixels of the other view.
#include "stereo/warp.h"

// What a work-item brings along for its candidates.
typedef struct {
  int lane, first, before_first;  // candidates
  int orders[OWN];                // NO_KEY more where a candidate is beyond COUNT
} Lane;

static inline Lane lane_of(int lane) {
  Lane l;
  l.lane = lane, l.first = lane * OWN, l.before_first = lane * OWN - 1;
  UNROLL for (int j = 0; j < OWN; ++j) l.orders[j] = order_of(l.first + j) + (l.first + j < COUNT ? 0 : NO_KEY);
  return l;
}

// Local memory of a group.
typedef struct {
  LOCAL_POINTER int* right;          // keys of the other view's pixels in this row
  LOCAL_POINTER int* passed;         // the last lane's that have passed all candidates
  LOCAL_POINTER uint* minima;        // of this warp and row: look_around of the pixel before, best key, for each pixel
  LOCAL_POINTER uint* around;        // the same: costs around the winner
  LOCAL_POINTER const uint* masks;   // halves that the winner and its neighbours take, by the winner's place
  LOCAL_POINTER const uint* firsts;  // halves of a work-item's first 0, 1, 2 ... candidates
  LOCAL_POINTER const int* multiples;  // by the number of columns that a cost sums
} Shared;

// Leaves out candidates where the strip touches a border: all bits of their halves are set.
static inline void leave_out(uint* window, const Lane* l, int x, int width, LOCAL_POINTER const uint* firsts) {
  const int margin = WHOLE_WINDOWS ? RX : 0;
  const bool inside = x >= margin && x < width - margin;
  const int limit = inside ? OUTSIDE == OUTSIDE_SKIP ? x - DMIN - margin : CANDIDATES - 1 : -1;  // the last that counts
  uint count[PAIRS];
  load_words(count, firsts + clamp(limit + 1 - l->first, 0, OWN) * PAIRS, PAIRS, PAIRS);
  UNROLL for (int k = 0; k < PAIRS; ++k) window[k] |= ~count[k];
#if OUTSIDE == OUTSIDE_SKIP && DMIN < 0
  load_words(count, firsts + clamp(limit - (width - 1 - 2 * margin) - l->first, 0, OWN) * PAIRS, PAIRS, PAIRS);
  UNROLL for (int k = 0; k < PAIRS; ++k) window[k] |= count[k];
#endif
}

#if TAPS_DIFFER
// Keys of costs brought to one number of taps.
static inline void scaled_keys(int* keys, const uint* window, const Lane* l, int x, int width,
                               LOCAL_POINTER const int* multiples) {
  LOCAL_POINTER const int* by_partner = multiples + 1 + min(RX, width - 1 - x);  // its columns left of it
  const int p = x - DMIN - l->first;
  UNROLL for (int j = 0; j < OWN; ++j) {
    const int cost = (int)(j % 2 == 0 ? window[j / 2] >> 16 : window[j / 2] & 0xFFFFu);
    keys[j] = cost == 0xFFFF ? NO_KEY : cost * by_partner[clamp(p - j, 0, RX)] * SCALE + l->orders[j];
  }
}
#endif

// Where the winner lies, counted from the candidate before this work-item's first; FAR where neither it nor a neighbour
// of it is one of the work-item's.
#define FAR (WARP_PLACES(OWN) - 1)
static inline int place_of(int best, const Lane* l) {
  return (int)min((uint)(candidate_of(best) - l->before_first), (uint)FAR);
}

// The least key of a work-item's candidates.
static inline int own_least_key(const int* keys) {
  int least = keys[0];
  UNROLL for (int j = 1; j < OWN; ++j) least = min(least, keys[j]);
  return least;
}

// The key of the best candidate more than 1 px from the winner, or NO_KEY or more.
static inline uint find_second_key(const int* keys, int place) {
  int least = NO_KEY;
  UNROLL for (int j = 0; j < OWN; ++j) least = min(least, place >= j && place <= j + 2 ? NO_KEY : keys[j]);
  return warp_minimum((uint)least);
}

// For a pixel whose best key is known: stores the costs around the winner, and returns the second best's key, or a bit
// for each work-item whose least key costs as little as the best one. Where taps are equal in number, the second best
// is that of the other work-items than those whose costs are stored: these are few, and looked at when the pixel is
// finished.
static inline uint look_around(LOCAL_POINTER uint* around, int best, const uint* window, const int* keys, int least,
                               const Lane* l, bool edge) {
  uint second = 0;
#if FULL
  const int place = place_of(best, l);
#if NEEDS_NEIGHBOURS || NEEDS_SECOND || TIES_BY_LANES
  // The winner and its neighbours lie in one work-item or in two that follow each other.
  if (place != FAR)
    UNROLL for (int k = 0; k < PAIRS; ++k) around[PAIRS * (l->lane & 1) + k] = window[k];
#endif
#if NEEDS_SECOND
  second = edge && TAPS_DIFFER ? find_second_key(keys, place) : warp_minimum((uint)(place == FAR ? least : NO_KEY));
#elif TIES_BY_LANES
  second = lanes_where(least <= (best | (SCALE - 1)));
#endif
#endif
  return second;
}

#if BOTH_VIEWS
// Of the other view's pixels that a work-item's candidates are compared with: the best keys so far, and the keys at an
// even column.
typedef struct {
  int best[OWN], even[OWN];
} Rights;

// Compares the keys of column c with the best ones of the other view's pixels. Such a pixel passes from candidate to
// candidate in ascending order, one with each column. Two columns at a time, so that one instruction takes both of a
// pixel's keys.
static inline void pass_on(Rights* rights, const int* keys, int c, int lane, LOCAL_POINTER int* passed) {
  if (c % 2 == 0) {
    UNROLL for (int j = 0; j < OWN; ++j) rights->even[j] = keys[j];
    return;
  }
  const int leaves = min(rights->best[OWN - 1], rights->even[OWN - 1]);
  int arrives = (int)from_lane_below((uint)leaves, 1);
  arrives = lane == 0 ? NO_KEY : arrives;
  if (lane == 31) passed[c - 1] = leaves;
  UNROLL for (int j = OWN - 1; j > 0; --j)
    rights->best[j] = min(min(rights->best[j - 1], rights->even[j - 1]), keys[j]);
  rights->best[0] = min(arrives, keys[0]);
  if (c + 1 < COLUMNS) {
    const int leaves_too = rights->best[OWN - 1];
    if (lane == 31) passed[c] = leaves_too;
    UNROLL for (int j = OWN - 1; j > 0; --j) rights->best[j] = rights->best[j - 1];
    rights->best[0] = (int)from_lane_below((uint)leaves_too, 1);
    rights->best[0] = lane == 0 ? NO_KEY : rights->best[0];
  }
}

// Writes to local memory the best keys of the other view's pixels in this row; number: of the warp's first
// column in the strip.
static inline void join_rights(const Rights* rights, const Lane* l, int number, Shared shared) {
  WARP_BARRIER();
  if (l->lane < COLUMNS - 1) atomic_min(&shared.right[number + l->lane], shared.passed[l->lane]);
  UNROLL for (int j = 0; j < OWN; ++j)
    atomic_min(&shared.right[number + COLUMNS - 1 + CANDIDATES - 1 - l->first - j], rights->best[j]);
}
#endif

// Keys of pixel x from its windows' costs, where `edge` without the candidates that do not count (costs: all bits set).
// right_keys are the other view's: those of columns whose taps differ in number are left to check.cl, which finds the
// costs in last_costs.
static inline void find_keys(int* keys, int* right_keys, uint* costs, const Lane* l, bool edge, int x, int width,
                             Shared shared, __global uint* restrict last_costs) {
#if TAPS_DIFFER && BOTH_VIEWS
  const bool irregular = edge && x >= width - RX;
  if (irregular && x < width)
    UNROLL for (int k = 0; k < PAIRS; ++k) last_costs[((x - (width - RX)) * 32 + l->lane) * PAIRS + k] = costs[k];
#endif
  if (edge) leave_out(costs, l, x, width, shared.firsts);
  UNROLL for (int j = 0; j < OWN; ++j) keys[j] = right_keys[j] = key_of(costs[j / 2], j % 2, l->orders[j]);
#if TAPS_DIFFER
  if (edge) scaled_keys(keys, costs, l, x, width, shared.multiples);
#if BOTH_VIEWS
  if (irregular)
    UNROLL for (int j = 0; j < OWN; ++j) right_keys[j] = NO_KEY;
#endif
#endif
}

// x: the warp's first pixel; number: of its first column in the strip.
static inline void scan_row(uint (*sums)[PAIRS], const Lane* l, bool edge, int x, int number, int width, Shared shared,
                            __global uint* restrict last_costs) {
  uint window[PAIRS];
#if BOTH_VIEWS
  Rights rights;
  UNROLL for (int j = 0; j < OWN; ++j) rights.best[j] = NO_KEY;
#endif
  UNROLL for (int k = 0; k < PAIRS; ++k) {
    window[k] = 0;
    UNROLL for (int u = 0; u < 2 * RX; ++u) window[k] += sums[u][k];
  }
  // A pixel is finished one column later, while the warp's minimum for the next one is on its way.
  uint last_window[PAIRS];
  int last_keys[OWN], last_least = NO_KEY, last_best = NO_KEY;
  UNROLL for (int c = 0; c < COLUMNS; ++c) {
    int keys[OWN], right_keys[OWN];
    UNROLL for (int k = 0; k < PAIRS; ++k) window[k] += sums[c + 2 * RX][k] - (c > 0 ? sums[c > 0 ? c - 1 : 0][k] : 0);
    uint costs[PAIRS];
    UNROLL for (int k = 0; k < PAIRS; ++k) costs[k] = window[k];
    find_keys(keys, right_keys, costs, l, edge, x + c, width, shared, last_costs);
    const int least = own_least_key(keys), best = (int)warp_minimum((uint)least);
#if BOTH_VIEWS
    pass_on(&rights, right_keys, c, l->lane, shared.passed);
#endif
    uint2 minima;
    minima.x = 0, minima.y = (uint)best;
    if (c > 0)
      minima.x =
          look_around(shared.around + (c - 1) * 2 * PAIRS, last_best, last_window, last_keys, last_least, l, edge);
    if (l->lane == 0) *(LOCAL_POINTER uint2*)(shared.minima + 2 * c) = minima;
    last_best = best, last_least = least;
    UNROLL for (int k = 0; k < PAIRS; ++k) last_window[k] = costs[k];
    UNROLL for (int j = 0; j < OWN; ++j) last_keys[j] = keys[j];
  }
  const uint second =
      look_around(shared.around + (COLUMNS - 1) * 2 * PAIRS, last_best, last_window, last_keys, last_least, l, edge);
  if (l->lane == 0) shared.minima[2 * COLUMNS] = second;
#if BOTH_VIEWS
  join_rights(&rights, l, number, shared);
#endif
}

// The cost of candidate k in what the work-items around the winner noted.
static inline uint cost_of(LOCAL_POINTER const uint* around, int k) {
  const uint word = around[WARP_PLACE(OWN, k % (2 * OWN))];
  return WARP_IS_LOW(OWN, k) ? word & 0xFFFFu : word >> 16;
}

// The least cost of a work-item's candidates more than 1 px from the winner, or 0xFFFF; they are noted.
static inline uint least_noted(int lane, Shared shared, int winner) {
  uint costs[PAIRS], mask[PAIRS], count[PAIRS], least = 0xFFFFFFFFu;
  load_words(costs, shared.around + PAIRS * (lane & 1), PAIRS, PAIRS);
  load_words(mask, shared.masks + (winner - (lane * OWN - 1)) * PAIRS, PAIRS, PAIRS);
  UNROLL for (int k = 0; k < PAIRS; ++k) count[k] = 0xFFFFFFFFu;
  if (COUNT % OWN != 0 || OWN % 2 != 0)
    load_words(count, shared.firsts + clamp(COUNT - lane * OWN, 0, OWN) * PAIRS, PAIRS, PAIRS);
  UNROLL for (int k = 0; k < PAIRS; ++k) least = min_halves(least, costs[k] | mask[k] | ~count[k]);
  return min(least >> 16, least & 0xFFFFu);
}
// The same of those that the winner and its neighbours lie in.
static inline uint least_around(Shared shared, int winner) {
  const int own = winner / OWN;
  const int before = max(winner - 1, 0) / OWN, after = min(winner + 1, COUNT - 1) / OWN;
  const int other = before != own ? before : after;
  const uint least = least_noted(own, shared, winner);
  return other == own ? least : min(least, least_noted(other, shared, winner));
}

#if TIES_BY_LANES
// Whether a candidate of this work-item more than 1 px from the winner costs as little; its costs are noted. Taps
// differ where `scaled`.
static inline bool has_equal(int lane, Shared shared, Found f, bool scaled, int x, int width) {
  if (!scaled) return least_noted(lane, shared, f.k) == f.cost;
  bool equal = false;
  for (int k = lane * OWN; k < (lane + 1) * OWN; ++k)
    if (may_be_second_best(k, f.k) && is_candidate(k, x, width))
      equal = equal || is_as_cheap(cost_of(shared.around, k), tap_columns(k, x, width), f.cost, f.columns);
  return equal;
}

// Whether a candidate more than 1 px from the winner costs as little. `lanes`: the work-items of which one does. The
// winner is the first in the order of the tie rule, so all lie after it. The costs of its work-item are noted, and of
// the next one where the winner is the last of its own.
static inline bool is_tied_in(uint lanes, Shared shared, Found f, bool scaled, int x, int width) {
  const int own = f.k / OWN, next = clamp(f.k + (TIE_HIGHEST ? -1 : 1), 0, CANDIDATES - 1) / OWN;
  lanes &= ~(1u << (uint)own);
  if ((lanes & ~(1u << (uint)next)) != 0) return true;
  if (OWN > 2 && has_equal(own, shared, f, scaled, x, width)) return true;
  return lanes != 0 && has_equal(next, shared, f, scaled, x, width);
}
#endif

// What a warp noted about pixel x, for which `shared` has the minima and the costs around the winner.
static inline Found found_in(Shared shared, bool edge, int x, int width) {
  Found f;
  const int key = (int)shared.minima[1];
  f.any = key < NO_KEY, f.k = candidate_of(key);
  f.columns = f.second_columns = 1;
#if FULL
  const uint second = shared.minima[2];
  const bool scaled = edge && TAPS_DIFFER;
  f.cost = (uint)key >> ORDER_BITS;
  f.second = second >> ORDER_BITS;
  f.has_second = NEEDS_SECOND && second < (uint)NO_KEY;
#if NEEDS_SECOND
  if (!scaled) {
    f.second = min(min(f.second, 0xFFFFu), least_around(shared, f.k));
    f.has_second = f.second < 0xFFFFu;
  }
#endif
  f.pair = f.any && is_candidate(f.k - 1, x, width) && is_candidate(f.k + 1, x, width);
  f.before = f.after = 0;
  if (f.pair) f.before = cost_of(shared.around, f.k - 1), f.after = cost_of(shared.around, f.k + 1);
#if TAPS_DIFFER
  if (edge && f.any) {
    f.columns = tap_columns(f.k, x, width);
    f.cost /= (uint)shared.multiples[f.columns];
    f.pair = f.pair && tap_columns(f.k - 1, x, width) == f.columns && tap_columns(f.k + 1, x, width) == f.columns;
    if (f.has_second) {
      f.second_columns = tap_columns(candidate_of((int)second), x, width);
      f.second /= (uint)shared.multiples[f.second_columns];
    }
  }
#endif
#if TIES_BY_LANES
  f.tied = is_tied_in(second, shared, f, scaled, x, width);
#else
  f.tied = f.has_second && is_as_cheap(f.cost, f.columns, f.second, f.second_columns);
#endif
#endif
  return f;
}
