// SPDX-License-Identifier: Apache-2.0
// The published tracker's second phase: a group for each feature, whose items share the samples of its patches. Sums
// over a patch are those of each item, added in the order of a tree: the same on every device, and not that of the
// scalar program, which adds sample by sample.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#if !defined(HALF_SIDE) || !defined(ITERATIONS) || !defined(ACCURACY) || !defined(GROUP)
#error "published_follow needs HALF_SIDE, ITERATIONS, ACCURACY (a float) and GROUP (a power of two)"
#endif
#define SIDE (2 * HALF_SIDE)
#define SAMPLES (SIDE * SIDE)

typedef struct {
  int origin0, pitch0, width0, height0;
  int origin1, pitch1, width1, height1;
} PublishedLevels;

static inline bool leaves(float x, float y, int width, int height) {
  const float w = (float)HALF_SIDE;
  return x - w < 0 || y - w < 0 || y + w + 1 >= (float)height || x + w + 1 >= (float)width;
}

// Where a patch begins, and the weights of its four taps.
typedef struct {
  int first;
  float here, right, below, both;
} Patch;

static inline Patch patch_at(float x, float y, int origin, int pitch) {
  const int column = (int)floor(x), row = (int)floor(y);
  const float a = x - (float)column, b = y - (float)row;
  Patch patch;
  patch.first = origin + (row - HALF_SIDE) * pitch + column - HALF_SIDE;
  patch.here = (1 - a) * (1 - b);
  patch.right = a * (1 - b);
  patch.below = (1 - a) * b;
  patch.both = a * b;
  return patch;
}

static inline float sample_of(__global const float* restrict picture, Patch patch, int pitch, int k) {
  __global const float* p = picture + patch.first + k / SIDE * pitch + k % SIDE;
  return ((p[0] * patch.here + p[1] * patch.right) + p[pitch] * patch.below) + p[pitch + 1] * patch.both;
}

// Sums over all items of each of `count` rows; every item finds them at sums[row * GROUP].
static inline void totals(LOCAL_POINTER float* sums, int item, int count) {
  for (int step = GROUP / 2; step > 0; step /= 2) {
    GROUP_BARRIER();
    if (item < step)
      for (int row = 0; row < count; ++row) sums[row * GROUP + item] += sums[row * GROUP + item + step];
  }
  GROUP_BARRIER();
}

// A level of the pyramid. `goes_on` and `exists` are the same for all items of a group.
#define LEVEL(previous, next, dx, dy, origin, pitch, width, height)                       \
  {                                                                                       \
    x *= 2;                                                                               \
    y *= 2;                                                                               \
    moved_x *= 2;                                                                         \
    moved_y *= 2;                                                                         \
    if (leaves(x, y, width, height)) exists = 0;                                          \
    sums[item] = sums[GROUP + item] = sums[2 * GROUP + item] = 0;                         \
    if (exists) {                                                                         \
      const Patch patch = patch_at(x, y, origin, pitch);                                  \
      for (int k = item; k < SAMPLES; k += GROUP) {                                       \
        const float across = sample_of(dx, patch, pitch, k);                              \
        const float below = sample_of(dy, patch, pitch, k);                               \
        samples[mine + k] = sample_of(previous, patch, pitch, k);                         \
        samples[mine + SAMPLES + k] = across;                                             \
        samples[mine + 2 * SAMPLES + k] = below;                                          \
        sums[item] += across * across;                                                    \
        sums[GROUP + item] += across * below;                                             \
        sums[2 * GROUP + item] += below * below;                                          \
      }                                                                                   \
    }                                                                                     \
    totals(sums, item, 3);                                                                \
    const float a = sums[0];                                                              \
    const float b = sums[GROUP];                                                          \
    const float c = sums[2 * GROUP];                                                      \
    GROUP_BARRIER();                                                                      \
    const float determinant = a * c - b * b;                                              \
    if ((double)determinant / ((double)(a + c) + 0.00001) < (double)ACCURACY) exists = 0; \
    /* rounded once, as a division of floats is */                                        \
    const float inverse = (float)(1.0 / (double)determinant);                             \
    int goes_on = exists;                                                                 \
    for (int i = 0; i < ITERATIONS; ++i) {                                                \
      if (goes_on && leaves(x + moved_x, y + moved_y, width, height)) {                   \
        valid = 0;                                                                        \
        goes_on = 0;                                                                      \
      }                                                                                   \
      if (!goes_on) break;                                                                \
      sums[item] = sums[GROUP + item] = 0;                                                \
      const Patch patch = patch_at(x + moved_x, y + moved_y, origin, pitch);              \
      for (int k = item; k < SAMPLES; k += GROUP) {                                       \
        const float difference = samples[mine + k] - sample_of(next, patch, pitch, k);    \
        sums[item] += difference * samples[mine + SAMPLES + k];                           \
        sums[GROUP + item] += difference * samples[mine + 2 * SAMPLES + k];               \
      }                                                                                   \
      totals(sums, item, 2);                                                              \
      const float e = sums[0];                                                            \
      const float f = sums[GROUP];                                                        \
      GROUP_BARRIER();                                                                    \
      const float step_x = inverse * (e * c - f * b);                                     \
      const float step_y = inverse * (-e * b + f * a);                                    \
      moved_x += step_x;                                                                  \
      moved_y += step_y;                                                                  \
      if (step_x * step_x + step_y * step_y < ACCURACY) goes_on = 0;                      \
    }                                                                                     \
  }

// found: x, y, 1 where the feature goes on and 0 where it is removed. samples: 3 x SAMPLES floats a feature.
__kernel WORK_GROUP(GROUP, 1) void published_follow(
    __global const float* restrict previous0, __global const float* restrict previous1,
    __global const float* restrict next0, __global const float* restrict next1, __global const float* restrict dx0,
    __global const float* restrict dx1, __global const float* restrict dy0, __global const float* restrict dy1,
    __global const float* restrict features, __global float* restrict found, __global float* restrict samples,
    GRID_CONSTANT PublishedLevels levels) {
  __local float sums[3 * GROUP];
  const int item = (int)get_local_id(0), feature = (int)get_group_id(0);
  const int64 mine = (int64)feature * (3 * SAMPLES);
  float x = features[2 * feature] / 4, y = features[2 * feature + 1] / 4;
  float moved_x = 0, moved_y = 0;
  int exists = 1, valid = 1;
  LEVEL(previous1, next1, dx1, dy1, levels.origin1, levels.pitch1, levels.width1, levels.height1)
  LEVEL(previous0, next0, dx0, dy0, levels.origin0, levels.pitch0, levels.width0, levels.height0)
  if (item > 0) return;
  found[3 * feature] = features[2 * feature] + moved_x;
  found[3 * feature + 1] = features[2 * feature + 1] + moved_y;
  found[3 * feature + 2] = exists && valid ? 1.0f : 0.0f;
}
