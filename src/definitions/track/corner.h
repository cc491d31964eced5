// SPDX-License-Identifier: Apache-2.0
// Corner scores from sums of squares and products of gradients (at most 4095, see scale.h) over a square of at most 7x7.
#ifndef VERGENCE_DEFINITIONS_TRACK_CORNER_H
#define VERGENCE_DEFINITIONS_TRACK_CORNER_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// Twice the smaller eigenvalue (Shi and Tomasi, Good features to track, CVPR, 1994) is xx + yy - the root of this; sums
/// are below 2^30, so it is below 2^62.
VERGENCE_DEFINITION int64 eigen_spread(int64 xx, int64 xy, int64 yy) { return (xx - yy) * (xx - yy) + 4 * xy * xy; }

/// 100 x (determinant - k / 100 x trace^2) of quarters of the sums (Harris and Stephens, A combined corner and edge
/// detector, Alvey Vision Conference, 1988); k = 1 .. 25. Below 2^62.
VERGENCE_DEFINITION int64 harris_score(int64 xx, int64 xy, int64 yy, int k) {
  int64 a = xx >> 2, b = xy >> 2, c = yy >> 2;
  return 100 * (a * c - b * b) - k * (a + c) * (a + c);
}

VERGENCE_DEFINITIONS_END

#endif
