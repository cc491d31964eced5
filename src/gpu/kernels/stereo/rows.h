// SPDX-License-Identifier: Apache-2.0
// What match_strip.cl and match_warp.cl share: how pictures are read, and which columns may be partners.
#include "packed.h"
#include "stereo/candidates.h"
#include "stereo/settings.h"
#ifndef TAPS_DIFFER
#error "rows needs TAPS_DIFFER (1: candidates of a pixel may sum different numbers of taps)"
#endif

// Column x of the working orientation.
#define PICTURE_COLUMN(x) WORKING_COLUMN(x, width)

// A row, and the aligned words that hold its pixels from column x on, which may begin at any byte. Where the
// orientation is mirrored, words go backwards.
typedef struct {
  __global const uchar* row;
  __global const uint* words;
  uint shift;
} RowSource;

static inline RowSource source_of(__global const uchar* restrict row, int x, int width) {
  RowSource source;
  const size_t at = (size_t)row + (size_t)(int64)(MATCHES_LEFT ? x : width - 4 - x);
  source.row = row;
  source.shift = (uint)(at & 3u) * 8u;
  source.words = (__global const uint*)(at - (at & 3u));
  return source;
}
// Pixels x + 4 i to x + 4 i + 3, the leftmost one in the lowest byte, where x is the source's. Outside the picture: 0,
// or the edge column.
static inline uint four_pixels(RowSource source, int x, int i, int width, bool other) {
  const int first = x + 4 * i;
  uint four = 0;
  if (first >= 0 && first + 3 < width) {
    __global const uint* words = source.words + (MATCHES_LEFT ? i : -i);
    four = words[0];
    if (source.shift != 0) four = four >> source.shift | words[1] << (32u - source.shift);
    return MATCHES_LEFT ? four : pick_bytes(four, 0, 0x0123u);
  }
  for (int j = 0; j < 4; ++j) {
    int column = first + j;
    if (other && OUTSIDE == OUTSIDE_CLAMP) column = clamp(column, 0, width - 1);
    if (column >= 0 && column < width) four |= (uint)source.row[PICTURE_COLUMN(column)] << (8 * j);
  }
  return four;
}

// Words that begin at a multiple of `alignment`, 1, 2 or 4 and more; of these as many as hold `count` words.
static ALWAYS_INLINE void load_words(uint* to, LOCAL_POINTER const uint* from, const int count, const int alignment) {
  if (alignment % 4 == 0) {
    UNROLL for (int i = 0; i < count; i += 4) {
      const uint4 four = *(LOCAL_POINTER const uint4*)(from + i);
      to[i] = four.x, to[i + 1] = four.y, to[i + 2] = four.z, to[i + 3] = four.w;
    }
  } else if (alignment % 2 == 0) {
    UNROLL for (int i = 0; i < count; i += 2) {
      const uint2 two = *(LOCAL_POINTER const uint2*)(from + i);
      to[i] = two.x, to[i + 1] = two.y;
    }
  } else {
    UNROLL for (int i = 0; i < count; ++i) to[i] = from[i];
  }
}

// Whether the column with which pixel x is compared for candidate k, counted from DMIN, may be its partner.
static inline bool is_partner(int k, int x, int width) {
  const int p = x - DMIN - k, margin = WHOLE_WINDOWS ? RX : 0;
  return OUTSIDE != OUTSIDE_SKIP || (p >= margin && p < width - margin);
}
static inline bool is_candidate(int k, int x, int width) { return k >= 0 && k < COUNT && is_partner(k, x, width); }
