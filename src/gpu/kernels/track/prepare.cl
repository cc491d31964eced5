// SPDX-License-Identifier: Apache-2.0
// What tracking needs of a frame, level by level: the gradients of a level and, from the same reads, the next level's picture.
// A work-item has four columns and marches down ROWS rows. Equal to reference/track/pyramid.cpp and gradients.cpp.
#include "definitions/track/gradient.h"
#include "definitions/track/pyramid.h"
#include "track/levels.h"
#if !defined(PIXEL) || !defined(BYTES) || !defined(ROWS) || !defined(GROUP_W) || !defined(GROUP_H)
#error "prepare needs PIXEL, BYTES (1 where PIXEL is uchar), ROWS (even), GROUP_W and GROUP_H"
#endif
#if !defined(DROPPED) || !defined(SHIFT) || !defined(HALVE)
#error "prepare needs DROPPED (bits), SHIFT (of gradients) and HALVE (1: there is a next level)"
#endif

#define ABOVE (HALVE ? 2 : 1)  // rows that are read beyond those of a work-item

// Level 0 as it came loses its lowest bits.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void drop_bits(__global PIXEL* restrict pictures, __global const int* restrict table) {
  const Level level = level_of(table, 0);
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= level.width || y >= level.height) return;
  __global PIXEL* pixel = pictures + level.offset + (int64)y * level.pitch + x;
  *pixel = (PIXEL)(*pixel >> DROPPED);
}

// The pixels x - 2 .. x + 4 of a row; x is a multiple of 4.
static inline void seven_pixels(__global const PIXEL* restrict row, int x, int width, int* pixels) {
#if BYTES
  if (x >= 4 && x + 8 <= width) {
    __global const uint* words = (__global const uint*)(row + x - 4);
    const uint before = words[0], here = words[1], after = words[2];
    pixels[0] = (int)(before >> 16 & 0xFFu);
    pixels[1] = (int)(before >> 24);
    pixels[2] = (int)(here & 0xFFu);
    pixels[3] = (int)(here >> 8 & 0xFFu);
    pixels[4] = (int)(here >> 16 & 0xFFu);
    pixels[5] = (int)(here >> 24);
    pixels[6] = (int)(after & 0xFFu);
    return;
  }
#endif
  REGISTERS for (int i = 0; i < 7; ++i) pixels[i] = (int)row[mirrored(min(x + i - 2, width + 1), width)];
}

static inline int halved_across(const int* pixels) {
  int sum = 0;
  REGISTERS for (int k = 0; k < 5; ++k) sum += pyramid_weight(k) * pixels[k];
  return sum;
}

// `fine` is the level that is read; `groups_down` = all groups of that level's rows.
__kernel WORK_GROUP(GROUP_W, GROUP_H) void prepare(__global PIXEL* restrict pictures, __global int* restrict gradients,
                                                   __global const int* restrict table, int fine) {
  const Level level = level_of(table, fine);
  const int x = 4 * (int)get_global_id(0), top = ROWS * (int)get_global_id(1);
  if (x >= level.width || top >= level.height) return;
  __global const PIXEL* picture = pictures + level.offset;
  __global int* gradient_here = gradients + level.offset + (int64)top * level.pitch + x;
#if HALVE
  const Level half_level = level_of(table, fine + 1);
  __global PIXEL* coarse = pictures + half_level.offset + (int64)(top / 2) * half_level.pitch + x / 2;
#endif
  // Of the last rows, the latest one last: differences and sums across for gradients, sums across for the next level.
  int apart[3][4], smooth[3][4], halved[5][2];
  REGISTERS for (int i = 0; i < ROWS + 2 * ABOVE; ++i) {
    const int y = top + i - ABOVE;  // the row that comes in
    if (y >= level.height + ABOVE) return;
    int p[7];
    seven_pixels(picture + (int64)mirrored(y, level.height) * level.pitch, x, level.width, p);
    REGISTERS for (int j = 0; j < 4; ++j) {
      apart[0][j] = apart[1][j], apart[1][j] = apart[2][j], apart[2][j] = p[j + 3] - p[j + 1];
      smooth[0][j] = smooth[1][j], smooth[1][j] = smooth[2][j];
      smooth[2][j] = gradient_smooth(p[j + 1], p[j + 2], p[j + 3]);
    }
#if HALVE
    REGISTERS for (int j = 0; j < 2; ++j) {
      REGISTERS for (int k = 0; k < 4; ++k) halved[k][j] = halved[k + 1][j];
      halved[4][j] = halved_across(p + 2 * j);
    }
#endif
    const int done = i - ABOVE - 1;  // the row whose neighbours are here, counted from the top one
    if (done >= 0 && done < ROWS && top + done < level.height) {
      int words[4];
      REGISTERS for (int j = 0; j < 4; ++j) {
        const int dx = gradient(0, gradient_smooth(apart[0][j], apart[1][j], apart[2][j]), SHIFT);
        const int dy = gradient(smooth[0][j], smooth[2][j], SHIFT);
        words[j] = (dx & 0xFFFF) | (int)((uint)dy << 16);
      }
      int4 four;
      four.x = words[0], four.y = words[1], four.z = words[2], four.w = words[3];
      *(__global int4*)(gradient_here + (int64)done * level.pitch) = four;
    }
#if HALVE
    const int row = i - 4;
    if (row >= 0 && row % 2 == 0 && row < ROWS && top + row < level.height) {
      PIXEL two[2];
      REGISTERS for (int j = 0; j < 2; ++j)
        two[j] = (PIXEL)pyramid_pixel(halved[0][j] + halved[4][j] + 4 * (halved[1][j] + halved[3][j]) + 6 * halved[2][j]);
      __global PIXEL* to = coarse + (int64)(row / 2) * half_level.pitch;
      to[0] = two[0];
      to[1] = two[1];
    }
#endif
  }
}
