// SPDX-License-Identifier: Apache-2.0
// What becomes of a pixel whose candidates have been searched: checks, sub-pixel position, and all outputs of `match`.
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "stereo/rows.h"
#include "stereo/settings.h"
// Of the launch code besides settings:
//   FULL            1: more than the winner is asked for (Found)
//   WANT_WINNER     1: writes integer winners
//   WANT_DISPARITY  1: writes disparities; 0: nothing but winners, also outside the region of interest
//   SMALL_COSTS     1: costs are below 2^16, and no sums over paths
#if !defined(FULL) || !defined(WANT_WINNER) || !defined(WANT_DISPARITY) || !defined(SMALL_COSTS)
#error "emit needs FULL, WANT_WINNER, WANT_DISPARITY and SMALL_COSTS"
#endif

// Where outputs go, and the region of interest.
typedef struct {
  __global MAP* disparity;
  __global int* winner;
  __global const uchar* textureless;
  __global uchar* confidences;
  __global uint* costs;  // four planes
  int width, height, roi_x, roi_y, roi_w, roi_h;
} Outputs;

static inline Outputs outputs_of(__global MAP* disparity, __global int* winner, __global const uchar* textureless,
                                 __global uchar* confidences, __global uint* costs, MatchArguments match) {
  const Outputs outputs = {disparity,    winner,      textureless, confidences, costs,      match.width,
                           match.height, match.roi_x, match.roi_y, match.roi_w, match.roi_h};
  return outputs;
}

// What was found out about a pixel. Without FULL, only the first two count.
typedef struct {
  bool any;  // there is a candidate
  int k;     // the best one, counted from DMIN
  uint cost;
  bool has_second;  // the best candidate more than 1 px away
  uint second;
  bool pair;  // both neighbours are candidates, and sum as many taps as the winner
  uint before, after;
  bool tied;                    // a candidate more than 1 px away costs as little; where REJECT_TIES
  int columns, second_columns;  // of taps, where TAPS_DIFFER
} Found;

static inline bool is_ambiguous_winner(Found f) {
  if (RATIO == 0 || !f.has_second) return false;
#if TAPS_DIFFER
  return is_ambiguous(f.cost, f.columns, f.second, f.second_columns, RATIO);
#elif SMALL_COSTS
  return is_ambiguous_small((int)f.cost, (int)f.second, RATIO);
#else
  return is_ambiguous(f.cost, 1, f.second, 1, RATIO);
#endif
}

static inline int between_candidates(Found f, int d) {
#if SMALL_COSTS && COST == COST_SAD
  return vfit_small(d, (int)f.before, (int)f.cost, (int)f.after);
#else
  return (int)(SUMS_PATHS == 0 && COST == COST_SAD ? vfit(d, f.before, f.cost, f.after)
                                                   : parabola(d, f.before, f.cost, f.after));
#endif
}

// x: in the working orientation; c: the pixel's candidates.
static inline void emit(Found f, Candidates c, int x, int y, Outputs to) {
  const int width = to.width;
  const bool whole = !WHOLE_WINDOWS || (x >= RX && x < width - RX && y >= RY && y < to.height - RY);
  const bool valid = f.any && whole;
  const int d = DMIN + f.k, px = PICTURE_COLUMN(x);
  const uint64 at = (uint64)(uint)y * (uint)width + (uint)px;  // one product, of words without sign
  const bool in_roi = px >= to.roi_x && px < to.roi_x + to.roi_w && y >= to.roi_y && y < to.roi_y + to.roi_h;
  if (WANT_WINNER) to.winner[at] = valid && (in_roi || !WANT_DISPARITY) ? d : NO_WINNER;
  bool keep = valid && in_roi;
  if (TEXTURE && to.textureless[at] != 0) keep = false;
  int value = SUBPIXELS * d;
#if FULL
  const bool pair = valid && f.pair;
  if (is_ambiguous_winner(f)) keep = false;
  if (REJECT_TIES && (f.tied || lacks_second_best(c, f.k))) keep = false;
  if (SUBPIXEL && pair) value = between_candidates(f, d);
  if (CONFIDENCE)
    to.confidences[at] = (uchar)(!keep          ? 0
                                 : f.has_second ? confidence(f.cost, f.columns, f.second, f.second_columns)
                                                : 255);
  if (COSTS) {
    const uint64 plane = (uint64)(uint)width * (uint)to.height;
    to.costs[at] = valid && in_roi ? f.cost : NO_COST;
    to.costs[at + plane] = valid && in_roi && f.has_second ? f.second : NO_COST;
    to.costs[at + 2 * plane] = pair && in_roi ? f.before : NO_COST;
    to.costs[at + 3 * plane] = pair && in_roi ? f.after : NO_COST;
  }
#endif
  if (WANT_DISPARITY) to.disparity[at] = keep ? (MAP)value : (MAP)(INVALID);
}
