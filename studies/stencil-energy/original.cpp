// SPDX-License-Identifier: Apache-2.0
// The scalar program: loops over a picture in one piece of memory, [i][j] at i * pitch + j.
#include "stencil-energy/original.hpp"

#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace vergence::studies::stencil_energy {
namespace {

float five(float a, float b, float c, float d, float e) { return (((a + e) + 4.0F * (b + d)) + 6.0F * c) * 0.0625F; }

using Vector = float __attribute__((vector_size(32)));

}  // namespace

void original_blur(const Plane& plane) {
  const float* const src = plane.in;
  float *const tmp = plane.between, *const dst = plane.out;
  const int rows = plane.rows, cols = plane.columns, n = plane.pitch;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      tmp[i * n + j] =
          five(src[i * n + j - 2], src[i * n + j - 1], src[i * n + j], src[i * n + j + 1], src[i * n + j + 2]);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i)
      dst[i * n + j] =
          five(tmp[(i - 2) * n + j], tmp[(i - 1) * n + j], tmp[i * n + j], tmp[(i + 1) * n + j], tmp[(i + 2) * n + j]);
}

void original_sobel(const Plane& plane) {
  const float* const src = plane.in;
  float *const tmp = plane.between, *const dst = plane.out;
  const int rows = plane.rows, cols = plane.columns, n = plane.pitch;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) tmp[i * n + j] = src[i * n + j + 1] - src[i * n + j - 1];
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i)
      dst[i * n + j] = (tmp[(i - 1) * n + j] + tmp[(i + 1) * n + j]) + 2.0F * tmp[i * n + j];
}

void restrict_blur(const Plane& plane) {
  const float* __restrict const src = plane.in;
  float* __restrict const tmp = plane.between;
  float* __restrict const dst = plane.out;
  const int rows = plane.rows, cols = plane.columns, n = plane.pitch;
  for (int i = 0; i < rows; ++i) {
    INDEPENDENT
    for (int j = 0; j < cols; ++j)
      tmp[i * n + j] =
          five(src[i * n + j - 2], src[i * n + j - 1], src[i * n + j], src[i * n + j + 1], src[i * n + j + 2]);
  }
  for (int j = 0; j < cols; ++j) {
    INDEPENDENT
    for (int i = 0; i < rows; ++i)
      dst[i * n + j] =
          five(tmp[(i - 2) * n + j], tmp[(i - 1) * n + j], tmp[i * n + j], tmp[(i + 1) * n + j], tmp[(i + 2) * n + j]);
  }
}

void restrict_sobel(const Plane& plane) {
  const float* __restrict const src = plane.in;
  float* __restrict const tmp = plane.between;
  float* __restrict const dst = plane.out;
  const int rows = plane.rows, cols = plane.columns, n = plane.pitch;
  for (int i = 0; i < rows; ++i) {
    INDEPENDENT
    for (int j = 0; j < cols; ++j) tmp[i * n + j] = src[i * n + j + 1] - src[i * n + j - 1];
  }
  for (int j = 0; j < cols; ++j) {
    INDEPENDENT
    for (int i = 0; i < rows; ++i)
      dst[i * n + j] = (tmp[(i - 1) * n + j] + tmp[(i + 1) * n + j]) + 2.0F * tmp[i * n + j];
  }
}

float host_peak(int steps) {
  // Different numbers, so that no two chains become one.
  const Vector a0 = {0, 1, 2, 3, 4, 5, 6, 7};
  Vector a = a0, b = a0 + 1.0F, c = a0 + 2.0F, d = a0 + 3.0F, e = a0 + 4.0F, f = a0 + 5.0F, g = a0 + 6.0F,
         h = a0 + 7.0F, i = a0 + 8.0F, j = a0 + 9.0F, k = a0 + 10.0F, l = a0 + 11.0F;
  const float one = 0.9999F, two = 0.0001F;
  const Vector factor = {one, one, one, one, one, one, one, one}, offset = {two, two, two, two, two, two, two, two};
  for (int step = 0; step < steps; ++step) {
    a = a * factor + offset, b = b * factor + offset, c = c * factor + offset, d = d * factor + offset;
    e = e * factor + offset, f = f * factor + offset, g = g * factor + offset, h = h * factor + offset;
    i = i * factor + offset, j = j * factor + offset, k = k * factor + offset, l = l * factor + offset;
  }
  const Vector sum = ((a + b) + (c + d)) + ((e + f) + (g + h)) + ((i + j) + (k + l));
  return sum[0] + sum[7];
}

}  // namespace vergence::studies::stencil_energy
