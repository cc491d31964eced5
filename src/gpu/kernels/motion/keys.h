// SPDX-License-Identifier: Apache-2.0
// Keys of candidates: J in the upper bits, the tie rule (motion_place) in the lower ones. The least key is the
// winner's, in whatever order the candidates are tried.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef FOUND
#define FOUND 0  // 1: elimination.cl has found the best keys of most blocks
#endif

#include "definitions/motion/order.h"

#define NO_KEY (~(uint64)0)
#define KEY_PLACE_BITS VERGENCE_MOTION_PLACE_BITS
#define KEY_PLACE_MASK ((1u << KEY_PLACE_BITS) - 1)
#if FOUND
#define FOUND_PARAMETER , __global const uint64* restrict found
#define HARD_PARAMETER , __global const uint* restrict hard
#else
#define FOUND_PARAMETER
#define HARD_PARAMETER
#endif

static inline uint64 key_of(uint64 j, int dx, int dy) { return j << KEY_PLACE_BITS | (uint64)motion_place(dx, dy); }
/// The displacement of a motion_place.
static inline int y_of_motion(int place) { return place / 2 % VERGENCE_MOTION_DISPLACEMENTS - VERGENCE_MOTION_REACH; }
static inline int x_of_motion(int place) {
  const int length = place / 2 / VERGENCE_MOTION_DISPLACEMENTS, dy = y_of_motion(place);
  const int size_x = length - (dy < 0 ? -dy : dy);
  return (place & 1) != 0 ? size_x : -size_x;
}
