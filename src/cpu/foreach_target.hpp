// SPDX-License-Identifier: Apache-2.0
// Compiles the .cpp file that includes this once for each SIMD target, in one object or in two. Before it the file
// defines VERGENCE_SIMD_FILE, its own name below src/, and after it includes hwy/highway.h.
//
// With VERGENCE_SIMD_FIRST (a target, HWY_AVX2) the code of one target, the best that is at most this one, comes into
// the file's own object, and that of the others into a second object, made from the same text with VERGENCE_SIMD_REST
// defined. So a program for the machine that builds it needs the first objects only, and nothing is compiled twice.
#pragma once

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd_pass-inl.h"

// Of the targets at most VERGENCE_SIMD_FIRST, whose bits are higher, the best has the lowest bit.
#ifdef VERGENCE_SIMD_FIRST
#define VERGENCE_SIMD_FIRST_HERE ((HWY_TARGETS & -VERGENCE_SIMD_FIRST) & -(HWY_TARGETS & -VERGENCE_SIMD_FIRST))
#endif

/// Whether the code for HWY_TARGET belongs to this object.
#ifndef VERGENCE_SIMD_FIRST
#define VERGENCE_SIMD_HERE 1
#elif defined(VERGENCE_SIMD_REST)
#define VERGENCE_SIMD_HERE (HWY_TARGET != VERGENCE_SIMD_FIRST_HERE)
#else
#define VERGENCE_SIMD_HERE (HWY_TARGET == VERGENCE_SIMD_FIRST_HERE)
#endif

/// Whether the code that stands once in the file is compiled now: in its own object, after all targets.
#ifdef VERGENCE_SIMD_REST
#define VERGENCE_SIMD_ONCE 0
#else
#define VERGENCE_SIMD_ONCE HWY_ONCE
#endif

#include <hwy/foreach_target.h>
