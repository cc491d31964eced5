// SPDX-License-Identifier: Apache-2.0
// Loops over small arrays: unrolled where these live in registers; not unrolled on CPUs, whose compilers take half
// a minute for what they would win nothing by.

// The launch configuration, and what the device can do:
#ifndef ROLLED
#define ROLLED 0  // 1 on CPUs: loops over small arrays are not unrolled
#endif

#if ROLLED
#define SPREAD NO_UNROLL
#else
#define SPREAD UNROLL
#endif
