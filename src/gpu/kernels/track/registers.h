// SPDX-License-Identifier: Apache-2.0
// Loops over what lies in registers: unrolled, except on CPUs, where it lies in memory and compilers take long over
// it.

// The launch configuration, and what the device can do:
#ifndef ROLLED
#define ROLLED 0  // 1 on CPUs: loops over registers are not unrolled
#endif

#if ROLLED
#define REGISTERS NO_UNROLL
#else
#define REGISTERS UNROLL
#endif
// Runs `call` with `inside` as a constant, so that compilers make code for windows within the picture apart.
#if ROLLED
#define FOR_INSIDE(is_inside, call) \
  {                                 \
    const bool inside = is_inside;  \
    call;                           \
  }
#else
#define FOR_INSIDE(is_inside, call) \
  if (is_inside) {                  \
    const bool inside = true;       \
    call;                           \
  } else {                          \
    const bool inside = false;      \
    call;                           \
  }
#endif
