// SPDX-License-Identifier: Apache-2.0
// Quotients by a divisor that serves often, to the same bits as `/`: by its reciprocal, corrected twice by the exact
// remainder (P. Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", IBM Journal of
// Research and Development 34, 1990, theorem 6).
#ifndef VERGENCE_DEFINITIONS_TRACK_QUOTIENT_H
#define VERGENCE_DEFINITIONS_TRACK_QUOTIENT_H

#include "definitions/language.h"

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__) || defined(__CUDACC_RTC__)
#define VERGENCE_FMA(a, b, c) fma(a, b, c)
#define VERGENCE_FMA_FUNCTION VERGENCE_DEFINITION
#else
#include <cmath>
#define VERGENCE_FMA(a, b, c) std::fma(a, b, c)
#define VERGENCE_FMA_FUNCTION inline
#endif

VERGENCE_DEFINITIONS_BEGIN

/// dividend / divisor, where `reciprocal` is 1 / divisor, rounded. Divisors are 1 or more; of dividends and quotients,
/// none but 0 is below 2^-500, and none is 2^500 or more.
VERGENCE_FMA_FUNCTION double quotient(double dividend, double divisor, double reciprocal) {
  double result = dividend * reciprocal;
  result = VERGENCE_FMA(VERGENCE_FMA(-result, divisor, dividend), reciprocal, result);
  return VERGENCE_FMA(VERGENCE_FMA(-result, divisor, dividend), reciprocal, result);
}

VERGENCE_DEFINITIONS_END

#endif
