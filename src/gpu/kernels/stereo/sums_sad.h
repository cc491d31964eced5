// SPDX-License-Identifier: Apache-2.0
// Columns' sums of absolute differences of byte pixels, and windows' sums from them. A register holds the sums of two
// candidates. Where a window's cost leaves bits for a pair's number in 16 bits (SHORT_KEYS), whole keys stay packed;
// else dot products widen the sums on their way into keys of 32 bits.
#include "stereo/exchange.h"
#ifndef SHORT_KEYS
#error "sums_sad needs SHORT_KEYS (1: cost and a pair's number fit 16 bits)"
#endif

#define PAIRS (OF_WARP / 2)
#define REF_WORDS (COLUMNS / 2)  // of a row in local memory: two pixels to a word
#define SUM uint
#define SUMS PAIRS  // of a column
#if !SHORT_KEYS
#define SCALE 16     // ... and the candidate's
#define BIAS 0x8000  // keeps differences of columns positive
#endif

// What keys need besides sums.
typedef struct {
  uint scale;  // STRIP_SHORT_SCALE
} Extra;

typedef struct {
  uint ref[OWN / 2], other[OWN / 2 + PAIRS];
} Row;

static inline void load_row(Row* row, LOCAL_POINTER const uint* ref, LOCAL_POINTER const uint* other) {
  load_words(row->ref, ref, OWN / 2, OWN / 2);
  load_words(row->other, other, OWN / 2 + PAIRS, OWN / 2);
}
// Pixel c in both halves.
static inline uint twice(const Row* row, int c) {
  return pick_bytes(row->ref[c / 2], 0, c % 2 == 0 ? 0x1010u : 0x3232u);
}
// The pixels with which pixel c is compared for candidates 2 k (high half) and 2 k + 1.
static inline uint pair_of(const Row* row, int c, int k) {
  const int place = c + 2 * PAIRS - 2 * k;
  return place % 2 == 1 ? row->other[place / 2] : pick_bytes(row->other[place / 2 - 1], row->other[place / 2], 0x5432u);
}

// Begins the sum of pair k at the first own column, less that column; then takes in column c.
#if SHORT_KEYS
#define BEGIN_WINDOWS(k)                    \
  uint window = 0, back[2 * RX + 1];        \
  UNROLL for (int u = 0; u < 2 * RX; ++u) { \
    back[u] = COLUMN(sums, u - 2 * RX, k);  \
    window += back[u];                      \
  }
#define NEXT_WINDOW(c, k)                                                                      \
  {                                                                                            \
    window += sums[c][k];                                                                      \
    if (c > 0) window -= c - 1 < 2 * RX ? back[c - 1] : sums[(c - 1 - 2 * RX) & (OWN - 1)][k]; \
  }
#else
#define BEGIN_WINDOWS(k)                                                                              \
  uint high = TIE_HIGHEST ? OF_WARP - 1 - 2 * (k) : 2 * (k), low = TIE_HIGHEST ? high - 1 : high + 1; \
  {                                                                                                   \
    uint part = 0, all = 0;                                                                           \
    UNROLL for (int c = 0; c < OWN; ++c) {                                                            \
      all += sums[c][k];                                                                              \
      if (c >= OWN - PART_LANE) part += sums[c][k];                                                   \
    }                                                                                                 \
    UNROLL for (int q = 1; q <= WHOLE_LANES; ++q) {                                                   \
      const uint lane_sum = from_lane_below(all, q);                                                  \
      high = add_halves(high, lane_sum, SCALE << 8), low = add_halves(low, lane_sum, SCALE);          \
    }                                                                                                 \
    if (PART_LANE > 0) {                                                                              \
      const uint lane_sum = from_lane_below(part, WHOLE_LANES + 1);                                   \
      high = add_halves(high, lane_sum, SCALE << 8), low = add_halves(low, lane_sum, SCALE);          \
    }                                                                                                 \
  }
#define NEXT_WINDOW(c, k)                                                          \
  {                                                                                \
    uint step = sums[c][k];                                                        \
    if (c > 0) step += BIAS * 0x10001u - COLUMN(sums, c - 1 - 2 * RX, k);          \
    high = add_halves(high, step, SCALE << 8), low = add_halves(low, step, SCALE); \
  }
#define KEY_0(c, k) ((int)high)
#define KEY_1(c, k) ((int)low)
#define COST_OF(key, c) ((int)((key) / SCALE) - BIAS * (c))
#endif

static inline void store_quad(LOCAL_POINTER uint* row, int quad, uint four) {
  row[2 * quad] = pick_bytes(four, 0, 0x4140u);
  row[2 * quad + 1] = pick_bytes(four, 0, 0x4342u);
}
// Words of a row that this work-item's columns and candidates need: candidates first + 2 k (high half) and first + 2 k
// + 1 (low half) lie at half-words c + 2 PAIRS - 2 k and the one below it.
static inline int ref_place(int lane) { return lane * (OWN / 2); }
static inline int other_place(int lane, int first) {
  return REF_WORDS + (CANDIDATES + lane * OWN - first - OF_WARP) / 2;
}

static inline void enter_row(SUM (*sums)[SUMS], const Row* in) {
  UNROLL for (int c = 0; c < OWN; ++c)
    UNROLL for (int k = 0; k < PAIRS; ++k) sums[c][k] += add_difference(0, twice(in, c), pair_of(in, c, k));
}
static inline void exchange_rows(SUM (*sums)[SUMS], const Row* in, const Row* out) {
  UNROLL for (int c = 0; c < OWN; ++c)
    UNROLL for (int k = 0; k < PAIRS; ++k)
      sums[c][k] = exchange_pair(sums[c][k], twice(in, c), pair_of(in, c, k), twice(out, c), pair_of(out, c, k));
}
