// SPDX-License-Identifier: Apache-2.0
// The validity mask, and confidence 0 where the final map was not measured.
#if !defined(MAP) || !defined(INVALID) || !defined(CONFIDENCE) || !defined(GROUP_W) || !defined(GROUP_H)
#error "finish needs MAP, INVALID, CONFIDENCE, GROUP_W and GROUP_H"
#endif

__kernel WORK_GROUP(GROUP_W, GROUP_H) void finish(__global const MAP* restrict measured,
                                                  __global const MAP* restrict final_map, __global uchar* restrict mask,
                                                  __global uchar* restrict confidences, int width, int height) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= width || y >= height) return;
  const int64 at = (int64)y * width + x;
  const bool was_measured = measured[at] != (MAP)(INVALID);
  mask[at] = was_measured ? 1 : final_map[at] != (MAP)(INVALID) ? 2 : 0;
  if (CONFIDENCE && !was_measured) confidences[at] = 0;
}
