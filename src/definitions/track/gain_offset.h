// SPDX-License-Identifier: Apache-2.0
// Gain/offset compensation between two patches: the gain and the offset that give the target the mean and the deviation
// of the template (Jin, Favaro and Soatto, Real-time feature tracking and outlier rejection with changes in
// illumination, ICCV, 2001, has the model). From whole sums over the n samples of a window; doubles in the order
// written.
#ifndef VERGENCE_DEFINITIONS_TRACK_GAIN_OFFSET_H
#define VERGENCE_DEFINITIONS_TRACK_GAIN_OFFSET_H

#include "definitions/language.h"

VERGENCE_DEFINITIONS_BEGIN

/// n^2 x the variance, from the sum and the sum of squares.
VERGENCE_DEFINITION int64 n2_variance(int64 n, int64 sum, int64 squares) { return n * squares - sum * sum; }

/// Square of the gain, 1/64 .. 64; 1 where the target is flat.
VERGENCE_DEFINITION double squared_gain(int64 template_variance, int64 target_variance) {
  if (target_variance <= 0) return 1.0;
  double ratio = VERGENCE_AS(double, template_variance) / VERGENCE_AS(double, target_variance);
  return ratio < 0.015625 ? 0.015625 : ratio > 64.0 ? 64.0 : ratio;
}

/// n^2 x the covariance of a patch with a gradient, from the sum of products and both sums.
VERGENCE_DEFINITION int64 n2_covariance(int64 n, int64 products, int64 sum, int64 gradients) {
  return n * products - sum * gradients;
}

/// The sum of (I - J') x gradient, J' the target after gain and offset, from n^2 x the covariances of both.
VERGENCE_DEFINITION double compensated_sum(int64 n, int64 of_template, int64 of_target, double gain) {
  return (VERGENCE_AS(double, of_template) - (gain * VERGENCE_AS(double, of_target))) / VERGENCE_AS(double, n);
}

/// The gain with 14 bits, and the offset in patch units, for samples.
VERGENCE_DEFINITION int fixed_gain(double gain) { return VERGENCE_AS(int, (gain * 16384.0) + 0.5); }
VERGENCE_DEFINITION int fixed_offset(int64 n, int64 template_sum, int64 target_sum, int gain) {
  return VERGENCE_AS(int, floor_divide(16384 * template_sum - gain * target_sum + 8192 * n, 16384 * n));
}
VERGENCE_DEFINITION int compensated_sample(int sample, int gain, int offset) {
  return ((gain * sample + 8192) >> 14) + offset;
}

VERGENCE_DEFINITIONS_END

#endif
