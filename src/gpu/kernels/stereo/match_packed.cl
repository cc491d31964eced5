// SPDX-License-Identifier: Apache-2.0
// Winners by SAD of byte pixels in small windows, for NVIDIA: a warp takes a strip of 256 columns, 8 to a work-item, and
// 2 * PAIRS candidates; the warps of a group share the strip and split the candidates. Work-items keep the columns' sums of
// two candidates in one register, march down ROWS rows, and pass sums to their neighbours for the windows' ends.
//
// Only for rules under which all candidates of a pixel sum equally many taps.
#include "packed.h"
#if !defined(RX) || !defined(RY) || !defined(COUNT) || !defined(DMIN) || !defined(OUTSIDE) || !defined(TIE_HIGHEST)
#error "match_packed needs RX (<= 4), RY (<= 3), COUNT, DMIN, OUTSIDE and TIE_HIGHEST"
#endif
#if !defined(WHOLE_WINDOWS) || !defined(MATCHES_LEFT) || !defined(PAIRS) || !defined(WARPS) || !defined(ROWS)
#error "match_packed needs WHOLE_WINDOWS, MATCHES_LEFT, PAIRS (4 or 8), WARPS and ROWS"
#endif
#if !defined(MAP) || !defined(INVALID) || !defined(NO_WINNER) || !defined(WANT_WINNER) || !defined(WANT_DISPARITY)
#error "match_packed needs MAP, INVALID, NO_WINNER, WANT_WINNER and WANT_DISPARITY"
#endif

#define OWN 8                                   // columns of a work-item
#define COLUMNS (32 * OWN)                      // of a strip
#define MARGIN 4                                // columns on either side that only feed windows: RX, rounded up to words
#define CANDIDATES (2 * PAIRS * WARPS)          // COUNT, rounded up
#define REF_WORDS (COLUMNS / 2)                 // two pixels to a word
#define OTHER_WORDS ((COLUMNS + CANDIDATES) / 2)
#define ALL_ROWS (ROWS + 2 * RY)
#define THREADS (32 * WARPS)
#define LOADS ((ALL_ROWS + WARPS - 1) / WARPS)  // rows that a warp loads
#define BEST_STRIDE 33                          // keeps the lanes' keys in different banks, whichever way they are read
#define NO_KEY 0xFFFFFFFFu

// Column x of the working orientation, in which the reference is always the left picture.
#define PICTURE_COLUMN(x) (MATCHES_LEFT ? (x) : width - 1 - (x))

