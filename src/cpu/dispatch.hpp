// SPDX-License-Identifier: Apache-2.0
// Picks the variant of a SIMD function for a given target instead of Highway's process-wide choice, so that two devices
// of one process can run different targets. Included by .cpp files only, after cpu/foreach_target.hpp and
// hwy/highway.h.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

namespace vergence::cpu {

/// Index in a dispatch table of this translation unit of the best target compiled here that is at most `target`: not
/// every file is worth compiling for every target. Without the atomic store of hwy::ChosenTarget, which would wait at
/// each call until all that was streamed is in memory.
HWY_INLINE std::size_t dispatch_index([[maybe_unused]] std::int64_t target) {
#if HWY_IDE || ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0)
  return 0;  // a table of one entry
#else
  // The bits from the target's own on are those of the lesser targets. The last entry, of the baseline without vectors,
  // is there for a target below all that were compiled in.
  const std::int64_t entries = HWY_CHOSEN_TARGET_SHIFT(-target) | HWY_CHOSEN_TARGET_MASK_SCALAR;
  return hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<std::uint64_t>(entries & HWY_CHOSEN_TARGET_MASK_TARGETS));
#endif
}

}  // namespace vergence::cpu

// Targets whose code another object holds are declared, by the type of the code in this one. They are weak: a program
// for one machine alone has no such object, and its device `cpu` never asks for those targets (cpu/simd.cpp).
#ifdef VERGENCE_SIMD_FIRST
#define VERGENCE_SIMD_ELSEWHERE(NAMESPACE, FUNCTION)                                \
  namespace NAMESPACE {                                                             \
  extern decltype(VERGENCE_SIMD_COMPILED::FUNCTION) FUNCTION __attribute__((weak)); \
  }
#define VERGENCE_SIMD_OTHER_AVX3_DL(FUNCTION) VERGENCE_SIMD_ELSEWHERE(N_AVX3_DL, FUNCTION)
#define VERGENCE_SIMD_OTHER_AVX3(FUNCTION) VERGENCE_SIMD_ELSEWHERE(N_AVX3, FUNCTION)
#define VERGENCE_SIMD_OTHER_AVX2(FUNCTION) VERGENCE_SIMD_ELSEWHERE(N_AVX2, FUNCTION)
#define VERGENCE_SIMD_OTHER_SSE4(FUNCTION) VERGENCE_SIMD_ELSEWHERE(N_SSE4, FUNCTION)
#define VERGENCE_SIMD_OTHER_SSSE3(FUNCTION) VERGENCE_SIMD_ELSEWHERE(N_SSSE3, FUNCTION)
#if VERGENCE_SIMD_FIRST_HERE == HWY_AVX3_DL
#define VERGENCE_SIMD_COMPILED N_AVX3_DL
#undef VERGENCE_SIMD_OTHER_AVX3_DL
#define VERGENCE_SIMD_OTHER_AVX3_DL(FUNCTION)
#elif VERGENCE_SIMD_FIRST_HERE == HWY_AVX3
#define VERGENCE_SIMD_COMPILED N_AVX3
#undef VERGENCE_SIMD_OTHER_AVX3
#define VERGENCE_SIMD_OTHER_AVX3(FUNCTION)
#elif VERGENCE_SIMD_FIRST_HERE == HWY_AVX2
#define VERGENCE_SIMD_COMPILED N_AVX2
#undef VERGENCE_SIMD_OTHER_AVX2
#define VERGENCE_SIMD_OTHER_AVX2(FUNCTION)
#elif VERGENCE_SIMD_FIRST_HERE == HWY_SSE4
#define VERGENCE_SIMD_COMPILED N_SSE4
#undef VERGENCE_SIMD_OTHER_SSE4
#define VERGENCE_SIMD_OTHER_SSE4(FUNCTION)
#else
#define VERGENCE_SIMD_COMPILED N_SSSE3
#undef VERGENCE_SIMD_OTHER_SSSE3
#define VERGENCE_SIMD_OTHER_SSSE3(FUNCTION)
#endif
#define VERGENCE_SIMD_OTHERS(FUNCTION)  \
  VERGENCE_SIMD_OTHER_AVX3_DL(FUNCTION) \
  VERGENCE_SIMD_OTHER_AVX3(FUNCTION)    \
  VERGENCE_SIMD_OTHER_AVX2(FUNCTION)    \
  VERGENCE_SIMD_OTHER_SSE4(FUNCTION)    \
  VERGENCE_SIMD_OTHER_SSSE3(FUNCTION)
#else
#define VERGENCE_SIMD_OTHERS(FUNCTION)
#endif

/// Makes the table of a function that each target defines in its own namespace.
#define VERGENCE_SIMD_EXPORT(FUNCTION) VERGENCE_SIMD_OTHERS(FUNCTION) HWY_EXPORT(FUNCTION)
/// VERGENCE_DISPATCH(Function, target)(arguments...)
#define VERGENCE_DISPATCH(FUNCTION, TARGET) (*(HWY_DISPATCH_TABLE(FUNCTION)[::vergence::cpu::dispatch_index(TARGET)]))
