// SPDX-License-Identifier: Apache-2.0
// A warp's look at its candidates in one row, where the keys of two candidates share a register: the best of each pixel,
// and, when the group's winner is known, the best that is no neighbour of it, and the neighbours.
// Needs BEGIN_WINDOWS, NEXT_WINDOW, SCALE and PAIRS; see match_packed.cl.

// Candidates without a key, as bits of halves.
static inline uint masked(uint key, uint none) {
  if (none & 2u) key |= 0xFFFF0000u;
  if (none & 1u) key |= 0x0000FFFFu;
  return key;
}
static inline uint key_of(uint window, int k) {
  return window * SCALE + (uint)(TIE_HIGHEST ? PAIRS - 1 - k : k) * 0x00010001u;
}

// best: cost and order among all candidates, or NO_KEY. Costs go to row_costs.
static inline void find_best(SUM (*sums)[SUMS], int first, int own_x, bool exclude, bool edge, int width, const Extra* extra,
                             LOCAL_POINTER uint* row_costs, int* best) {
  uint keys[OWN];
  UNROLL for (int c = 0; c < OWN; ++c) keys[c] = 0xFFFFFFFFu;
  UNROLL for (int k = 0; k < PAIRS; k += 2) {  // two at a time: the least of three takes one instruction
    uint two[2][OWN];
    UNROLL for (int j = 0; j < 2; ++j) {
      BEGIN_WINDOWS(k + j)
#if COST_ROWS
      uint costs[OWN];
#endif
      UNROLL for (int c = 0; c < OWN; ++c) {
        NEXT_WINDOW(c, k + j)
        two[j][c] = key_of(window, k + j);
        const uint none = exclude ? excluded(first + 2 * (k + j), own_x + c, edge, width) : 0;
        two[j][c] = masked(two[j][c], none);
#if COST_ROWS
        costs[c] = masked(window, none);
#endif
      }
#if COST_ROWS
      store_costs(row_costs + (k + j) * COLUMNS, costs);
#endif
    }
    UNROLL for (int c = 0; c < OWN; ++c) keys[c] = min_halves(min_halves(keys[c], two[0][c]), two[1][c]);
  }
  const int base = TIE_HIGHEST ? CANDIDATES - OF_WARP - first : first;
  UNROLL for (int c = 0; c < OWN; ++c) {
    // The high half holds the even candidates, the low half the odd ones; the lowest bit tells which, in the order of the
    // tie rule.
    const uint key = min((keys[c] >> 16) * 2u + TIE_HIGHEST, (keys[c] & 0xFFFFu) * 2u + !TIE_HIGHEST);
    best[c] = (int)((key >> 4) << ORDER_BITS) + base + (int)(key & 15u);
    if (MAY_HAVE_NONE && key >= 0x1FFFEu) best[c] = NO_KEY;
  }
}

#if FULL && !COST_ROWS
// winner: the group's best candidate of each pixel, counted from this warp's first.
static inline void find_rivals(SUM (*sums)[SUMS], int first, int own_x, bool exclude, bool edge, int width, const Extra* extra, const int* winner,
                               int* rival, int* before, int* after) {
  // Winner and neighbours fill one pair and half of another: bit k is set for the first, bit k + 8 or k + 16 for the low or
  // high half of the second.
  uint places[OWN], whole[OWN], part[OWN], keys[OWN];
  UNROLL for (int c = 0; c < OWN; ++c) {
    const int pair = winner[c] >> 1;
    places[c] = 0;
    if (pair >= 0 && pair < PAIRS) places[c] |= 1u << pair;
    if (winner[c] % 2 == 0 && pair >= 1 && pair <= PAIRS) places[c] |= 1u << (pair - 1 + 8);
    if (winner[c] % 2 != 0 && pair >= -1 && pair < PAIRS - 1) places[c] |= 1u << (pair + 1 + 16);
    keys[c] = 0xFFFFFFFFu;
    whole[c] = part[c] = 0;
  }
  UNROLL for (int k = 0; k < PAIRS; ++k) {
    BEGIN_WINDOWS(k)
    UNROLL for (int c = 0; c < OWN; ++c) {
      NEXT_WINDOW(c, k)
      uint key = window;
      if (exclude) key = masked(key, excluded(first + 2 * k, own_x + c, edge, width));
      if (places[c] & 1u << k) key = 0xFFFFFFFFu, whole[c] = window;
      if (places[c] & 1u << (k + 8)) key |= 0x0000FFFFu, part[c] = window;
      if (places[c] & 1u << (k + 16)) key |= 0xFFFF0000u, part[c] = window;
      keys[c] = min_halves(keys[c], key);
    }
  }
  UNROLL for (int c = 0; c < OWN; ++c) {
    const uint least = min(keys[c] >> 16, keys[c] & 0xFFFFu);
    rival[c] = least == 0xFFFFu ? NO_KEY : (int)least;
    before[c] = (int)(winner[c] % 2 == 0 ? part[c] & 0xFFFFu : whole[c] >> 16);
    after[c] = (int)(winner[c] % 2 == 0 ? whole[c] & 0xFFFFu : part[c] >> 16);
  }
}
#endif
