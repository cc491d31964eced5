// SPDX-License-Identifier: Apache-2.0
// Keys of candidates: J and the whole tie rule in one number, so that the least key is the winner's, whoever finds it
// when.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef FOUND
#define FOUND 0  // 1: elimination.cl has found the best keys of most blocks
#endif

#include "definitions/motion/order.h"

#define NO_KEY (~(uint64)0)
#if FOUND
#define FOUND_PARAMETER , __global const uint64* restrict found
#define HARD_PARAMETER , __global const uint* restrict hard
#else
#define FOUND_PARAMETER
#define HARD_PARAMETER
#endif

static inline uint64 key_of(uint64 j, int dx, int dy) { return j << 22 | (uint64)motion_place(dx, dy); }
/// motion_place read backwards.
static inline int x_of_motion(int place) {
  const int length = place / 2 / 1025, dy = place / 2 % 1025 - 512;
  const int size_x = length - (dy < 0 ? -dy : dy);
  return (place & 1) != 0 ? size_x : -size_x;
}
static inline int y_of_motion(int place) { return place / 2 % 1025 - 512; }
