// SPDX-License-Identifier: Apache-2.0
// Pictures and maps of callers: moves rows to or from a place without gaps, and looks for pixels above the largest
// value. Firsts and pitches count pixels.
#if !defined(PIXEL) || !defined(GROUP_W) || !defined(GROUP_H)
#error "images needs PIXEL, GROUP_W and GROUP_H, and MAX_VALUE for what looks for larger ones"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void copy_rows(__global const PIXEL* restrict in, __global PIXEL* restrict out,
                                                     int width, int height, int64 in_first, int64 in_pitch,
                                                     int64 out_first, int64 out_pitch) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x < width && y < height) out[out_first + y * out_pitch + x] = in[in_first + y * in_pitch + x];
}

#ifdef MAX_VALUE
/// `first` becomes the number of the first pixel, in raster order, that is larger than MAX_VALUE.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void find_large(__global const PIXEL* restrict in, __global uint* restrict first,
                                                      int width, int height, int64 in_first, int64 in_pitch) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height || in[in_first + y * in_pitch + x] <= MAX_VALUE) return;
  atomic_min(first, (uint)y * (uint)width + (uint)x);
}
#endif
