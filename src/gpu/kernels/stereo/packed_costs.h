// SPDX-License-Identifier: Apache-2.0
// Where packed_paths.cl takes a pixel's costs from: the volume, read ahead, or the tile.
//
//   GIVEN, PIXEL, SLOPED, LINES  see packed_paths.cl
#include "stereo/packed_step.h"
#include "stereo/packed_strips.h"
#include "stereo/packed_words.h"
#if !defined(GIVEN) || !defined(SLOPED)
#error "packed_costs needs GIVEN and SLOPED"
#endif

// What is read of a line's pixel before it is needed; anything where it lies outside the picture.
typedef struct {
  uint grey;
#if GIVEN
  Own own;
#endif
} Ahead;
static ALWAYS_INLINE Ahead read_ahead(Pictures p, int64 at, bool inside, int lane) {
  Ahead ahead;
  ahead.grey = SLOPED && inside ? (uint)p.guide[at] : 0;
#if GIVEN
  UNROLL for (int i = 0; i < OWN_WORDS; ++i) ahead.own.words[i] = 0;
  if (inside && HAS_PLACE(lane, 0)) load_words(&ahead.own, p.costs + at * PLACES, lane);
#endif
  return ahead;
}

// Where a lane's costs lie in the tile at the first of its steps, and how far apart those of its steps are, in words.
typedef struct {
  LOCAL_POINTER const uint* words;
  int stride;
} Costs;

static ALWAYS_INLINE Costs costs_in_tile(LOCAL_POINTER const uint* tile, Lines lines, int line, int lane) {
#if GIVEN
  const Costs costs = {tile, 0};
#else
  LOCAL_POINTER const uint* const own = tile + min(lane, LAST_LANE) * PAIRS;
  Costs costs = {own + line * PITCH + FIRST_WORD(line), STRIP_WORDS};
  if (lines.along_row) {
    const int pixel = lines.dx > 0 ? 0 : 7, next = MATCHES_LEFT ? PITCH - 1 : PITCH + 1;
    costs.words = own + line * STRIP_WORDS + pixel * PITCH + FIRST_WORD(pixel);
    costs.stride = lines.dx > 0 ? next : -next;
  }
#endif
  return costs;
}

static ALWAYS_INLINE void costs_of_step(uint* pairs, Costs costs, Ahead ahead, int step) {
#if GIVEN
  pairs_of_words(pairs, ahead.own.words);
#else
  UNROLL for (int i = 0; i < PAIRS; ++i) pairs[i] = costs.words[step * costs.stride + i];
#endif
}
