// SPDX-License-Identifier: Apache-2.0
// Loops over small arrays: unrolled where these live in registers; left alone on processors, whose compilers take half
// a minute for what they would win nothing by.
#if !defined(ROLLED)
#error "spread needs ROLLED (0 or 1: the device is a processor)"
#endif
#if ROLLED
#define SPREAD NO_UNROLL
#else
#define SPREAD UNROLL
#endif
