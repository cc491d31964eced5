// SPDX-License-Identifier: Apache-2.0
// Rows of census words in match_warp.cl's local memory, and columns' sums of their distances. A register holds the sums
// of two candidates, as in warp.h, which includes this; the distances of the row that leaves are counted once more,
// since nothing keeps them.

// A row of both pictures, where row 0 is s.top - RY.
static inline void copy_row(LOCAL_POINTER uint* to, Strip s, __global const WORD* restrict mine,
                            __global const WORD* restrict theirs, int row, int lane) {
  const int y = s.top - RY + row, width = s.width;
  const bool inside = y >= 0 && y < s.height;
  const int64 offset = (int64)(inside ? y : 0) * width;
  const int my_left = s.left - RX, their_left = my_left - DMIN - CANDIDATES;
  UNROLL_4 for (int i = lane; i < 4 * (MY_QUADS + THEIR_QUADS); i += 32) {
    const bool other = i >= 4 * MY_QUADS;
    int x = other ? their_left + i - 4 * MY_QUADS : my_left + i;
    if (other && OUTSIDE == OUTSIDE_CLAMP) x = clamp(x, 0, width - 1);
    const WORD word = inside && x >= 0 && x < width ? (other ? theirs : mine)[offset + PICTURE_COLUMN(x)] : 0;
    to[WORDS * i] = (uint)word;
#if WORDS == 2
    to[WORDS * i + 1] = (uint)(word >> 32);
#endif
  }
}

// Where columns begin in a row of local memory: the reference's, and the word OWN pixels before the other picture's for
// the warp's first column and the lane's first candidate.
static inline int my_place(int number) { return WORDS * number; }
static inline int their_place(int number, int lane) {
  return MY_WORDS + WORDS * (CANDIDATES + number - OWN * (lane + 1));
}

static inline uint distance_of(const uint* a, const uint* b) {
  uint bits = popcount(a[0] ^ b[0]);
#if WORDS == 2
  bits += popcount(a[1] ^ b[1]);
#endif
  return bits;
}

// Brings the columns' sums to the next row. Where `edge`, taps outside a picture count nothing; the warp's first column
// is x.
static inline void slide_down(uint (*sums)[PAIRS], LOCAL_POINTER const uint* mine_in,
                              LOCAL_POINTER const uint* mine_out, LOCAL_POINTER const uint* theirs_in,
                              LOCAL_POINTER const uint* theirs_out, bool edge, int x, int first, int width,
                              LOCAL_POINTER const uint* firsts) {
  uint in[WORDS * (OWN + 4 * FOURS)], out[WORDS * (OWN + 4 * FOURS)];
  load_words(in, theirs_in, WORDS * OWN, WORDS * OWN);
  load_words(out, theirs_out, WORDS * OWN, WORDS * OWN);
  UNROLL for (int four = 0; four < FOURS; ++four) {
    uint a[4 * WORDS], b[4 * WORDS];
    load_words(a, mine_in + 4 * WORDS * four, 4 * WORDS, 4);
    load_words(b, mine_out + 4 * WORDS * four, 4 * WORDS, 4);
    const int next = WORDS * (OWN + 4 * four);
    load_words(in + next, theirs_in + next, 4 * WORDS, WORDS * OWN);
    load_words(out + next, theirs_out + next, 4 * WORDS, WORDS * OWN);
    UNROLL for (int j = 0; j < 4; ++j) {
      const int c = 4 * four + j;
      if (c >= SPAN) continue;
      uint counts[PAIRS];
      if (edge) halves_with_partner(counts, x + c, first, width, firsts);
      UNROLL for (int k = 0; k < PAIRS; ++k) {
        const int high = WORDS * (OWN + c - 2 * k), low = high - WORDS;  // candidates 2 k and 2 k + 1
        uint more = distance_of(a + WORDS * j, in + high) - distance_of(b + WORDS * j, out + high);
        uint more_low = 0;
        if (2 * k + 1 < OWN) more_low = distance_of(a + WORDS * j, in + low) - distance_of(b + WORDS * j, out + low);
        if (edge && (counts[k] & 0x10000u) == 0) more = 0;
        if (edge && (counts[k] & 1u) == 0) more_low = 0;
        sums[c][k] += more * 0x10000u + more_low;
      }
    }
  }
}
