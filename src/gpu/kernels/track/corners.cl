// SPDX-License-Identifier: Apache-2.0
// Corners of a frame from the gradients of level 0: scores, the least that counts, and the pixels no less than their
// neighbours, in any order. Equal to reference/track/corners.cpp. Then, of these, the best ones.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef BLOCK
#define BLOCK 3  // side of the square that gradients are summed over in px: 3, 5 or 7
#endif
#ifndef HARRIS
#define HARRIS 0  // 1: the score is Harris's; 0: Shi and Tomasi's
#endif
#ifndef HARRIS_K
#define HARRIS_K 0  // Harris's k, as definitions/track/eigen.h has it
#endif
#ifndef CORNER_SHIFT
#define CORNER_SHIFT 0  // bits that gradients are shifted by
#endif
// The launch configuration, and what the device can do:
#ifndef GROUP_W
#define GROUP_W 64  // work-items of a row of a group
#endif
#ifndef GROUP_H
#define GROUP_H 4  // rows of a group; GROUP_W * GROUP_H is a power of two
#endif

#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "definitions/track/eigen.h"
#include "gpu/shared/track/points.h"
#include "track/levels.h"

#define GROUP (GROUP_W * GROUP_H)
#define BINS_OF_ITEM (CORNER_BINS / GROUP)

// Positive scores grow with their bits.
static inline int bin_of(double score, double best) {
  union {
    double number;
    int64 bits;
  } one, most;
  one.number = score, most.number = best;
  const int64 below = (most.bits - one.bits) >> 44;
  return below < CORNER_BINS - 1 ? (int)below : CORNER_BINS - 1;
}

// Whether a pixel may be a corner. The mask has the frame's rows.
static inline bool is_allowed(__global const uchar* restrict mask, const CornerArguments* where, int width, int x,
                              int y) {
  if (x < where->left || y < where->top || x >= where->right || y >= where->bottom) return false;
  return !where->has_mask || mask[(int64)y * width + x] != 0;
}

// The greatest of a group's scores; all work-items are here.
static inline double greatest(double score, LOCAL_POINTER double* shared, int item) {
  shared[item] = score;
  GROUP_BARRIER();
  for (int half_group = GROUP / 2; half_group > 0; half_group /= 2) {
    if (item < half_group && shared[item + half_group] > shared[item]) shared[item] = shared[item + half_group];
    GROUP_BARRIER();
  }
  return shared[0];
}

// Scores of all pixels, and the best of each group's allowed ones. Gradients outside the picture are 0.
__kernel WORK_GROUP(GROUP_W,
                    GROUP_H) void score(__global const int* restrict gradients, __global const int* restrict table,
                                        __global const uchar* restrict mask, __global double* restrict scores,
                                        __global double* restrict bests, GRID_CONSTANT CornerArguments arguments) {
  __local double shared[GROUP];
  (void)get_local_id(0);  // before the first branch, for PoCL
  const Level level = level_of(table, 0);
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  double best = 0;
  if (x < level.width && y < level.height) {
    int xx = 0, xy = 0, yy = 0;
    for (int v = max(y - BLOCK / 2, 0); v <= min(y + BLOCK / 2, level.height - 1); ++v)
      for (int u = max(x - BLOCK / 2, 0); u <= min(x + BLOCK / 2, level.width - 1); ++u) {
        const int gradient = gradients[level.offset + (int64)v * level.pitch + u];
        const int a = across_of(gradient) >> CORNER_SHIFT, b = down_of(gradient) >> CORNER_SHIFT;
        xx += a * a;
        xy += a * b;
        yy += b * b;
      }
#if HARRIS
    const double here = VERGENCE_AS(double, harris_score(xx, xy, yy, HARRIS_K));
#else
    const double here = eigen_score(xx, xy, yy);
#endif
    scores[(int64)y * level.width + x] = here;
    if (here > 0 && is_allowed(mask, &arguments, level.width, x, y)) best = here;
  }
  const int item = (int)(get_local_id(1) * GROUP_W + get_local_id(0));
  const double of_group = greatest(best, shared, item);
  if (item == 0) bests[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = of_group;
}

// One group: least[0] = what a corner's score must exceed, least[1] = the best score. Nothing is counted yet.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void threshold(__global const double* restrict bests, int count,
                                                     __global const double* restrict numbers,
                                                     __global double* restrict least, __global int* restrict counts) {
  __local double shared[GROUP];
  const int item = (int)(get_local_id(1) * GROUP_W + get_local_id(0));
  double best = 0;
  for (int i = item; i < count; i += GROUP)
    if (bests[i] > best) best = bests[i];
  const double of_all = greatest(best, shared, item);
  if (item == 0) {
    least[0] = numbers[2] * of_all;
    least[1] = of_all;
  }
  for (int i = item; i < CORNER_COUNT_WORDS; i += GROUP) counts[i] = 0;
}

