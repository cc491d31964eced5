// SPDX-License-Identifier: Apache-2.0
// Census costs for some steps of a group's lines, in local memory. A strip is 16 neighbouring pixels of a row; each has
// a byte for each of SPAN neighbouring pixels of the other picture, which are all that any of the 16 may meet.
//
// On NVIDIA's GPUs the instruction that multiplies matrices of bits counts them: bits that differ are those that a
// pixel has and the other one has not, and the reverse; so a row of the matrix is a pixel's word and its complement,
// and a column the complement of the other pixel's word and the word.
#ifndef GIVEN
#error "packed_tile needs GIVEN"
#endif
#if !GIVEN

#define SPAN PACKED_SPAN(LANES* OWN)
#define SPAN_PITCH PACKED_SPAN_PITCH(LANES* OWN)  // bytes
#define STRIP_WORDS (16 * SPAN_PITCH / 4)
// Candidate k of pixel g of a strip is at byte k + this: the other picture's pixels lie in the order of disparity.
#define BYTE_OF_FIRST(g) (MATCHES_LEFT ? 15 - (g) : (g))
// The other picture's column of byte u.
#define COLUMN_OF_BYTE(left, u) (MATCHES_LEFT ? (left) + 15 - DMIN - (u) : (left) + DMIN + (u))

// Words of a row of each picture.
typedef struct {
  __global const WORD* restrict mine;
  __global const WORD* restrict theirs;
} WordRows;

#ifdef VERGENCE_NVIDIA

#define PARTS ((int)sizeof(WORD) / 4)  // of a word

// What a warp reads for a strip. Nothing is done to it until the strip's costs are written, so that the warp does not
// wait for it.
typedef struct {
  uint low, high;  // of pixels lane / 4 and lane / 4 + 8
  uint columns[SPAN / 8];
} Strip;

// The first of the other picture's columns that a lane reads is that of this byte, the i-th one so many bytes on.
#define FIRST_BYTE(lane) (((lane) >> 3) * 4 + ((lane) >> 2 & 1))
#define BYTES_ON(i) (8 * ((i) - (i) % 2) + 2 * ((i) % 2))

// No column lies outside.
static ALWAYS_INLINE void read_columns(Strip* strip, __global const uint* restrict first) {
  UNROLL for (int i = 0; i < SPAN / 8; ++i)
    strip->columns[i] = first[(MATCHES_LEFT ? -BYTES_ON(i) : BYTES_ON(i)) * PARTS];
}
static ALWAYS_INLINE void read_edge_columns(Strip* strip, __global const uint* restrict row, int first, int width) {
  UNROLL for (int i = 0; i < SPAN / 8; ++i) {
    const int p = first + (MATCHES_LEFT ? -BYTES_ON(i) : BYTES_ON(i));
    strip->columns[i] = row[clamp(p, 0, width - 1) * PARTS];
    if (OUTSIDE == OUTSIDE_ZERO && (p < 0 || p >= width)) strip->columns[i] = 0;
  }
}
// Of pixels left .. left + 15. All of a warp call it.
static ALWAYS_INLINE void read_strip(Strip* strip, WordRows rows, int left, int width) {
  const int lane = (int)get_local_id(0) & 31, part = lane % 4 % PARTS;
  __global const uint* restrict mine = (__global const uint*)rows.mine + part;
  __global const uint* restrict theirs = (__global const uint*)rows.theirs + part;
  strip->low = mine[clamp(left + lane / 4, 0, width - 1) * PARTS];
  strip->high = mine[clamp(left + lane / 4 + 8, 0, width - 1) * PARTS];
  const int ends[2] = {COLUMN_OF_BYTE(left, 0), COLUMN_OF_BYTE(left, SPAN - 1)};
  const int first = COLUMN_OF_BYTE(left, FIRST_BYTE(lane));
  if (min(ends[0], ends[1]) >= 0 && max(ends[0], ends[1]) < width)
    read_columns(strip, theirs + first * PARTS);
  else
    read_edge_columns(strip, theirs, first, width);
}
static ALWAYS_INLINE void write_strip(LOCAL_POINTER uint* costs, Strip strip) {
  const int lane = (int)get_local_id(0) & 31, part = lane & 3;
  const uint inverted = part < 2 ? 0 : 0xFFFFFFFFu;
  const bool counts = part % 2 < PARTS;  // else the word has no such part
  const uint low = counts ? strip.low ^ inverted : 0, high = counts ? strip.high ^ inverted : 0;
  LOCAL_POINTER uint* to = costs + (lane >> 2) * (SPAN_PITCH / 4) + part;
  UNROLL for (int m = 0; m < SPAN / 16; ++m) {
    uint a[4], b[4];
    count_common_bits(a, low, high, strip.columns[2 * m] ^ ~inverted);
    count_common_bits(b, low, high, strip.columns[2 * m + 1] ^ ~inverted);
    to[4 * m] = a[0] + a[1] * 0x100u + b[0] * 0x10000u + b[1] * 0x1000000u;
    to[4 * m + 8 * (SPAN_PITCH / 4)] = a[2] + a[3] * 0x100u + b[2] * 0x10000u + b[3] * 0x1000000u;
  }
}
#define STRIP_WORKERS 32

#else

typedef struct {
  WordRows rows;
  int left, width;
} Strip;
static ALWAYS_INLINE void read_strip(Strip* strip, WordRows rows, int left, int width) {
  strip->rows = rows, strip->left = left, strip->width = width;
}
static ALWAYS_INLINE void write_strip(LOCAL_POINTER uint* costs, Strip s) {
  for (int i = 0; i < 16 * (SPAN / 4); ++i) {
    const int g = i / (SPAN / 4), u = i % (SPAN / 4) * 4;
    const WORD mine = s.rows.mine[clamp(s.left + g, 0, s.width - 1)];
    uint word = 0;
    for (int j = 0; j < 4; ++j)
      word |= (uint)popcount(mine ^ other_word(s.rows.theirs, COLUMN_OF_BYTE(s.left, u + j), s.width)) << (8 * j);
    costs[g * (SPAN_PITCH / 4) + u / 4] = word;
  }
}
#define STRIP_WORKERS 1

#endif

// The costs of the lane's candidates of a pixel, two in a word, from a byte on.
static ALWAYS_INLINE void tile_costs(uint* pairs, LOCAL_POINTER const uint* pixel, int byte) {
  const uint digits = BYTES_FROM(byte & 3);
  LOCAL_POINTER const uint* words = pixel + (byte >> 2);
  uint before = words[0];
  UNROLL for (int i = 0; i < (OWN + 3) / 4; ++i) {
    const uint after = words[i + 1], four = pick_bytes(before, after, digits);
    pairs[2 * i] = pick_bytes(four, 0, 0x4140);
    if (2 * i + 1 < PAIRS) pairs[2 * i + 1] = pick_bytes(four, 0, 0x4342);
    before = after;
  }
}

#endif
