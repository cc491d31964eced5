// SPDX-License-Identifier: Apache-2.0
// Shi and Tomasi's score: the one definition that takes a root, which IEEE rounds correctly as it does + - x /.
#ifndef VERGENCE_DEFINITIONS_TRACK_EIGEN_H
#define VERGENCE_DEFINITIONS_TRACK_EIGEN_H

#include "definitions/track/corner.h"

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__) || defined(__CUDACC_RTC__)
#define VERGENCE_ROOT(x) sqrt(x)
#define VERGENCE_ROOT_FUNCTION VERGENCE_DEFINITION
#else
#include <cmath>
#define VERGENCE_ROOT(x) std::sqrt(x)
#define VERGENCE_ROOT_FUNCTION inline
#endif

VERGENCE_DEFINITIONS_BEGIN

/// Twice the smaller eigenvalue.
VERGENCE_ROOT_FUNCTION double eigen_score(int64 xx, int64 xy, int64 yy) {
  return VERGENCE_AS(double, xx + yy) - VERGENCE_ROOT(VERGENCE_AS(double, eigen_spread(xx, xy, yy)));
}

/// The gain whose square squared_gain (gain_offset.h) gives.
VERGENCE_ROOT_FUNCTION double root_of(double square) { return VERGENCE_ROOT(square); }

VERGENCE_DEFINITIONS_END

#endif
