// SPDX-License-Identifier: Apache-2.0
// Pictures and maps of callers: moves rows to or from a place without gaps, and looks for pixels above the largest
// value. Firsts and pitches count pixels.
#include "gpu/shared/stereo/images.h"
#if !defined(PIXEL) || !defined(GROUP_W) || !defined(GROUP_H)
#error "images needs PIXEL, GROUP_W and GROUP_H, and MAX_VALUE for what looks for larger ones"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void copy_rows(__global const PIXEL* restrict in, __global PIXEL* restrict out,
                                                     const CopyRowsArguments arguments) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= arguments.width || y >= arguments.height) return;
  out[arguments.out_first + y * arguments.out_pitch + x] = in[arguments.in_first + y * arguments.in_pitch + x];
}

#ifdef MAX_VALUE
/// `found` becomes the number of the first pixel, in raster order, that is larger than MAX_VALUE.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void find_large(__global const PIXEL* restrict in, __global uint* restrict found,
                                                      const FindLargeArguments arguments) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= arguments.width || y >= arguments.height) return;
  if (in[arguments.first + y * arguments.pitch + x] <= MAX_VALUE) return;
  atomic_min(found, (uint)y * (uint)arguments.width + (uint)x);
}
#endif
