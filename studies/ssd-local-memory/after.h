// SPDX-License-Identifier: Apache-2.0
// Cross-check and occlusion filling of one pixel. Both read what other work-items found.
#if !defined(RADIUS) || !defined(DISPARITIES) || !defined(THRESHOLD) || !defined(FILL_RADIUS) || !defined(FILL_ALL)
#error \
    "ssd-local-memory needs RADIUS, DISPARITIES, THRESHOLD, FILL_RADIUS and FILL_ALL (0: mean of what is not 0, 1: of all)"
#endif

// A disparity as grey level.
int grey_of(int d) { return d * 255 / DISPARITIES; }

// The grey level of left pixel (x, y), or 0 where the right picture's differs by more than THRESHOLD.
int checked_grey(__global const uchar* left_map, __global const uchar* right_map, int x, int y, int width) {
  const int d = left_map[y * width + x], grey = grey_of(d), other = grey_of(right_map[y * width + x - d]);
  const int difference = grey > other ? grey - other : other - grey;
  return difference > THRESHOLD ? 0 : grey;
}

// The mean around a hole.
int filled_grey(__global const uchar* checked, int x, int y, int width, int height) {
  int sum = 0, count = 0;
  for (int v = max(y - FILL_RADIUS, 0); v <= min(y + FILL_RADIUS, height - 1); ++v)
    for (int u = max(x - FILL_RADIUS, 0); u <= min(x + FILL_RADIUS, width - 1); ++u) {
      sum += checked[v * width + u];
      count += checked[v * width + u] != 0 ? 1 : 0;
    }
#if FILL_ALL
  return sum / ((2 * FILL_RADIUS + 1) * (2 * FILL_RADIUS + 1) - 1);
#else
  return count == 0 ? 0 : (2 * sum + count) / (2 * count);
#endif
}
