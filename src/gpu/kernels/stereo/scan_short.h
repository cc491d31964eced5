// SPDX-License-Identifier: Apache-2.0
// How a warp searches its candidates in one row, where the keys of two candidates share a register: the best of each
// pixel. Needs BEGIN_WINDOWS, NEXT_WINDOW and PAIRS; see sums_sad.h.

// Candidates without a key, as bits of halves.
static inline uint masked(uint key, uint none) {
  if (none & 2u) key |= 0xFFFF0000u;
  if (none & 1u) key |= 0x0000FFFFu;
  return key;
}
static inline uint key_of(uint window, int k, uint scale) {
  return window * scale + (uint)(TIE_HIGHEST ? PAIRS - 1 - k : k) * 0x00010001u;
}

// best: cost and order among all candidates, or NO_KEY.
static inline void find_best(SUM (*sums)[SUMS], int first, int own_x, bool exclude, bool edge, int width,
                             const Extra* extra, int* best) {
  uint keys[OWN];
  UNROLL for (int c = 0; c < OWN; ++c) keys[c] = 0xFFFFFFFFu;
  UNROLL for (int k = 0; k < PAIRS; k += 2) {  // two at a time: the least of three takes one instruction
    uint two[2][OWN];
    UNROLL for (int j = 0; j < 2; ++j) {
      BEGIN_WINDOWS(k + j)
      UNROLL for (int c = 0; c < OWN; ++c) {
        NEXT_WINDOW(c, k + j)
        two[j][c] = key_of(window, k + j, extra->scale);
        const uint none = exclude ? excluded(first + 2 * (k + j), own_x + c, edge, width) : 0;
        two[j][c] = masked(two[j][c], none);
      }
    }
    UNROLL for (int c = 0; c < OWN; ++c) keys[c] = min_halves(min_halves(keys[c], two[0][c]), two[1][c]);
  }
  const int base = TIE_HIGHEST ? CANDIDATES - OF_WARP - first : first;
  UNROLL for (int c = 0; c < OWN; ++c) {
    // The high half holds the even candidates, the low half the odd ones; bit 15 tells which, in the order of the tie
    // rule. From there on the lesser half has a candidate's number in four bits, and its cost.
    const uint even = (keys[c] & 0xFFFF0000u) | (TIE_HIGHEST ? 0x8000u : 0), odd = keys[c] << 16;
    const uint least = min(even, odd | (TIE_HIGHEST ? 0 : 0x8000u));
    best[c] = (int)(least >> 19) * ((1 << ORDER_BITS) - 16) + (int)(least >> 15) + base;
    if (MAY_HAVE_NONE && least >= 0xFFFF0000u) best[c] = NO_KEY;
  }
}
