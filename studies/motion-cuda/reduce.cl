// SPDX-License-Identifier: Apache-2.0
// The best candidate found on the device: a group for each line of results, then one for the lines' best. Of equal SADs
// the first in the order of the results wins.
#define CONDITION 0
#include "motion-cuda/candidate.h"

// The better of two, each a SAD and a place, comes to the lower one.
static inline void meet(LOCAL_POINTER int* sads, LOCAL_POINTER int* places, int lane, int other) {
  const bool better = sads[other] < sads[lane] || (sads[other] == sads[lane] && places[other] < places[lane]);
  if (better) {
    sads[lane] = sads[other];
    places[lane] = places[other];
  }
}

static inline void reduce_group(LOCAL_POINTER int* sads, LOCAL_POINTER int* places, int lane) {
  for (int half_count = SPAN / 2; half_count > 0; half_count /= 2) {
    GROUP_BARRIER();
    if (lane < half_count) meet(sads, places, lane, lane + half_count);
  }
}

// lines[2 * line] is the least SAD of a line, lines[2 * line + 1] its place in `results`.
__kernel WORK_GROUP(SPAN, 1) void reduce_lines(__global const int* restrict results, __global int* restrict lines,
                                               int first) {
  __local int sads[SPAN];
  __local int places[SPAN];
  const int lane = (int)get_local_id(0), line = first + (int)get_group_id(0);
  sads[lane] = results[line * SPAN + lane];
  places[lane] = line * SPAN + lane;
  reduce_group(sads, places, lane);
  if (lane == 0) {
    lines[2 * line] = sads[0];
    lines[2 * line + 1] = places[0];
  }
}

__kernel WORK_GROUP(SPAN, 1) void reduce_last(__global const int* restrict lines, __global int* restrict best) {
  __local int sads[SPAN];
  __local int places[SPAN];
  const int lane = (int)get_local_id(0);
  sads[lane] = lines[2 * lane];
  places[lane] = lines[2 * lane + 1];
  reduce_group(sads, places, lane);
  if (lane == 0) {
    best[0] = sads[0];
    best[1] = places[0];
  }
}
