// SPDX-License-Identifier: Apache-2.0
// The rules of hole filling: roundings and orders.
#ifndef VERGENCE_DEFINITIONS_FILTER_FILL_H
#define VERGENCE_DEFINITIONS_FILTER_FILL_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// `background`: of the nearest valid disparities on either side the smaller, which lies farther away; `invalid` stands
/// for a side that has none.
VERGENCE_DEFINITION int fill_background(int left, int right, int invalid) {
  if (left == invalid) return right;
  if (right == invalid) return left;
  return left < right ? left : right;
}

/// `mean`: of `count` > 0 valid values, rounded to the nearest, halves up.
VERGENCE_DEFINITION int64 fill_mean(int64 sum, int64 count) { return floor_divide(2 * sum + count, 2 * count); }

/// `mean_all`: the sum over the valid neighbours in a square window, divided by all its pixels but the centre, rounded
/// down.
VERGENCE_DEFINITION int64 fill_mean_all(int64 sum, int window) {
  return floor_divide(sum, VERGENCE_AS(int64, window) * window - 1);
}

/// `nearest`: the source at (dx_1, dy_1) from the hole goes before the one at (dx_2, dy_2): squared distance, then
/// raster order.
VERGENCE_DEFINITION bool is_nearer(int dx_1, int dy_1, int dx_2, int dy_2) {
  int64 distance_1 = VERGENCE_AS(int64, dx_1) * dx_1 + VERGENCE_AS(int64, dy_1) * dy_1;
  int64 distance_2 = VERGENCE_AS(int64, dx_2) * dx_2 + VERGENCE_AS(int64, dy_2) * dy_2;
  if (distance_1 != distance_2) return distance_1 < distance_2;
  return dy_1 != dy_2 ? dy_1 < dy_2 : dx_1 < dx_2;
}

/// `background`, empty rows: the row dy_1 away is copied rather than the one dy_2 away: the nearer, the upper of two.
VERGENCE_DEFINITION bool is_nearer_row(int dy_1, int dy_2) { return is_nearer(0, dy_1, 0, dy_2); }

VERGENCE_DEFINITIONS_END

#endif
