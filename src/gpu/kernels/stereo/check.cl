// SPDX-License-Identifier: Apache-2.0
// The left-right check, on integer winners, at the partner's column. Equal to reference/stereo/check.cpp.
//
//   DOWN          pixels of a work-item, below each other
//   THRESHOLD     in the unit of GREY, from 0 on
//   GREY          1: the threshold is in 1/255 of COUNT, 0: in px
//   KEYS_OF_PATHS 1: the other view's keys are given that path_winners.cl noted, and its ORDER_BITS
//   KEYS_OF_WARP  1: the other view's keys are given that match_warp.cl noted, and its OWN, COLUMNS, WARPS,
//   ORDER_BITS
//                 and TAPS_DIFFER; 0: the other view's winners
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/left_right.h"
#include "gpu/shared/picture.h"
#include "stereo/settings.h"
#if !defined(DOWN) || !defined(THRESHOLD) || !defined(GREY) || !defined(KEYS_OF_WARP)
#error "check needs DOWN, THRESHOLD, GREY and KEYS_OF_WARP"
#endif
#if !defined(GROUP_W) || !defined(GROUP_H)
#error "check needs GROUP_W and GROUP_H"
#endif

#ifndef KEYS_OF_PATHS
#define KEYS_OF_PATHS 0
#endif
#if KEYS_OF_PATHS
static inline int winner_of_key(uint key) {
  const int order = (int)(key & ((1u << ORDER_BITS) - 1));
  return key == 0xFFFFFFFFu ? NO_WINNER : DMIN + (TIE_HIGHEST ? COUNT - 1 - order : order);
}
#endif
#if KEYS_OF_WARP
#include "gpu/shared/stereo/warp.h"
#include "stereo/rows.h"
#if !defined(OWN) || !defined(COLUMNS) || !defined(WARPS) || !defined(ORDER_BITS)
#error "check needs OWN, COLUMNS, WARPS and ORDER_BITS of match_warp.cl"
#endif
#define STRIP WARP_STEP(WARPS, COLUMNS)
#define CANDIDATES WARP_CANDIDATES(OWN)
#define NO_KEY WARP_NO_COST_KEY(ORDER_BITS)
// The winner of the other view's pixel p of the working orientation, from the keys that strips stored: at most two
// strips have keys of p, and their planes alternate. last_costs: of the reference's last RX columns in this row, where
// taps differ.
static inline int winner_of(__global const int* restrict planes, __global const uint* restrict last_costs, int p, int y,
                            int width, int height) {
  const int first = p + DMIN, strips = (width + STRIP - 1) / STRIP;  // the reference's pixel for candidate 0
  const int left = max(first, 0) / STRIP;
  int key = NO_KEY;
  for (int strip = left; strip <= left + 1 && strip < strips && strip * STRIP <= first + CANDIDATES - 1; ++strip)
    key = min(key, planes[((int64)(strip & 1) * height + y) * width + p]);
  const int order = key & ((1 << ORDER_BITS) - 1);
  int best = key >= NO_KEY ? -1 : TIE_HIGHEST ? CANDIDATES - 1 - order : order;
#if TAPS_DIFFER
  uint cost = (uint)key >> ORDER_BITS;
  int columns = min(RX, p) + 1 + RX;
  for (int x = max(max(width - RX, first), 0); x < width && x - first < COUNT; ++x) {
    const int k = x - first, here = min(RX, p) + 1 + min(RX, width - 1 - x);
    const uint word = last_costs[WARP_LAST_WORDS(OWN, x - (width - RX)) + WARP_PLACE(OWN, k)];
    const uint other = WARP_IS_LOW(OWN, k) ? word & 0xFFFFu : word >> 16;
    const bool cheaper = TIE_HIGHEST ? !is_cheaper(cost, columns, other, here) : is_cheaper(other, here, cost, columns);
    if (best < 0 || cheaper) best = k, cost = other, columns = here;
  }
#endif
  return best < 0 ? NO_WINNER : DMIN + best;
}
#endif

// The other view's winner at the partner of a pixel whose winner is d, and at a row's `last_costs`.
static ALWAYS_INLINE int other_at(__global const int* restrict other_winner, __global const uint* restrict last_costs,
                                  int x, int y, int d, PictureArguments picture) {
  const int width = picture.width, p = partner_column(x, d, MATCHES_LEFT);
  if (d == NO_WINNER || p < 0 || p >= width) return NO_WINNER;
#if KEYS_OF_WARP
  return winner_of(other_winner, last_costs + (int64)y * WARP_LAST_WORDS(OWN, RX), PICTURE_COLUMN(p), y, width,
                   picture.height);
#elif KEYS_OF_PATHS
  return winner_of_key((uint)other_winner[(int64)y * width + p]);
#else
  return other_winner[(int64)y * width + p];
#endif
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void check(__global const int* restrict winner,
                                                 __global const int* restrict other_winner,
                                                 __global const uint* restrict last_costs,
                                                 __global MAP* restrict disparity, __global uchar* restrict confidences,
                                                 const PictureArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int x = (int)get_global_id(0), top = (int)get_global_id(1) * DOWN;
  if (x >= width || top >= height) return;
  // Each step of all pixels before the next, so that they are waited for together.
  int found[DOWN], other[DOWN];
  UNROLL for (int i = 0; i < DOWN; ++i) found[i] = top + i < height ? winner[(int64)(top + i) * width + x] : NO_WINNER;
  UNROLL for (int i = 0; i < DOWN; ++i) other[i] = other_at(other_winner, last_costs, x, top + i, found[i], arguments);
  UNROLL for (int i = 0; i < DOWN; ++i) {
    const int d = found[i];
    if (d == NO_WINNER) continue;
    const bool agree = GREY ? agree_in_grey(d, other[i], THRESHOLD, COUNT) : agree_in_pixels(d, other[i], THRESHOLD);
    if (other[i] != NO_WINNER && agree) continue;
    const int64 at = (int64)(top + i) * width + x;
    disparity[at] = (MAP)(INVALID);
    if (CONFIDENCE) confidences[at] = 0;
  }
}
