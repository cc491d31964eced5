// SPDX-License-Identifier: Apache-2.0
// The speckle filter. Equal to reference/postfilter/speckle.cpp.
//
//   MAP, INVALID  regions.h
#include "packed.h"
#include "postfilter/regions.h"
#if !defined(GROUP_W) || !defined(GROUP_H)
#error "speckle needs GROUP_W and GROUP_H"
#endif

// Where a run of pixels lies in a group's row: its first place, and whether a place is its last one.
typedef struct {
  int first;
  bool is_last;
} Run;

#if defined(VERGENCE_NVIDIA) && GROUP_W % 32 == 0
#define RUN_WORDS (GROUP_W / 32)
// starts: a bit for each place of the row at which a run begins.
static inline Run run_of(bool begins, int i, LOCAL_POINTER uint* starts) {
  const uint word = lanes_where(begins);
  if (i % 32 == 0) starts[i / 32] = word;
  GROUP_BARRIER();
  int number = i / 32;
  uint before = word & 0xFFFFFFFFu >> (31 - i % 32);
  while (before == 0) before = starts[--number];  // place 0 begins one
  const uint next = i % 32 < 31 ? word >> (i % 32 + 1) : i < GROUP_W - 1 ? starts[i / 32 + 1] : 1;
  const Run run = {32 * number + 31 - (int)clz(before), (next & 1u) != 0};
  return run;
}
#else
#define RUN_WORDS GROUP_W
// firsts: for each place of the row, one of its run.
static inline Run run_of(bool begins, int i, LOCAL_POINTER uint* firsts) {
  uint first = begins ? (uint)i : (uint)(i - 1);
  firsts[i] = first;
  GROUP_BARRIER();
  for (int reach = 1; reach < GROUP_W; reach *= 2) {  // twice as far to the left each time
    first = firsts[first];
    GROUP_BARRIER();
    firsts[i] = first;
    GROUP_BARRIER();
  }
  const Run run = {(int)first, i == GROUP_W - 1 || firsts[i + 1] == (uint)i + 1};
  return run;
}
#endif

/// Trees of the runs of joined pixels in a group's rows, rooted in the first pixel, which holds the run's length; other
/// pixels hold 0. An invalid pixel is a run.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void find_runs(__global const MAP* restrict map, __global int* restrict labels,
                                                     __global int* restrict sizes, const SpeckleArguments arguments) {
  const int width = arguments.width, height = arguments.height, range = arguments.range;
  __local uint words[GROUP_H][RUN_WORDS];
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  const int i = (int)get_local_id(0), row = (int)get_local_id(1);
  const bool inside = x < width && y < height;
  const int at = inside ? y * width + x : 0;
  const bool goes_on = inside && i > 0 && are_joined(map[at - 1], map[at], range);
  const Run run = run_of(!goes_on, i, words[row]);
  if (!inside) return;
  labels[at] = at - i + run.first;
  if (run.first != i) sizes[at] = 0;
  if (run.is_last) sizes[at - i + run.first] = i - run.first + 1;
}

/// Joins what find_runs left apart: pixels above each other, and runs that go on in the next group.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void join_runs(__global const MAP* restrict map, __global int* restrict labels,
                                                     const SpeckleArguments arguments) {
  const int width = arguments.width, height = arguments.height, range = arguments.range;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const int value = map[at];
  const bool joins_left = x > 0 && are_joined(map[at - 1], value, range);
  if (joins_left && x % GROUP_W == 0) join(labels, at, at - 1);
  if (y == 0 || !are_joined(map[at - width], value, range)) return;
  // Where the pixels to the left join both ways, they have joined both rows already.
  const bool is_done = joins_left && are_joined(map[at - width - 1], map[at - width], range) &&
                       are_joined(map[at - width - 1], map[at - 1], range);
  if (!is_done) join(labels, at, at - width);
}

/// Adds the lengths of runs to those of the roots, as long as these might be speckles: regions that are not need no
/// more.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void count_regions(__global int* restrict labels, __global int* restrict sizes,
                                                         const SpeckleArguments arguments) {
  const int width = arguments.width, height = arguments.height, speckle_size = arguments.size;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const int length = sizes[at];
  if (length == 0) return;
  const int root = find_root(labels, at);
  volatile __global int* size = sizes + root;
  if (root != at && is_speckle(*size, speckle_size)) atomic_add(&sizes[root], length);
}

__kernel WORK_GROUP(GROUP_W, GROUP_H) void remove_speckles(__global const int* restrict labels,
                                                           __global const int* restrict sizes,
                                                           __global MAP* restrict map,
                                                           const SpeckleArguments arguments) {
  const int width = arguments.width, height = arguments.height, speckle_size = arguments.size;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  int root = labels[at];
  while (labels[root] != root) root = labels[root];
  if (is_speckle(sizes[root], speckle_size)) map[at] = (MAP)(INVALID);
}
