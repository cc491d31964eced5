// SPDX-License-Identifier: Apache-2.0
// Sums of squared differences of byte pixels: (a - b)^2 = a^2 - 2 a b + b^2. Of these a^2 is the same for all
// candidates of a pixel, and the windows' sums of b^2 are one map (squares.cl) for all pixels; what is left is a
// product for each pixel and candidate, and one instruction multiplies the row that enters and the row that leaves.
#define SUM int
#define SUMS OF_WARP
#define SCALE_BITS 3  // keys are the cost above so many bits, and the candidate's number in them
#define SCALE (1 << SCALE_BITS)

// SCALE times the sums of b^2 around the candidates' partners: candidate k of column c at c - k + OF_WARP.
typedef struct {
  int squares[OWN + OF_WARP];
} Extra;

typedef struct {
  uint ref[OWN / 4], other[(OWN + OF_WARP) / 4];
} Row;

static inline void load_row(Row* row, LOCAL_POINTER const uint* ref, LOCAL_POINTER const uint* other) {
  load_words(row->ref, ref, OWN / 4, 2);
  load_words(row->other, other, (OWN + OF_WARP) / 4, 2);
}
static inline void load_squares(Extra* extra, LOCAL_POINTER const int* from) {
  UNROLL for (int i = 0; i < OWN + OF_WARP; i += 4) {
    const int4 four = *(LOCAL_POINTER const int4*)(from + i);
    extra->squares[i] = four.x, extra->squares[i + 1] = four.y, extra->squares[i + 2] = four.z,
    extra->squares[i + 3] = four.w;
  }
}
static inline void store_quad(LOCAL_POINTER uint* row, int quad, uint four) { row[quad] = four; }
static inline int ref_place(int lane) { return lane * (OWN / 4); }
static inline int other_place(int lane, int first) { return (COLUMNS + CANDIDATES + lane * OWN - first - OF_WARP) / 4; }

// Sums of 2 SCALE a b.
static inline void exchange_rows(SUM (*sums)[SUMS], const Row* in, const Row* out) {
  uint other[(OWN + OF_WARP) / 2];  // two columns each: entering, leaving, entering, leaving
  UNROLL for (int i = 0; i < (OWN + OF_WARP) / 4; ++i) {
    other[2 * i] = pick_bytes(in->other[i], out->other[i], 0x5140u);
    other[2 * i + 1] = pick_bytes(in->other[i], out->other[i], 0x7362u);
  }
  UNROLL for (int c = 0; c < OWN; ++c) {
    const uint entering = pick_bytes(in->ref[c / 4], 0, 0x4440u | (uint)(c % 4));
    const uint leaving = pick_bytes(out->ref[c / 4], 0, 0x4044u | (uint)(c % 4) << 8);  // in the high half
    const uint factors = (entering - leaving) * (2 * SCALE);
    UNROLL for (int k = 0; k < OF_WARP; ++k) {
      const int place = c - k + OF_WARP;
      sums[c][k] = place % 2 == 0 ? dot_low_bytes(sums[c][k], factors, other[place / 2])
                                  : dot_high_bytes(sums[c][k], factors, other[place / 2]);
    }
  }
}
static inline void enter_row(SUM (*sums)[SUMS], const Row* in) {
  Row nothing;
  UNROLL for (int i = 0; i < OWN / 4; ++i) nothing.ref[i] = 0;
  UNROLL for (int i = 0; i < (OWN + OF_WARP) / 4; ++i) nothing.other[i] = 0;
  exchange_rows(sums, in, &nothing);
}

// Begins the sums of candidates 2 k and 2 k + 1 at the first own column, less that column; then takes in column c.
#define ORDER(candidate) (TIE_HIGHEST ? OF_WARP - 1 - (candidate) : (candidate))
#define BEGIN_WINDOWS(k)                                                                    \
  int window_0 = -ORDER(2 * (k)), window_1 = -ORDER(2 * (k) + 1);                           \
  {                                                                                         \
    int part_0 = 0, part_1 = 0, all_0 = 0, all_1 = 0;                                       \
    UNROLL for (int c = 0; c < OWN; ++c) {                                                  \
      all_0 += sums[c][2 * (k)], all_1 += sums[c][2 * (k) + 1];                             \
      if (c >= OWN - PART_LANE) part_0 += sums[c][2 * (k)], part_1 += sums[c][2 * (k) + 1]; \
    }                                                                                       \
    UNROLL for (int q = 1; q <= WHOLE_LANES; ++q) {                                         \
      window_0 += (int)from_lane_below((uint)all_0, q);                                     \
      window_1 += (int)from_lane_below((uint)all_1, q);                                     \
    }                                                                                       \
    if (PART_LANE > 0) {                                                                    \
      window_0 += (int)from_lane_below((uint)part_0, WHOLE_LANES + 1);                      \
      window_1 += (int)from_lane_below((uint)part_1, WHOLE_LANES + 1);                      \
    }                                                                                       \
  }
#define NEXT_WINDOW(c, k)                                           \
  {                                                                 \
    window_0 += sums[c][2 * (k)], window_1 += sums[c][2 * (k) + 1]; \
    if (c > 0) {                                                    \
      window_0 -= (int)COLUMN(sums, c - 1 - 2 * RX, 2 * (k));       \
      window_1 -= (int)COLUMN(sums, c - 1 - 2 * RX, 2 * (k) + 1);   \
    }                                                               \
  }
#define KEY_0(c, k) (extra->squares[OF_WARP + (c)-2 * (k)] - window_0)
#define KEY_1(c, k) (extra->squares[OF_WARP - 1 + (c)-2 * (k)] - window_1)
#define COST_OF(key, c) ((key) >> SCALE_BITS)  // also of negative keys
