// SPDX-License-Identifier: Apache-2.0
// How a warp searches its candidates in one row, where each has a key of 32 bits: the best of each pixel, and, when the
// group's winner is known, the best that is no neighbour of it, and the neighbours. Needs SUM, BEGIN_WINDOWS,
// NEXT_WINDOW, KEY_0, KEY_1 (of candidates 2 k and 2 k + 1 at column c) and COST_OF.

// best: cost and order among all candidates, or NO_KEY.
static inline void find_best(SUM (*sums)[SUMS], int first, int own_x, bool exclude, bool edge, int width,
                             const Extra* extra, int* best) {
  UNROLL for (int c = 0; c < OWN; ++c) best[c] = NO_KEY;
  UNROLL for (int k = 0; k < OF_WARP / 2; ++k) {
    BEGIN_WINDOWS(k)
    UNROLL for (int c = 0; c < OWN; ++c) {
      NEXT_WINDOW(c, k)
      int key_0 = KEY_0(c, k), key_1 = KEY_1(c, k);
      if (exclude) {
        const uint none = excluded(first + 2 * k, own_x + c, edge, width);
        if (none & 2u) key_0 = NO_KEY;
        if (none & 1u) key_1 = NO_KEY;
      }
      best[c] = min(min(best[c], key_0), key_1);
    }
  }
  const int base = TIE_HIGHEST ? CANDIDATES - OF_WARP - first : first;
  UNROLL for (int c = 0; c < OWN; ++c) {
    const int key = best[c];
    best[c] = COST_OF(key, c) * (1 << ORDER_BITS) + base + (key & (OF_WARP - 1));
    if (MAY_HAVE_NONE && key == NO_KEY) best[c] = NO_KEY;
  }
}

#if FULL
// winner: the group's best candidate of each pixel, counted from this warp's first.
static inline void find_second_best(SUM (*sums)[SUMS], int first, int own_x, bool exclude, bool edge, int width,
                                    const Extra* extra, const int* winner, int* second, int* before, int* after) {
  UNROLL for (int c = 0; c < OWN; ++c) second[c] = NO_KEY, before[c] = after[c] = 0;
  UNROLL for (int k = 0; k < OF_WARP / 2; ++k) {
    BEGIN_WINDOWS(k)
    UNROLL for (int c = 0; c < OWN; ++c) {
      NEXT_WINDOW(c, k)
      int key_0 = KEY_0(c, k), key_1 = KEY_1(c, k);
      const int from_winner = winner[c] - 2 * k;
      if (from_winner == 1) before[c] = key_0;
      if (from_winner == 2) before[c] = key_1;
      if (from_winner == -1) after[c] = key_0;
      if (from_winner == 0) after[c] = key_1;
      if (from_winner >= -1 && from_winner <= 1) key_0 = NO_KEY;
      if (from_winner >= 0 && from_winner <= 2) key_1 = NO_KEY;
      if (exclude) {
        const uint none = excluded(first + 2 * k, own_x + c, edge, width);
        if (none & 2u) key_0 = NO_KEY;
        if (none & 1u) key_1 = NO_KEY;
      }
      second[c] = min(min(second[c], key_0), key_1);
    }
  }
  UNROLL for (int c = 0; c < OWN; ++c) {
    second[c] = second[c] == NO_KEY ? NO_KEY : COST_OF(second[c], c);
    before[c] = COST_OF(before[c], c), after[c] = COST_OF(after[c], c);
  }
}
#endif
