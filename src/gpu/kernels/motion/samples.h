// SPDX-License-Identifier: Apache-2.0
// Samples of a frame between its pixels, whose edge pixels are repeated without end. Equal to
// reference/motion/samples.hpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef PIXEL
#define PIXEL uchar  // type of a pixel: uchar or ushort
#endif
#ifndef LUMA
#define LUMA 1  // 1: filters of luma, in quarters of a pixel; 0: of chroma, in eighths
#endif
#ifndef MAX_PIXEL
#define MAX_PIXEL 255  // the largest value of a pixel
#endif

#include "definitions/motion/block.h"
#include "definitions/motion/interpolate.h"
#include "motion/spread.h"
#if LUMA
#define TAPS 8
#define FIRST_TAP (-3)
#define tap_of luma_tap
#else
#define TAPS 4
#define FIRST_TAP (-1)
#define tap_of chroma_tap
#endif

/// Taps of both axes for one fraction of a pixel.
typedef struct {
  int x[TAPS], y[TAPS];
  int fraction_x, fraction_y, depth;
} Taps;

static inline Taps taps_of(int fraction_x, int fraction_y) {
  Taps taps;
  SPREAD for (int k = 0; k < TAPS; ++k) {
    taps.x[k] = tap_of(fraction_x, k);
    taps.y[k] = tap_of(fraction_y, k);
  }
  taps.fraction_x = fraction_x, taps.fraction_y = fraction_y;
  taps.depth = interpolation_depth(MAX_PIXEL);
  return taps;
}

/// The pixel, or between pixels the first filter's sum; `row` begins at the frame's left edge.
static inline int across(__global const PIXEL* row, int x, int width, const Taps* taps) {
  if (taps->fraction_x == 0) return (int)row[padded(x, width)];
  int sum = 0;
  SPREAD for (int k = 0; k < TAPS; ++k) sum += taps->x[k] * (int)row[padded(x + FIRST_TAP + k, width)];
  return sum >> first_shift(taps->depth);
}

/// A sample from what `across` gives for TAPS rows, `rows[0]` that of the first tap.
static inline int sample_of(const int* rows, const Taps* taps) {
  if (taps->fraction_y == 0)
    return taps->fraction_x == 0 ? rows[-FIRST_TAP] : sample_from(rows[-FIRST_TAP], taps->depth, MAX_PIXEL);
  int sum = 0;
  SPREAD for (int k = 0; k < TAPS; ++k) sum += taps->y[k] * rows[k];
  // A vertical filter alone is a first one.
  sum >>= taps->fraction_x == 0 ? first_shift(taps->depth) : second_shift();
  return sample_from(sum, taps->depth, MAX_PIXEL);
}
