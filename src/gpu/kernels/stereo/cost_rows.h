// SPDX-License-Identifier: Apache-2.0
// Costs of all candidates of a row of the strip, 16 bits each, two to a word: candidate 2 k in the high half of word
// k * COLUMNS + column. Work-items that take a column each find there what is asked of a winner's surroundings.
#if COST_ROWS
static inline void store_costs(LOCAL_POINTER uint* to, const uint* costs) {
  UNROLL for (int c = 0; c < OWN; c += 4) {
    uint4 four;
    four.x = costs[c], four.y = costs[c + 1], four.z = costs[c + 2], four.w = costs[c + 3];
    *(LOCAL_POINTER uint4*)(to + c) = four;
  }
}

// The part `part` of `parts` of a column's candidates: the least cost more than 1 px from the winner, and for the first part
// the winner's neighbours. What is no candidate costs 0xFFFF.
static inline void search_costs(LOCAL_POINTER const uint* row_costs, int column, int part, int parts,
                                LOCAL_POINTER const int* best_keys, LOCAL_POINTER int* rivals,
                                LOCAL_POINTER ushort* neighbours, int at) {
  const int key = best_keys[at];
  if (key == NO_KEY) return;
  // Winner and neighbours lie in pairs near and near + 1, with one more candidate.
  const int k = candidate_of(key), near = (k - 1) >> 1;
  LOCAL_POINTER const uint* costs = row_costs + column;
  // Four pairs at a time; those around the winner one by one.
  const int step = ((CANDIDATES / 2 + parts - 1) / parts + 3) / 4 * 4, first = part * step;
  const int last = min(first + step, CANDIDATES / 2);
  uint least = 0xFFFFFFFFu;
  UNROLL for (int i = 0; i < step; i += 4) {
    const int four = first + i;
    if (four >= CANDIDATES / 2) break;
    uint here = 0xFFFFFFFFu;
    UNROLL for (int j = 0; j < 4; ++j) here = min_halves(here, costs[(four + j) * COLUMNS]);
    if (four / 4 != near >> 2 && four / 4 != (near + 1) >> 2) least = min_halves(least, here);
  }
  for (int i = max(first, near & ~3); i < min(last, ((near + 1) & ~3) + 4); ++i)
    if (i != near && i != near + 1) least = min_halves(least, costs[i * COLUMNS]);
  least = min(least >> 16, least & 0xFFFFu);
  if (part == 0) {
    const uint low = near >= 0 ? costs[near * COLUMNS] : 0xFFFFFFFFu;
    const uint high = near + 1 < CANDIDATES / 2 ? costs[(near + 1) * COLUMNS] : 0xFFFFFFFFu;
    const bool even = k % 2 == 0;
    least = min(least, even ? low >> 16 : high & 0xFFFFu);
    neighbours[2 * at] = (ushort)(even ? low & 0xFFFFu : low >> 16);
    neighbours[2 * at + 1] = (ushort)(even ? high & 0xFFFFu : high >> 16);
  }
  if (least != 0xFFFFu) atomic_min(&rivals[at], (int)least);
}
#endif
