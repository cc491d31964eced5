// SPDX-License-Identifier: Apache-2.0
// The last step of an exhaustive search whose candidates form tiles: the least of a block's keys. A key holds
// J and the whole tie rule, so that no order of work matters. A work-item has a block.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef LAMBDA
#define LAMBDA 0  // weight of a vector's bits in J, 0 and up
#endif
#ifndef SECOND_BEST
#define SECOND_BEST 0  // 1: only the second best J is wanted, of blocks whose vectors are known
#endif
// The launch configuration, and what the device can do:
#ifndef TILES
#define TILES 1  // tiles of a block
#endif

#include "definitions/motion/rate.h"
#include "gpu/shared/motion/exhaustive.h"
#include "motion/keys.h"

__kernel WORK_GROUP(64, 1) void choose(__global const uint64* restrict keys, __global const short* restrict predictions,
                                       __global short* restrict vectors, __global uint64* restrict costs,
                                       __global uint64* restrict all_j,
                                       __global uint64* restrict second_j FOUND_PARAMETER,
                                       GRID_CONSTANT ChooseArguments arguments) {
  const int index = (int)get_global_id(0);
  if (index >= arguments.blocks) return;
  uint64 key = NO_KEY;
#if FOUND
  key = found[index];
  if (key == NO_KEY)
#endif
    for (int tile = 0; tile < TILES; ++tile) key = min(key, keys[index * TILES + tile]);
  const uint64 j = key >> KEY_PLACE_BITS;
#if SECOND_BEST
  second_j[index] = key == NO_KEY ? NO_KEY : j;
#else
  const int place = (int)(key & KEY_PLACE_MASK), dx = x_of_motion(place), dy = y_of_motion(place);
  const int px = arguments.predicted != 0 ? predictions[2 * index] : 0,
            py = arguments.predicted != 0 ? predictions[2 * index + 1] : 0;
  vectors[2 * index] = (short)(4 * dx);
  vectors[2 * index + 1] = (short)(4 * dy);
  all_j[index] = j;
  costs[index] = j - (LAMBDA == 0 ? 0 : motion_rate(LAMBDA, vector_bits(4 * dx, 4 * dy, px, py)));
#endif
}
