// SPDX-License-Identifier: Apache-2.0
// Loops over pixels are compiled for AVX2 too where this attribute stands before a function, and the one that the
// processor runs is called, with equal results: integers, and floating point without fused steps. GCC and glibc know
// how; instrumented programs are not ready where the loader chooses.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__) && !defined(__AVX2__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VERGENCE_FOR_AVX2 [[gnu::target_clones("avx2", "default"), gnu::flatten]]
#else
#define VERGENCE_FOR_AVX2
#endif
