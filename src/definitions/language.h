// SPDX-License-Identifier: Apache-2.0
// The few macros that let one text be C++, OpenCL C and CUDA. The preludes of src/gpu/kernels define int64 and uint64
// for the latter two. Files in definitions/ hold small pure functions, included by every backend: of integers, and, for
// the 2x2 solve of tracks, corner scores and float filters, of double or float in one written order of operations. They
// use these macros, int, and what C++ and OpenCL C share.
#ifndef VERGENCE_DEFINITIONS_LANGUAGE_H
#define VERGENCE_DEFINITIONS_LANGUAGE_H

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)

#define VERGENCE_DEFINITIONS_BEGIN
#define VERGENCE_DEFINITIONS_END
#define VERGENCE_DEFINITION static inline
#define VERGENCE_AS(type, value) ((type)(value))
#define VERGENCE_POPCOUNT(word) ((int)popcount(word))
#define VERGENCE_FLOAT_OF_BITS(bits) as_float(bits)

#elif defined(__CUDACC_RTC__)

#define VERGENCE_DEFINITIONS_BEGIN
#define VERGENCE_DEFINITIONS_END
#define VERGENCE_DEFINITION static inline __device__
#define VERGENCE_AS(type, value) ((type)(value))
#define VERGENCE_POPCOUNT(word) ((int)popcount(word))
#define VERGENCE_FLOAT_OF_BITS(bits) __int_as_float(bits)

#else

#include <bit>
#include <cstdint>

#define VERGENCE_DEFINITIONS_BEGIN namespace vergence::definitions {
#define VERGENCE_DEFINITIONS_END }
#define VERGENCE_DEFINITION constexpr
#define VERGENCE_AS(type, value) static_cast<type>(value)
#define VERGENCE_POPCOUNT(word) std::popcount(word)
#define VERGENCE_FLOAT_OF_BITS(bits) std::bit_cast<float>(bits)
namespace vergence::definitions {
using int64 = std::int64_t;
using uint64 = std::uint64_t;
}  // namespace vergence::definitions

#endif

VERGENCE_DEFINITIONS_BEGIN

/// Quotient rounded towards minus infinity; the divisor is positive.
VERGENCE_DEFINITION int64 floor_divide(int64 dividend, int64 divisor) {
  int64 quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

VERGENCE_DEFINITION int64 absolute_difference(int64 a, int64 b) { return a > b ? a - b : b - a; }

VERGENCE_DEFINITIONS_END

#endif
