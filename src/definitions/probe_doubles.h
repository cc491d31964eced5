// SPDX-License-Identifier: Apache-2.0
// As probe.h, of the definitions that take doubles: for devices that have them.
#ifndef VERGENCE_DEFINITIONS_PROBE_DOUBLES_H
#define VERGENCE_DEFINITIONS_PROBE_DOUBLES_H

#include "definitions/probe.h"
#include "definitions/track/eigen.h"
#include "definitions/track/gain_offset.h"
#include "definitions/track/solve.h"

VERGENCE_DEFINITIONS_BEGIN

/// Of four numbers 0 .. 2^20 - 1: sums over a window as tracks have them, and what is solved from them. Multiplied by
/// powers of two, doubles become whole numbers that hold all their bits.
VERGENCE_ROOT_FUNCTION uint64 probe_double_definitions(int a, int b, int c, int d) {
  int64 xx = VERGENCE_AS(int64, a) * 1021 + 1, yy = VERGENCE_AS(int64, b) * 977 + 1, n = (c & 4095) + 1;
  int64 product = VERGENCE_AS(int64, c) * 911 - VERGENCE_AS(int64, d) * 907;
  int64 least = xx < yy ? xx : yy, xy = product % least;
  int64 first = (VERGENCE_AS(int64, d) - c) * 509, second = (VERGENCE_AS(int64, a) - d) * 503;
  double x = VERGENCE_AS(double, first), y = VERGENCE_AS(double, second);
  uint64 hash = mix(1, VERGENCE_AS(int64, eigen_score(xx, xy, yy) * 16777216.0));
  hash = mix(hash, VERGENCE_AS(int64, determinant(xx >> 16, xy >> 16, yy >> 16) * 1024.0));
  hash = yes(hash, is_textureless(xx, xy, yy, VERGENCE_AS(double, least) * 1.37));
  int across = step_x(xx, xy, yy, x, y, 1024.0), down = step_y(xx, xy, yy, x, y, 1024.0);
  hash = mix(mix(hash, across), down);
  hash = yes(hash, is_short_step(across, down, VERGENCE_AS(int64, d) * d));
  hash = yes(hash, is_oscillation(across, down, (a & 31) - across - 15, (b & 31) - down - 15));
  int64 before = n2_variance(n, c & 1023, VERGENCE_AS(int64, a) * 7), after = n2_variance(n, d & 1023, b);
  double gain = root_of(squared_gain(before, after));
  hash = mix(hash, VERGENCE_AS(int64, gain * 1125899906842624.0));
  int64 shared = n2_covariance(n, first, c & 255, d & 255), other = n2_covariance(n, second, d & 255, c & 255);
  hash = mix(hash, VERGENCE_AS(int64, compensated_sum(n, shared, other, gain) * 65536.0));
  int fixed = fixed_gain(gain), offset = fixed_offset(n, n * (a & 8191), n * (b & 8191), fixed);
  return mix(mix(mix(hash, fixed), offset), half_step(compensated_sample(c & 8191, fixed, offset)));
}

VERGENCE_DEFINITIONS_END

#endif
