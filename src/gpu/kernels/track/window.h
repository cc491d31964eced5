// SPDX-License-Identifier: Apache-2.0
// The samples of a window about a position, patches and gradients, in fours that follow each other in a row: work-item
// `lane` has the fours lane, lane + LANES, ... On NVIDIA four samples of bytes are made from words, by instructions
// that multiply two bytes at once.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef PIXEL
#define PIXEL uchar  // type of a pixel: uchar or ushort
#endif
#ifndef BYTES
#define BYTES 1  // 1 where PIXEL is uchar, else 0
#endif
#ifndef WINDOW
#define WINDOW 21  // side of the window in px
#endif
#ifndef PATCH_SHIFT
#define PATCH_SHIFT 9  // bits that samples of a patch are shifted by
#endif
// The launch configuration, and what the device can do:
#ifndef LANES
#define LANES 32  // work-items of a point
#endif

#include "definitions/track/sample.h"
#include "packed.h"
#include "track/levels.h"

#define COLUMNS ((WINDOW + 3) / 4)  // fours in a row
#define FOURS (COLUMNS * WINDOW)
#define OWN ((FOURS + LANES - 1) / LANES)  // of a work-item
#if OWN <= 8 && !ROLLED
#define FOR_OWN UNROLL for (int k = 0; k < OWN; ++k)
#else
#define FOR_OWN NO_UNROLL for (int k = 0; k < OWN; ++k)
#endif
#if BYTES && defined(VERGENCE_NVIDIA)
#define WORDS 1
#else
#define WORDS 0
#endif

// Where the k-th four of a work-item lies in the window; a work-item without one has the first one and does not count
// it.
typedef struct {
  int column, row;
  int count;  // samples of the window among the four
} Four;
static inline Four four_of(int lane, int k) {
  const int number = lane + LANES * k;
  Four four;
  four.row = number < FOURS ? number / COLUMNS : 0;
  four.column = number < FOURS ? 4 * (number % COLUMNS) : 0;
  four.count = number < FOURS ? min(4, WINDOW - four.column) : 0;
  return four;
}

typedef struct {
  int x, y;     // the first pixel
  bool inside;  // no pixel lies beside the picture
  int here, right, below, both;
} Place;
static inline Place place_of(Level level, int x, int y) {
  const int u = position_fraction(x), v = position_fraction(y);
  Place place;
  place.x = window_start(x, WINDOW);
  place.y = window_start(y, WINDOW);
  place.inside = place.x >= 0 && place.y >= 0 && place.x + WINDOW < level.width && place.y + WINDOW < level.height;
  place.here = weight_here(u, v);
  place.right = weight_right(u, v);
  place.below = weight_below(u, v);
  place.both = weight_both(u, v);
  return place;
}

static ALWAYS_INLINE int mirrored_row(Place place, int row, int height, bool inside) {
  return inside ? place.y + row : mirrored(place.y + row, height);
}
// Columns behind the window's last one are those of samples that do not count.
static ALWAYS_INLINE int mirrored_column(Place place, int column, int width) {
  return mirrored(place.x + min(column, WINDOW), width);
}

