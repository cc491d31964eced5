// SPDX-License-Identifier: Apache-2.0
// A column's sums of absolute differences for two candidates, when a row enters its window and another leaves.
#include "packed.h"
#if !defined(HALF_SUMS)
#error "exchange needs HALF_SUMS (columns' sums are below 2048)"
#endif

// Both halves: sum + |a - b| - |c - d|, of bytes.
static inline uint exchange_pair(uint sum, uint a, uint b, uint c, uint d) {
#if HALF_SUMS
  return exchange_difference(sum, a, b, c, d);
#else
  const uint positive = 0x01000100u;  // keeps the halves from borrowing
  return sum + (exchange_difference(positive, a, b, c, d) - positive);
#endif
}
// The same in the halves whose bits are set in `mask`; the others stay.
static inline uint exchange_masked(uint sum, uint a, uint b, uint c, uint d, uint mask) {
#if HALF_SUMS
  return (exchange_difference(sum, a, b, c, d) & mask) | (sum & ~mask);
#else
  const uint positive = 0x01000100u;
  return sum + (((exchange_difference(positive, a, b, c, d) & mask) | (positive & ~mask)) - positive);
#endif
}