static inline bool is_peak(__global const double* here, int width) {
  for (int v = -1; v <= 1; ++v)
    for (int u = -1; u <= 1; ++u)
      if (here[(int64)v * width + u] > *here) return false;
  return true;
}
static inline void put(__global double* corners, int place, double score, int x, int y) {
  corners[2 * (int64)place] = score;
  __global int* at = (__global int*)(corners + 2 * (int64)place + 1);
  at[0] = x;
  at[1] = y;
}

// Counts the corners, and writes the first `capacity` of them, each as its score (two words), x and y. Those of a group
// find their places together.
__kernel WORK_GROUP(GROUP_W,
                    GROUP_H) void peaks(__global const double* restrict scores, __global const int* restrict table,
                                        __global const uchar* restrict mask, __global const double* restrict least,
                                        __global int* restrict counts, __global double* restrict corners,
                                        GRID_CONSTANT CornerArguments arguments) {
  __local int of_group, first;
  const int item = (int)(get_local_id(1) * GROUP_W + get_local_id(0));
  if (item == 0) of_group = 0;
  GROUP_BARRIER();
  const int width = table[0];
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  double mine = 0;
  bool peak = false;
  if (is_allowed(mask, &arguments, width, x, y)) {
    __global const double* here = scores + (int64)y * width + x;
    mine = *here;
    peak = mine > 0 && mine > least[0] && is_peak(here, width);
  }
  int place = 0;
  if (peak) {
    place = atomic_add(&of_group, 1);
    atomic_add(&counts[2 + bin_of(mine, least[1])], 1);
  }
  GROUP_BARRIER();
  if (item == 0 && of_group > 0) first = atomic_add(counts, of_group);
  GROUP_BARRIER();
  if (peak && place + first < arguments.capacity) put(corners, place + first, mine, x, y);
}

// One group: counts[1] = the last bin of the best corners that are `enough`, or all. best: a head of a corner's size,
// whose third word counts what `keep` writes behind it, and whose fourth one is how many corners there are.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void cut(__global int* restrict counts, int enough, __global int* restrict best) {
  __local int sums[GROUP];
  const int item = (int)(get_local_id(1) * GROUP_W + get_local_id(0));
  __global const int* bins = counts + 2 + item * BINS_OF_ITEM;
  int sum = 0;
  for (int i = 0; i < BINS_OF_ITEM; ++i) sum += bins[i];
  sums[item] = sum;
  GROUP_BARRIER();
  int before = 0;
  for (int i = 0; i < item; ++i) before += sums[i];
  // The bin in which the sum reaches `enough` is one work-item's.
  for (int i = 0; i < BINS_OF_ITEM; ++i) {
    const int after = before + bins[i];
    if (before < enough && after >= enough) counts[1] = item * BINS_OF_ITEM + i;
    before = after;
  }
  if (item == GROUP - 1) {
    if (before < enough) counts[1] = CORNER_BINS - 1;
    best[2] = 0, best[3] = before;
  }
}

// Writes to `best` those of the first `capacity` corners that lie in the bins that are kept, `most` of them at most.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void keep(__global const double* restrict corners,
                                                __global const double* restrict least,
                                                __global const int* restrict counts, __global double* restrict best,
                                                int capacity, int most) {
  const int count = min(counts[0], capacity), step = (int)(get_global_size(0) * get_global_size(1));
  const int item = (int)(get_global_id(1) * get_global_size(0) + get_global_id(0));
  for (int i = item; i < count; i += step) {
    const double score = corners[2 * (int64)i];
    if (bin_of(score, least[1]) > counts[1]) continue;
    const int place = atomic_add((__global int*)best + 2, 1);
    __global const int* at = (__global const int*)(corners + 2 * (int64)i + 1);
    if (place < most) put(best, 1 + place, score, at[0], at[1]);
  }
}