#if WORDS
// Five pixels: the first four, and the last four.
typedef struct {
  uint first, last;
} Five;
static ALWAYS_INLINE Five five_pixels(__global const uchar* restrict picture, Level level, Place place, int column,
                                      int row, bool inside) {
  __global const uchar* from = picture + (int64)mirrored_row(place, row, level.height, inside) * level.pitch;
  Five five;
  if (inside) {
    const uint shift = (uint)place.x & 3u;  // rows begin at words
    __global const uint* words = (__global const uint*)(from + (place.x - (int)shift) + column);
    const uint a = words[0], b = words[1];
    five.first = pick_bytes(a, b, BYTES_FROM(shift));
    five.last = pick_bytes(five.first, b >> (8u * shift), BYTES_FROM(1));
  } else {
    uint pixels[5];
    REGISTERS for (int i = 0; i < 5; ++i) pixels[i] = from[mirrored_column(place, column + i, level.width)];
    five.first = pixels[0] | pixels[1] << 8 | pixels[2] << 16 | pixels[3] << 24;
    five.last = five.first >> 8 | pixels[4] << 24;
  }
  return five;
}
static ALWAYS_INLINE void blend(Five above, Five below, Place place, int* samples) {
  const uint upper = ((uint)place.here & 0xFFFFu) | (uint)place.right << 16;
  const uint lower = ((uint)place.below & 0xFFFFu) | (uint)place.both << 16;
  REGISTERS for (int j = 0; j < 4; ++j) {
    const uint pixels = j == 3   ? pick_bytes(above.last, below.last, HIGH_HALVES)
                        : j == 2 ? pick_bytes(above.first, below.first, HIGH_HALVES)
                        : j == 1 ? pick_bytes(above.first, below.first, 0x6521u)
                                 : pick_bytes(above.first, below.first, LOW_HALVES);
    samples[j] = patch_from(dot_high_bytes(dot_low_bytes(0, upper, pixels), lower, pixels), PATCH_SHIFT);
  }
}
#else
typedef struct {
  int pixels[5];
} Five;
static ALWAYS_INLINE Five five_pixels(__global const PIXEL* restrict picture, Level level, Place place, int column,
                                      int row, bool inside) {
  __global const PIXEL* from = picture + (int64)mirrored_row(place, row, level.height, inside) * level.pitch;
  Five five;
  REGISTERS for (int i = 0; i < 5; ++i)
    five.pixels[i] = (int)from[inside ? place.x + column + i : mirrored_column(place, column + i, level.width)];
  return five;
}
static ALWAYS_INLINE void blend(Five above, Five below, Place place, int* samples) {
  REGISTERS for (int j = 0; j < 4; ++j) {
    const int sum = place.here * above.pixels[j] + place.right * above.pixels[j + 1] + place.below * below.pixels[j] +
                    place.both * below.pixels[j + 1];
    samples[j] = patch_from(sum, PATCH_SHIFT);
  }
}
#endif

// `inside` is place.inside, which compilers are to know.
static ALWAYS_INLINE void patch_samples(__global const PIXEL* restrict picture, Level level, Place place, Four four,
                                        bool inside, int* samples) {
  blend(five_pixels(picture, level, place, four.column, four.row, inside),
        five_pixels(picture, level, place, four.column, four.row + 1, inside), place, samples);
}

// 0 where the sample does not count.
static ALWAYS_INLINE void gradient_samples(__global const int* restrict gradients, Level level, Place place, Four four,
                                           bool inside, int* across, int* down) {
  int words[2][5];
  REGISTERS for (int v = 0; v < 2; ++v) {
    const int y = place.y + four.row + v;
    const bool row_inside = inside || (y >= 0 && y < level.height);
    __global const int* from = gradients + (int64)(row_inside ? y : 0) * level.pitch;
    REGISTERS for (int i = 0; i < 5; ++i) {
      const int x = place.x + four.column + i;
      words[v][i] = inside || (row_inside && x >= 0 && x < level.width) ? from[x] : 0;
    }
  }
  REGISTERS for (int j = 0; j < 4; ++j) {
    const int sum_x = place.here * across_of(words[0][j]) + place.right * across_of(words[0][j + 1]) +
                      place.below * across_of(words[1][j]) + place.both * across_of(words[1][j + 1]);
    const int sum_y = place.here * down_of(words[0][j]) + place.right * down_of(words[0][j + 1]) +
                      place.below * down_of(words[1][j]) + place.both * down_of(words[1][j + 1]);
    across[j] = j < four.count ? gradient_from(sum_x) : 0;
    down[j] = j < four.count ? gradient_from(sum_y) : 0;
  }
}
