// SPDX-License-Identifier: Apache-2.0
// Regions of a disparity map.
// Regions are trees of labels: a pixel's label is the number of a pixel of its region, its own or a lower one, and who
// follows labels comes to the region's root, which labels itself. Trees are joined in any order, without locks, by
// atomic minima (Komura, "GPU-based cluster-labeling algorithm without the use of conventional iteration", 2015; paths
// are halved on the way as in Jaiganesh and Burtscher, "A high-performance connected components implementation for
// GPUs", 2018). The shape of the trees depends on who came first; which pixels they hold does not, nor their size.
//
//   MAP      type of disparities: short or int
//   INVALID  the disparity that says there is none
#include "definitions/postfilter/speckle.h"
#include "gpu/shared/postfilter/postfilter.h"
#if !defined(MAP) || !defined(INVALID)
#error "regions need MAP and INVALID"
#endif

static inline bool are_joined(int a, int b, int range) { return is_same_region(a, b, range, INVALID); }

/// The root of a pixel's tree; halves the path to it. What was read may be old by then, but an old label leads to the
/// region as well, and a pixel that has a lower label than its own never becomes a root again.
static inline int find_root(volatile __global int* labels, int pixel) {
  int label = labels[pixel];
  while (label != pixel) {
    const int next = labels[label];
    if (next == label) return label;
    labels[pixel] = next;
    pixel = next;
    label = labels[pixel];
  }
  return pixel;
}

/// Makes one tree of those of two neighbours.
static inline void join(__global int* labels, int a, int b) {
  a = find_root(labels, a);
  b = find_root(labels, b);
  while (a != b) {
    const int high = max(a, b), low = min(a, b);
    const int before = atomic_min(&labels[high], low);
    if (before == high) return;
    // No root any more: someone gave it a lower label, whose tree is to be joined in its place.
    a = find_root(labels, before);
    b = find_root(labels, low);
  }
}