static inline void load_four(LOCAL_POINTER const uint* from, uint* to) {
  const uint4 four = *(LOCAL_POINTER const uint4*)from;
  to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

// Four neighbouring pixels, the leftmost one in the lowest byte. Outside the picture: 0, or the edge column.
static inline uint four_pixels(__global const uchar* restrict row, int x, int width, bool other) {
  if (x >= 0 && x + 3 < width) {
    // Two aligned words hold the four bytes; rows begin at any address.
    __global const uchar* at = row + (MATCHES_LEFT ? x : width - 4 - x);
    const uint shift = (uint)((size_t)at & 3u) * 8u;
    __global const uint* words = (__global const uint*)(at - shift / 8u);
    uint four = words[0];
    if (shift != 0) four = four >> shift | words[1] << (32u - shift);
    return MATCHES_LEFT ? four : pick_bytes(four, 0, 0x0123u);
  }
  uint four = 0;
  for (int i = 0; i < 4; ++i) {
    int column = x + i;
    if (other && OUTSIDE == 2) column = clamp(column, 0, width - 1);
    if (column >= 0 && column < width) four |= (uint)row[PICTURE_COLUMN(column)] << (8 * i);
  }
  return four;
}

// Halves of a key that are no candidates: d (high half) or d + 1 (low half) is none, or column p - d lies outside.
static inline uint excluded(int d, int p, bool edge, int margin, int width) {
  const int high = p - d, low = high - 1;
  uint mask = 0;
  if (d >= COUNT || (edge && (high < margin || high >= width - margin))) mask |= 0xFFFF0000u;
  if (d + 1 >= COUNT || (edge && (low < margin || low >= width - margin))) mask |= 0x0000FFFFu;
  return mask;
}

__kernel WORK_GROUP(THREADS, 1) void match_packed(__global const uchar* restrict mine, __global const uchar* restrict theirs,
                                                  __global MAP* restrict disparity, __global int* restrict winner, int width,
                                                  int height, int roi_x, int roi_y, int roi_w, int roi_h) {
  __local uint ALIGN_16 ref_rows[ALL_ROWS * REF_WORDS];
  __local uint ALIGN_16 other_rows[ALL_ROWS * OTHER_WORDS];
  __local uint best_keys[ROWS * BEST_STRIDE * OWN];
  const int thread = (int)get_local_id(0), lane = thread & 31, warp = thread >> 5;
  const int left = (int)get_group_id(0) * (COLUMNS - 2 * MARGIN) - MARGIN, top = (int)get_group_id(1) * ROWS;

  for (int i = thread; i < ROWS * BEST_STRIDE * OWN; i += THREADS) best_keys[i] = NO_KEY;
  // Column c of the strip meets, for candidate k, column c - k + CANDIDATES of `other_rows`.
  const int other_left = left - DMIN - CANDIDATES;
  UNROLL for (int i = lane; i < (REF_WORDS + OTHER_WORDS) / 2; i += 32) {
    const bool is_other = i >= REF_WORDS / 2;
    const int quad = is_other ? i - REF_WORDS / 2 : i;
    const int x = (is_other ? other_left : left) + 4 * quad;
    LOCAL_POINTER uint* to = is_other ? other_rows + 2 * quad : ref_rows + 2 * quad;
    uint four[LOADS];  // all loads are on their way before the first is waited for
    UNROLL for (int j = 0; j < LOADS; ++j) {
      const int y = top - RY + warp + j * WARPS;
      four[j] = y >= 0 && y < height && warp + j * WARPS < ALL_ROWS
                    ? four_pixels((is_other ? theirs : mine) + (int64)y * width, x, width, is_other)
                    : 0u;
    }
    UNROLL for (int j = 0; j < LOADS; ++j) {
      const int r = warp + j * WARPS;
      if (r < ALL_ROWS) {
        to[r * (is_other ? OTHER_WORDS : REF_WORDS)] = pick_bytes(four[j], 0, 0x4140u);
        to[r * (is_other ? OTHER_WORDS : REF_WORDS) + 1] = pick_bytes(four[j], 0, 0x4342u);
      }
    }
  }
  GROUP_BARRIER();

  uint sums[OWN][PAIRS];
  UNROLL for (int c = 0; c < OWN; ++c) UNROLL for (int k = 0; k < PAIRS; ++k) sums[c][k] = 0;
  const int first = warp * 2 * PAIRS;  // candidate
  LOCAL_POINTER const uint* ref_at = ref_rows + lane * (OWN / 2);
  // Pixel c of this work-item meets candidates first + 2 k (high half) and first + 2 k + 1 (low half) at half-words
  // c + 2 PAIRS - 2 k and the one below it.
  LOCAL_POINTER const uint* other_at = other_rows + (CANDIDATES + lane * OWN - first - 2 * PAIRS) / 2;
#if !WHOLE_WINDOWS
  // Columns outside the picture cost nothing.
  uint present[OWN];
  UNROLL for (int c = 0; c < OWN; ++c) {
    const int x = left + lane * OWN + c;
    present[c] = x >= 0 && x < width ? 0xFFFFFFFFu : 0u;
  }
#endif
  // Whether some candidate of some pixel lies outside the other picture.
  const int margin = WHOLE_WINDOWS ? RX : 0;
  const bool edge = OUTSIDE == 0 && (other_left < margin || left + COLUMNS - DMIN >= width - margin);

#define EACH_DIFFERENCE(row, OPERATION)                                                                            \
  {                                                                                                                \
    uint ref[OWN / 2], other[OWN / 2 + PAIRS];                                                                     \
    load_four(ref_at + (row) * REF_WORDS, ref);                                                                    \
    UNROLL for (int i = 0; i < OWN / 2 + PAIRS; i += 4) load_four(other_at + (row) * OTHER_WORDS + i, other + i);  \
    UNROLL for (int c = 0; c < OWN; ++c) {                                                                         \
      const uint pixel = c % 2 == 0 ? pick_bytes(ref[c / 2], 0, 0x1010u) : pick_bytes(ref[c / 2], 0, 0x3232u);     \
      UNROLL for (int k = 0; k < PAIRS; ++k) {                                                                     \
        const int place = c + 2 * PAIRS - 2 * k;                                                                    \
        const uint pair = place % 2 == 1 ? other[place / 2] : pick_bytes(other[place / 2 - 1], other[place / 2], 0x5432u); \
        sums[c][k] = OPERATION(sums[c][k], pixel, pair);                                                           \
      }                                                                                                            \
    }                                                                                                              \
  }

  for (int r = 0; r < 2 * RY; ++r) EACH_DIFFERENCE(r, add_difference)
  for (int row = 0; row < ROWS; ++row) {
    const int y = top + row;
    if (y >= height) break;
    EACH_DIFFERENCE(row + 2 * RY, add_difference)
    uint best[OWN];
    UNROLL for (int c = 0; c < OWN; ++c) best[c] = NO_KEY;
    UNROLL for (int k = 0; k < PAIRS; k += 2) {  // two at a time: the least of three takes one instruction
      uint column[2][OWN + 2 * RX], window[2] = {0, 0};
      UNROLL for (int j = 0; j < 2; ++j) {
#if WHOLE_WINDOWS
        UNROLL for (int c = 0; c < OWN; ++c) column[j][c + RX] = sums[c][k + j];
#else
        UNROLL for (int c = 0; c < OWN; ++c) column[j][c + RX] = sums[c][k + j] & present[c];
#endif
        UNROLL for (int u = 0; u < RX; ++u) {
          column[j][u] = from_lane_below(column[j][OWN + u]);
          column[j][OWN + RX + u] = from_lane_above(column[j][RX + u]);
        }
        UNROLL for (int u = 0; u < 2 * RX; ++u) window[j] += column[j][u];
      }
      UNROLL for (int c = 0; c < OWN; ++c) {
        uint key[2];
        UNROLL for (int j = 0; j < 2; ++j) {
          window[j] += column[j][c + 2 * RX];
          // Sums below 8192, 8 times, and the pair's number: the smallest key has the smallest sum, and of equal ones the
          // lowest (highest) pair.
          key[j] = window[j] * 8u + (uint)(TIE_HIGHEST ? PAIRS - 1 - k - j : k + j) * 0x00010001u;
          if (edge || COUNT != CANDIDATES) key[j] |= excluded(first + 2 * (k + j), left + lane * OWN + c - DMIN, edge, margin, width);
          window[j] -= column[j][c];
        }
        best[c] = min_halves(min_halves(best[c], key[0]), key[1]);
      }
    }
    UNROLL for (int c = 0; c < OWN; ++c) {
      // The high half holds the even candidates, the low half the odd ones; the lowest bit tells which, in the order of the
      // tie rule.
      const uint key = min((best[c] >> 16) * 2u + TIE_HIGHEST, (best[c] & 0xFFFFu) * 2u + !TIE_HIGHEST);
      const uint order = TIE_HIGHEST ? (uint)(CANDIDATES - 2 * PAIRS - first) : (uint)first;
      uint global_key = (key >> 4) << 16 | (order + (key & 15u));
      if ((OUTSIDE == 0 || COUNT != CANDIDATES) && key >= 0x1FFFEu) global_key = NO_KEY;
      atomic_min(&best_keys[(row * OWN + c) * BEST_STRIDE + lane], global_key);
    }
    EACH_DIFFERENCE(row, subtract_difference)
  }
  GROUP_BARRIER();

  for (int i = thread; i < ROWS * COLUMNS; i += THREADS) {
    const int c = i % COLUMNS, x = left + c, y = top + i / COLUMNS;
    if (c < MARGIN || c >= COLUMNS - MARGIN || x >= width || y >= height) continue;
    const uint key = best_keys[(i / COLUMNS * OWN + c % OWN) * BEST_STRIDE + c / OWN];
    const bool whole = !WHOLE_WINDOWS || (x >= RX && x < width - RX && y >= RY && y < height - RY);
    const bool valid = key != NO_KEY && whole;
    const int order = (int)(key & 0xFFFFu);
    const int d = DMIN + (TIE_HIGHEST ? CANDIDATES - 1 - order : order);
    const int px = PICTURE_COLUMN(x);
    const int64 at = (int64)y * width + px;
    const bool in_roi = px >= roi_x && px < roi_x + roi_w && y >= roi_y && y < roi_y + roi_h;
    if (WANT_DISPARITY) disparity[at] = valid && in_roi ? (MAP)(16 * d) : (MAP)(INVALID);
    if (WANT_WINNER) winner[at] = valid && (in_roi || !WANT_DISPARITY) ? d : NO_WINNER;
  }
}
