// SPDX-License-Identifier: Apache-2.0
// Blur, half size and gradients of a picture: a work-item has a column and slides down ROWS rows of output; each row
// of input is filtered across once and kept while rows about it need it. Equal to reference/imgproc/blur.cpp, half.cpp
// and gradients.cpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef FLOATS
#define FLOATS 0  // 1: pixels are float; 0: bytes
#endif
#ifndef STEP
#define STEP 1  // pixels of input from one of output to the next: 1 or 2
#endif
// The launch configuration, and what the device can do:
#ifndef ROWS
#define ROWS 8  // rows of output of a work-item
#endif
#ifndef GROUP_W
#define GROUP_W 64  // work-items of a row of a group
#endif
#ifndef GROUP_H
#define GROUP_H 4  // rows of a group
#endif

#include "definitions/imgproc/separable.h"
#include "gpu/shared/imgproc/separable.h"

#if FLOATS
typedef float Pixel;
typedef float Number;  // what sums are of
typedef float Gradient;
#else
typedef uchar Pixel;
typedef int Number;
typedef short Gradient;
#endif
#define BLANK 3  // of FilterBorder

static inline Number five_taps(const Number* taps) {
#if FLOATS
  return blur_float(taps[0], taps[1], taps[2], taps[3], taps[4]);
#else
  return blur_sum(taps[0], taps[1], taps[2], taps[3], taps[4]);
#endif
}

static inline bool is_blank(int x, int y, int reach, int width, int height, int border) {
  return border == BLANK && (x < reach || y < reach || x >= width - reach || y >= height - reach);
}

// The pixels x - reach .. x + reach of a row, which may lie beside the picture; false: its sums are 0.
static inline bool row_of(__global const Pixel* restrict in, int x, int y, int reach, int width, int height, int border,
                          Number* pixels) {
  const int row = filter_source(y, height, border);
  if (row < 0 || is_blank(x, row, reach, width, height, border)) return false;
  for (int i = 0; i <= 2 * reach; ++i) {
    const int column = filter_source(x + i - reach, width, border);
    pixels[i] = column < 0 ? 0 : (Number)in[(int64)row * width + column];
  }
  return true;
}

static inline Number blurred_across(__global const Pixel* restrict in, int x, int y, int width, int height,
                                    int border) {
  Number pixels[5];
  return row_of(in, x, y, 2, width, height, border, pixels) ? five_taps(pixels) : 0;
}

// Every STEP-th pixel of the blurred picture; `width` and `height` are those of the output.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void blur(__global const Pixel* restrict in, __global Pixel* restrict out,
                                                GRID_CONSTANT BlurArguments arguments) {
  const int column = (int)get_global_id(0), top = ROWS * (int)get_global_id(1), x = STEP * column;
  const int width = arguments.width, height = arguments.height, border = arguments.border;
  const int in_width = arguments.in_width, in_height = arguments.in_height;
  if (column >= width || top >= height) return;
  Number rows[5];
  for (int k = 0; k < 5 - STEP; ++k)
    rows[k + STEP] = blurred_across(in, x, STEP * top - 2 + k, in_width, in_height, border);
  for (int row = top; row < min(top + ROWS, height); ++row) {
    const int y = STEP * row;
    for (int k = 0; k < 5 - STEP; ++k) rows[k] = rows[k + STEP];
    for (int k = 5 - STEP; k < 5; ++k) rows[k] = blurred_across(in, x, y - 2 + k, in_width, in_height, border);
    const Number sum = is_blank(x, y, 2, in_width, in_height, border) ? 0 : five_taps(rows);
#if FLOATS
    out[(int64)row * width + column] = filter_result(sum);
#else
    out[(int64)row * width + column] = (uchar)blur_pixel(sum);
#endif
  }
}

#if FLOATS
#define SMOOTH(a, b, c) smooth_float(a, b, c, (float)arguments.outer, (float)arguments.inner)
#define RESULT(sum) filter_result(sum)
#else
#define RESULT(sum) (sum)
#define SMOOTH(a, b, c) smooth_sum(a, b, c, arguments.outer, arguments.inner)
#endif

// Both gradients, or the one that is wanted.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void gradients(__global const Pixel* restrict in, __global Gradient* restrict dx,
                                                     __global Gradient* restrict dy,
                                                     GRID_CONSTANT GradientArguments arguments) {
  const int x = (int)get_global_id(0), top = ROWS * (int)get_global_id(1);
  const int width = arguments.width, height = arguments.height, border = arguments.border;
  if (x >= width || top >= height) return;
  Number apart[3] = {0, 0, 0}, smooth[3] = {0, 0, 0};
  for (int row = top - 2; row < min(top + ROWS, height); ++row) {  // the first two only bring rows in
    apart[0] = apart[1], apart[1] = apart[2];
    smooth[0] = smooth[1], smooth[1] = smooth[2];
    Number pixels[3];
    const bool is_there = row_of(in, x, row + 1, 1, width, height, border, pixels);
    apart[2] = is_there ? pixels[2] - pixels[0] : 0;
    smooth[2] = is_there ? SMOOTH(pixels[0], pixels[1], pixels[2]) : 0;
    if (row < top) continue;
    const bool blank = is_blank(x, row, 1, width, height, border);
    const int64 at = (int64)row * width + x;
    if (arguments.wants_dx) dx[at] = (Gradient)(blank ? 0 : RESULT(SMOOTH(apart[0], apart[1], apart[2])));
    if (arguments.wants_dy) dy[at] = (Gradient)(blank ? 0 : RESULT(smooth[2] - smooth[0]));
  }
}
