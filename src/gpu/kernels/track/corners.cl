// SPDX-License-Identifier: Apache-2.0
// Corners of a frame from the gradients of level 0: scores, the least that counts, and the pixels no less than their
// neighbours, in any order. Equal to reference/track/corners.cpp.

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

// One group: least[0] = what a corner's score must exceed.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void threshold(__global const double* restrict bests, int count,
                                                     __global const double* restrict numbers,
                                                     __global double* restrict least, __global int* restrict found) {
  __local double shared[GROUP];
  const int item = (int)(get_local_id(1) * GROUP_W + get_local_id(0));
  double best = 0;
  for (int i = item; i < count; i += GROUP)
    if (bests[i] > best) best = bests[i];
  const double of_all = greatest(best, shared, item);
  if (item == 0) {
    least[0] = numbers[2] * of_all;
    found[0] = 0;
  }
}

// Counts the corners in found[0], and writes the first `capacity` of them, each as its score (two words), x and y.
__kernel WORK_GROUP(GROUP_W,
                    GROUP_H) void peaks(__global const double* restrict scores, __global const int* restrict table,
                                        __global const uchar* restrict mask, __global const double* restrict least,
                                        __global int* restrict found, __global double* restrict corners,
                                        GRID_CONSTANT CornerArguments arguments) {
  const int width = table[0];
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (!is_allowed(mask, &arguments, width, x, y)) return;
  __global const double* here = scores + (int64)y * width + x;
  const double mine = *here;
  if (!(mine > 0 && mine > least[0])) return;
  for (int v = -1; v <= 1; ++v)
    for (int u = -1; u <= 1; ++u)
      if (here[(int64)v * width + u] > mine) return;
  const int place = atomic_add(found, 1);
  if (place >= arguments.capacity) return;
  corners[2 * (int64)place] = mine;
  __global int* at = (__global int*)(corners + 2 * (int64)place + 1);
  at[0] = x;
  at[1] = y;
}
