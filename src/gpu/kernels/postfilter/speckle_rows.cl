// SPDX-License-Identifier: Apache-2.0
// The speckle filter where work-items are loops on a CPU (OpenCL alone). A work-item takes BAND rows. Equal to
// reference/postfilter/speckle.cpp.
// A run of joined pixels of a row is known by its first pixel, its start. Trees are of starts; the labels of all other
// pixels name theirs, and nothing changes them.
//
//   MAP, INVALID  regions.h
//   BAND          rows of a work-item
#include "postfilter/regions.h"
#ifndef BAND
#error "speckle_rows needs BAND"
#endif

// The rows of a work-item: y from the first one to the one before `end`.
#define FOR_ROWS(y, end)                                          \
  const int end = min(((int)get_group_id(0) + 1) * BAND, height); \
  for (int y = (int)get_group_id(0) * BAND; y < end; ++y)

/// Of starts `sizes` holds the run's length, of other pixels 0.
__kernel WORK_GROUP(1, 1) void find_runs(__global const MAP* restrict map, __global int* restrict labels,
                                         __global int* restrict sizes, const SpeckleArguments arguments) {
  const int width = arguments.width, height = arguments.height, range = arguments.range;
  FOR_ROWS(y, end) {
    int start = y * width, before = INVALID;
    for (int at = start; at < (y + 1) * width; ++at) {
      const int value = map[at];
      if (!are_joined(before, value, range)) {
        if (at > start) sizes[start] = at - start;
        start = at;
      }
      labels[at] = start;
      sizes[at] = 0;
      before = value;
    }
    sizes[start] = (y + 1) * width - start;
  }
}

/// Joins runs that have pixels above each other.
__kernel WORK_GROUP(1, 1) void join_runs(__global const MAP* restrict map, __global int* restrict labels,
                                         const SpeckleArguments arguments) {
  const int width = arguments.width, height = arguments.height, range = arguments.range;
  FOR_ROWS(y, end) {
    if (y == 0) continue;
    int start = y * width, before = INVALID, last_start = -1, last_above = -1;
    for (int at = start; at < (y + 1) * width; ++at) {
      const int value = map[at];
      if (!are_joined(before, value, range)) start = at;
      before = value;
      if (!are_joined(map[at - width], value, range)) continue;
      const int above = labels[at - width];
      if (start == last_start && above == last_above) continue;
      join(labels, start, above);
      last_start = start;
      last_above = above;
    }
  }
}

/// Adds the lengths of runs to those of the roots, as long as these might be speckles: regions that are not need no
/// more.
__kernel WORK_GROUP(1, 1) void count_regions(__global int* restrict labels, __global int* restrict sizes,
                                             const SpeckleArguments arguments) {
  const int width = arguments.width, height = arguments.height, speckle_size = arguments.size;
  FOR_ROWS(y, end) {
    for (int at = y * width; at < (y + 1) * width; ++at) {
      const int length = sizes[at];
      if (length == 0) continue;
      const int root = find_root(labels, at);
      volatile __global int* size = sizes + root;
      if (root != at && is_speckle(*size, speckle_size)) atomic_add(&sizes[root], length);
    }
  }
}

__kernel WORK_GROUP(1, 1) void remove_speckles(__global const int* restrict labels, __global const int* restrict sizes,
                                               __global MAP* restrict map, const SpeckleArguments arguments) {
  const int width = arguments.width, height = arguments.height, speckle_size = arguments.size;
  FOR_ROWS(y, end) {
    int start = -1;
    bool removed = false;
    for (int at = y * width; at < (y + 1) * width; ++at) {
      const int label = labels[at];
      if (label != start) {  // else of the same run, or of one that was joined to it
        int root = label;
        while (labels[root] != root) root = labels[root];
        removed = is_speckle(sizes[root], speckle_size);
        start = sizes[at] != 0 ? at : label;
      }
      if (removed) map[at] = (MAP)(INVALID);
    }
  }
}
