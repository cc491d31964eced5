// SPDX-License-Identifier: Apache-2.0
// One step of a point: the normal equations of Lucas and Kanade (An iterative image registration technique with an
// application to stereo vision, IJCAI, 1981, 4), solved in IEEE double. Sums over a window are whole numbers below
// 2^53; from there on every + - x / is rounded by itself, in the order written: nothing here may be contracted.
#ifndef VERGENCE_DEFINITIONS_TRACK_SOLVE_H
#define VERGENCE_DEFINITIONS_TRACK_SOLVE_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

VERGENCE_DEFINITION double determinant(int64 xx, int64 xy, int64 yy) {
  double a = VERGENCE_AS(double, xx), b = VERGENCE_AS(double, xy), c = VERGENCE_AS(double, yy);
  return (a * c) - (b * b);
}

/// A window whose sums of squared gradients tell no direction, or one alone: twice the smaller eigenvalue is below
/// `limit`. ((a + c) - sqrt((a - c)^2 + 4 b^2) < limit, without the root.)
VERGENCE_DEFINITION bool is_textureless(int64 xx, int64 xy, int64 yy, double limit) {
  double a = VERGENCE_AS(double, xx), b = VERGENCE_AS(double, xy), c = VERGENCE_AS(double, yy);
  double rest = (a + c) - limit, apart = a - c;
  double spread = (apart * apart) + (4.0 * (b * b));
  return rest < 0.0 || rest * rest < spread || determinant(xx, xy, yy) <= 0.0;
}

/// Rounded to the nearest unit, halves up; limited to 2^26 units, 65536 px.
VERGENCE_DEFINITION int step_units(double step, double unit) {
  double scaled = (step * unit) + 0.5, most = 67108864.0;
  if (scaled >= most) return 67108864;
  if (!(scaled > -most)) return -67108864;
  int whole = VERGENCE_AS(int, scaled);
  return VERGENCE_AS(double, whole) > scaled ? whole - 1 : whole;
}

/// Components of the step in units of a position; (x, y) are the sums of (I - J) x gradient, `unit` is 1024 x the scale
/// of gradients / that of patches.
VERGENCE_DEFINITION int step_x(int64 xx, int64 xy, int64 yy, double x, double y, double unit) {
  double b = VERGENCE_AS(double, xy), c = VERGENCE_AS(double, yy);
  return step_units(((c * x) - (b * y)) / determinant(xx, xy, yy), unit);
}
VERGENCE_DEFINITION int step_y(int64 xx, int64 xy, int64 yy, double x, double y, double unit) {
  double a = VERGENCE_AS(double, xx), b = VERGENCE_AS(double, xy);
  return step_units(((a * y) - (b * x)) / determinant(xx, xy, yy), unit);
}

/// Short enough to stop: `limit` is the square of epsilon in units, rounded down.
VERGENCE_DEFINITION bool is_short_step(int x, int y, int64 limit) {
  return VERGENCE_AS(int64, x) * x + VERGENCE_AS(int64, y) * y <= limit;
}
/// Two steps that undo each other, to 0.01 px: the point oscillates, and half of the last one is taken back.
VERGENCE_DEFINITION bool is_oscillation(int x, int y, int before_x, int before_y) {
  int sum_x = x + before_x, sum_y = y + before_y;
  return sum_x >= -10 && sum_x <= 10 && sum_y >= -10 && sum_y <= 10;
}
VERGENCE_DEFINITION int half_step(int step) { return step >> 1; }

VERGENCE_DEFINITIONS_END

#endif
