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
#define NO_KEY 0xFFFFFFFFu

// Column x of the working orientation, in which the reference is always the left picture.
#define PICTURE_COLUMN(x) (MATCHES_LEFT ? (x) : width - 1 - (x))

// Two neighbouring pixels, the left one in the low half. Outside the picture: 0, or the edge column.
static inline uint two_pixels(__global const uchar* restrict row, int x, int width, bool other) {
  int a = x, b = x + 1;
  bool take_a = a >= 0 && a < width, take_b = b >= 0 && b < width;
  if (other && OUTSIDE == 2) {
    a = clamp(a, 0, width - 1), b = clamp(b, 0, width - 1);
    take_a = take_b = true;
  }
  const uint low = take_a ? row[PICTURE_COLUMN(a)] : 0u;
  const uint high = take_b ? row[PICTURE_COLUMN(b)] : 0u;
  return low | high << 16;
}

__kernel WORK_GROUP(THREADS, 1) void match_packed(__global const uchar* restrict mine, __global const uchar* restrict theirs,
                                                  __global MAP* restrict disparity, __global int* restrict winner, int width,
                                                  int height, int roi_x, int roi_y, int roi_w, int roi_h) {
  __local uint ref_rows[ALL_ROWS * REF_WORDS];
  __local uint other_rows[ALL_ROWS * OTHER_WORDS];
  __local uint best_keys[ROWS * COLUMNS];
  const int thread = (int)get_local_id(0), lane = thread & 31, warp = thread >> 5;
  const int left = (int)get_group_id(0) * (COLUMNS - 2 * MARGIN) - MARGIN, top = (int)get_group_id(1) * ROWS;

  for (int i = thread; i < ROWS * COLUMNS; i += THREADS) best_keys[i] = NO_KEY;
  // Column c of the strip meets, for candidate k, word column c - k + CANDIDATES of `other_rows`.
  const int other_left = left - DMIN - CANDIDATES;
  for (int r = warp; r < ALL_ROWS; r += WARPS) {
    const int y = top - RY + r;
    const bool inside = y >= 0 && y < height;
    __global const uchar* my_row = mine + (int64)clamp(y, 0, height - 1) * width;
    __global const uchar* their_row = theirs + (int64)clamp(y, 0, height - 1) * width;
    for (int i = lane; i < REF_WORDS; i += 32)
      ref_rows[r * REF_WORDS + i] = inside ? two_pixels(my_row, left + 2 * i, width, false) : 0u;
    for (int i = lane; i < OTHER_WORDS; i += 32)
      other_rows[r * OTHER_WORDS + i] = inside ? two_pixels(their_row, other_left + 2 * i, width, true) : 0u;
  }
  GROUP_BARRIER();

  uint sums[OWN][PAIRS];
  UNROLL for (int c = 0; c < OWN; ++c) UNROLL for (int k = 0; k < PAIRS; ++k) sums[c][k] = 0;
  const int first = warp * 2 * PAIRS;  // candidate
  LOCAL_POINTER const uint* ref_at = ref_rows + lane * (OWN / 2);
  // Pixel c of this work-item meets candidates first + 2 k (high half) and first + 2 k + 1 (low half) at half-words
  // c + 2 PAIRS - 2 k and the one below it.
  LOCAL_POINTER const uint* other_at = other_rows + (CANDIDATES + lane * OWN - first - 2 * PAIRS) / 2;
  // Columns outside the picture cost nothing.
  uint present[OWN / 2];
  UNROLL for (int i = 0; i < OWN / 2; ++i) {
    const int x = left + lane * OWN + 2 * i;
    present[i] = (x >= 0 && x < width ? 0xFFFFu : 0u) | (x + 1 >= 0 && x + 1 < width ? 0xFFFF0000u : 0u);
  }
  const bool clipped = left < 0 || left + COLUMNS > width;

#define EACH_DIFFERENCE(row, OPERATION)                                                                            \
  {                                                                                                                \
    uint ref[OWN / 2], other[OWN / 2 + PAIRS];                                                                     \
    UNROLL for (int i = 0; i < OWN / 2; ++i) ref[i] = ref_at[(row) * REF_WORDS + i];                               \
    UNROLL for (int i = 0; i < OWN / 2 + PAIRS; ++i) other[i] = other_at[(row) * OTHER_WORDS + i];                 \
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
    UNROLL for (int k = 0; k < PAIRS; ++k) {
      uint column[OWN + 2 * RX];
      UNROLL for (int c = 0; c < OWN; ++c) {
        uint sum = sums[c][k];
        if (clipped) sum = (present[c / 2] >> (c % 2 * 16) & 1u) != 0 ? sum : 0u;
        column[c + RX] = sum;
      }
      UNROLL for (int u = 0; u < RX; ++u) {
        column[u] = from_lane_below(column[OWN + u]);
        column[OWN + RX + u] = from_lane_above(column[RX + u]);
      }
      uint window = 0;
      UNROLL for (int u = 0; u < 2 * RX; ++u) window += column[u];
      UNROLL for (int c = 0; c < OWN; ++c) {
        window += column[c + 2 * RX];
        // Sums below 8192, 8 times, and the pair's number: the smallest key has the smallest sum, and of equal ones the
        // lowest (highest) pair.
        uint key = window * 8u + (uint)(TIE_HIGHEST ? PAIRS - 1 - k : k) * 0x00010001u;
        const int d = first + 2 * k, x = left + lane * OWN + c;
        if (OUTSIDE == 0) {
          const int margin = WHOLE_WINDOWS ? RX : 0, p = x - DMIN - d;
          if (p < margin || p >= width - margin) key |= 0xFFFF0000u;
          if (p - 1 < margin || p - 1 >= width - margin) key |= 0x0000FFFFu;
        }
        if (COUNT != CANDIDATES) {
          if (d >= COUNT) key |= 0xFFFF0000u;
          if (d + 1 >= COUNT) key |= 0x0000FFFFu;
        }
        best[c] = min_halves(best[c], key);
        window -= column[c];
      }
    }
    UNROLL for (int c = 0; c < OWN; ++c) {
      // The high half holds the even candidates, the low half the odd ones.
      const uint even = best[c] >> 16, odd = best[c] & 0xFFFFu;
      const uint even_pair = TIE_HIGHEST ? PAIRS - 1 - (even & 7u) : even & 7u;
      const uint odd_pair = TIE_HIGHEST ? PAIRS - 1 - (odd & 7u) : odd & 7u;
      const uint even_d = (uint)first + 2u * even_pair, odd_d = (uint)first + 2u * odd_pair + 1u;
#define ORDER(d) (TIE_HIGHEST ? 0xFFFFu - (d) : (d))
      const uint even_key = even == 0xFFFFu ? NO_KEY : (even >> 3) << 16 | ORDER(even_d);
      const uint odd_key = odd == 0xFFFFu ? NO_KEY : (odd >> 3) << 16 | ORDER(odd_d);
      atomic_min(&best_keys[row * COLUMNS + c * 32 + lane], min(even_key, odd_key));
    }
    EACH_DIFFERENCE(row, subtract_difference)
  }
  GROUP_BARRIER();

  for (int i = thread; i < ROWS * COLUMNS; i += THREADS) {
    const int c = i % COLUMNS, x = left + c, y = top + i / COLUMNS;
    if (c < MARGIN || c >= COLUMNS - MARGIN || x >= width || y >= height) continue;
    const uint key = best_keys[(i / COLUMNS) * COLUMNS + c % OWN * 32 + c / OWN];
    const bool whole = !WHOLE_WINDOWS || (x >= RX && x < width - RX && y >= RY && y < height - RY);
    const bool valid = key != NO_KEY && whole;
    const int d = DMIN + (int)ORDER(key & 0xFFFFu);
    const int px = PICTURE_COLUMN(x);
    const int64 at = (int64)y * width + px;
    const bool in_roi = px >= roi_x && px < roi_x + roi_w && y >= roi_y && y < roi_y + roi_h;
    if (WANT_DISPARITY) disparity[at] = valid && in_roi ? (MAP)(16 * d) : (MAP)(INVALID);
    if (WANT_WINNER) winner[at] = valid && (in_roi || !WANT_DISPARITY) ? d : NO_WINNER;
  }
}
