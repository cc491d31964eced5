// SPDX-License-Identifier: Apache-2.0
// Of match_rows.cl: the other view's winners, from the same sums. A candidate of a pixel is one of its partner too.
// Places are in the order of partners: so vectors of the sums of pixels x, x + 1, ... that begin at places k, k - 1 and
// so on meet the same partners. Between the sums of two pixels lies a vector of NONE.
//
// Seen from a partner, all pixels have equally many tap columns but for those whose windows are clipped at the
// reference's ends. These compete one by one after all others: at the right end they come last anyway; those at the
// left end wait for the end of the row of the first strip, which no partner of theirs leaves (STRIP >= COUNT + RX).
#include "stereo/row_winners.h"
#if BOTH_VIEWS && (STRIP < COUNT + RX || OUTSIDE != OUTSIDE_SKIP)
#error "row_views needs STRIP >= COUNT + RX and OUTSIDE_SKIP"
#endif

typedef Sums __attribute__((aligned(sizeof(Sum)))) LooseSums;
typedef int16 __attribute__((aligned(4))) LooseInts;

// Of a row of the other view the least costs, and the candidates that have them; both go on beyond the picture.
typedef struct {
  __global Sum *costs, *candidates;
} OthersOfRow;
OthersOfRow others_of_row(__global Sum* bests, int row, int width) {
  __global Sum* const costs = bests + row * 2 * ROWS_BESTS(COUNT, width) + ROWS_BESTS_MARGIN(COUNT);
  const OthersOfRow others = {costs, costs + ROWS_BESTS(COUNT, width)};
  return others;
}

// Sums of the pixels at the left end.
#define MOST_LATE (BOTH_VIEWS && TAPS_DIFFER && RX > 0 ? RX : 1)
typedef struct {
  Sums sums[MOST_LATE * VECTORS];
} Late;

// Pixels x .. x + count - 1, of equally many taps seen from any partner. Later pixels have higher disparities, or lower
// ones.
void compete_together(OthersOfRow others, int x, int count, int width, const Sums* pixels) {
  const int first = FIRST_PARTNER(x);
  if (first >= width || first + PLACES + count <= 0) return;
  for (int k = 0; k <= VECTORS; ++k) {
    __global LooseSums* const costs = (__global LooseSums*)(others.costs + first + 16 * k);
    __global LooseSums* const candidates = (__global LooseSums*)(others.candidates + first + 16 * k);
    const Sum* sums = (const Sum*)(pixels + k);
    Sums least = *costs, who = *candidates, n = MATCHES_LEFT ? (Sum)(PLACES - 1) - places(k) : places(k);
    for (int i = 0; i < count; ++i) {
      const Sums mine = vload16(0, sums), now = min(mine, least);
      const bool later_wins = MATCHES_LEFT == TIE_HIGHEST;
      who = later_wins ? select(who, n, AS_SUMS(now == mine)) : select(n, who, AS_SUMS(now == least));
      least = now;
      n += (Sum)(MATCHES_LEFT ? 1 : -1);
      sums += 16 * PITCH - 1;
    }
    *costs = least;
    *candidates = who;
  }
}

// A pixel whose windows are clipped at the reference's end.
void compete_alone(OthersOfRow others, const Sum* line, Pixel p) {
  const int first = FIRST_PARTNER(p.x);
  for (int place = max(FIRST_PLACE, -first); place < min(END_PLACE, p.width - first); ++place) {
    const int partner = first + place, other = (int)others.candidates[partner];
    const int before = MATCHES_LEFT ? partner + DMIN + other : partner - DMIN - other;  // the best one's pixel
    const Best best = {others.costs[partner], tap_columns(before, partner, p.width), other};
    const Best mine = {line[place], tap_columns(p.x, partner, p.width), MATCHES_LEFT ? PLACES - 1 - place : place};
    if (!replaces(best, mine)) continue;
    others.costs[partner] = mine.cost;
    others.candidates[partner] = (Sum)mine.n;
  }
}

// Pixels from `p` on, `count` of them.
void compete(OthersOfRow others, Late* late, Pixel p, int count, const Sums* pixels) {
  if (WHOLE_WINDOWS && (p.y < RY || p.y >= p.height - RY)) return;
  const int begin = clamp(RX - p.x, 0, count), end = clamp(p.width - RX - p.x, begin, count);
  if (begin < end) compete_together(others, p.x + begin, end - begin, p.width, pixels + begin * PITCH);
#if TAPS_DIFFER
  for (int i = 0; i < begin; ++i) {
    UNROLL for (int k = 0; k < VECTORS; ++k) late->sums[(p.x + i) * VECTORS + k] = pixels[i * PITCH + k];
  }
  for (int i = end; i < count; ++i)
    compete_alone(others, (const Sum*)(pixels + i * PITCH), pixel_at(p.x + i, p.y, p.width, p.height));
#endif
}
void compete_late(OthersOfRow others, const Late* late, int y, int width, int height) {
#if TAPS_DIFFER
  for (int x = 0; x < min(RX, width); ++x)
    compete_alone(others, (const Sum*)(late->sums + x * VECTORS), pixel_at(x, y, width, height));
#endif
}

void write_others(OthersOfRow others, int width, __global int* restrict winners) {
  int x = 0;
  for (; x + 16 <= width; x += 16) {
    const Sums cost = *(__global const LooseSums*)(others.costs + x);
    const int16 n = convert_int16(*(__global const LooseSums*)(others.candidates + x));
    const int16 none = convert_int16(AS_SUMS(cost == ALL_SUMS(NONE))) != 0;
    *(__global LooseInts*)(winners + x) = select(n + DMIN, (int16)NO_WINNER, none);
  }
  for (; x < width; ++x) winners[x] = others.costs[x] == NONE ? NO_WINNER : DMIN + (int)others.candidates[x];
}
