// SPDX-License-Identifier: Apache-2.0
// Candidates of elimination.cl, and lower bounds of their SAD: sums of half-precision numbers, and the sliding window
// that adds up cells.

#include "definitions/motion/block.h"
#include "definitions/motion/rate.h"
#include "motion/candidates.h"
#include "motion/cells.h"
#include "packed.h"

#define FAR 0xFFFFFFFFu        // no bound
#define MOST_J (FAR - 1)       // the largest J that is compared with limits
#define HALF_MANTISSA 1024     // from one binade of half-precision numbers to the next, in their bits
#define ROUNDING_SHARE 64      // sums round by less than one part in this
#define MOST_UNITS (1u << 20)  // more than all units of a block

/// A block and its candidates, all in the plane's terms: candidate (x, y) is the displacement (FIRST_X + x, FIRST_Y +
/// y).
typedef struct {
  int x, y, w, h;              // as the frame leaves it
  int left, right, low, high;  // which x and y count
  int columns, rows;           // of whole cells
  int px, py;                  // prediction, in quarter pixels
} Block;

static inline Block block_of(int index, int across, int width, int height, __global const short* predictions,
                             int predicted) {
  Block b;
  const int column = index % across, row = index / across;
  b.x = column * BLOCK_W, b.w = block_extent(column, BLOCK_W, width);
  b.y = row * BLOCK_H, b.h = block_extent(row, BLOCK_H, height);
  b.left = (PAD ? FIRST_X : max(FIRST_X, -b.x)) - FIRST_X;
  b.right = (PAD ? LAST_X : min(LAST_X, width - b.x - b.w)) - FIRST_X;
  b.low = (PAD ? FIRST_Y : max(FIRST_Y, -b.y)) - FIRST_Y;
  b.high = (PAD ? LAST_Y : min(LAST_Y, height - b.y - b.h)) - FIRST_Y;
  b.columns = b.w / CELL_W;
  b.rows = b.h / CELL_H;
  b.px = predicted != 0 ? predictions[2 * index] : 0;
  b.py = predicted != 0 ? predictions[2 * index + 1] : 0;
  return b;
}

static inline uint64 rate(const Block* b, int x, int y) {
#if LAMBDA == 0
  return 0;
#else
  return motion_rate(LAMBDA, vector_bits(4 * (FIRST_X + x), 4 * (FIRST_Y + y), b->px, b->py));
#endif
}
/// J in 32 bits, for comparisons with limits.
static inline uint short_j(uint64 j) { return j > MOST_J ? MOST_J : (uint)j; }

// Sums of differences in units, as halves have them: below 2048 exact. Above, a difference and up to 16 additions each
// round by one part in 4096 at most, all together by less than one in 64.

/// No sum of units is below this one.
static inline uint least_units(uint half_bits) {
  uint shift = 0;
  while (half_bits >= HALF_EXACT) half_bits -= HALF_MANTISSA, ++shift;
  const uint units = half_bits << shift;
  return shift == 0 ? units : units - units / ROUNDING_SHARE - 1;
}
/// The most that a sum of `units` or less may look like.
static inline uint most_half_bits(uint units) {
  if (units < HALF_EXACT) return units;
  units = units < MOST_UNITS ? units + units / ROUNDING_SHARE + 1 : MOST_UNITS;
  uint bits = 0;
  while (units >= HALF_EXACT) units = (units + 1) / 2, bits += HALF_MANTISSA;
  return bits + units;
}
/// No J of the candidate is below this: the cells' or parts' sums differ by `units` in all.
static inline uint bound_of(const Block* b, uint units, const uint unit, int pieces, int x, int y) {
  const uint whole = units * unit, slack = (uint)pieces * (unit - 1);
  return short_j((whole > slack ? whole - slack : 0) + rate(b, x, y));
}

/// What all work-items of a group share.
typedef struct {
  __global const uint* planes;  // the plane, shifted by 0 to 3 pixels: every word is a whole one in one of them
  __global const ushort* cells;
  __global const uint2* parts;
  int plane_pitch, plane_words;
  LOCAL_POINTER const uint *block, *masks, *cell, *part;
} Data;

/// A window of four rows of cells that slides down the columns x and x + 1 of candidates: rows first, first + CELL_H
/// and so on. A candidate's sum is complete when its four rows of cells have been added.
typedef struct {
  uint one, two, three;       // sums so far of candidates of which one, two, three rows of cells are added
  uint next[CELLS_PER_SIDE];  // the row of cells to come
  __global const ushort* from;
} SlidingWindow;
static ALWAYS_INLINE void fetch(SlidingWindow* m) {
  UNROLL for (int j = 0; j < CELLS_PER_SIDE; ++j) m->next[j] = *(__global const uint*)(m->from + j * CELL_W);
}
static ALWAYS_INLINE uint add_row(uint acc, const uint* word, const uint* mine) {
  UNROLL for (int j = 0; j < CELLS_PER_SIDE; ++j) acc = add_difference(acc, word[j], mine[j]);
  return acc;
}
/// Adds a row of cells and returns the complete sums, of the candidates whose last row it is. `met`: how many rows were
/// added before, at most three.
static ALWAYS_INLINE uint step(SlidingWindow* m, const Data* d, const Block* b, const uint* mine, const int met,
                               const bool whole) {
  uint word[CELLS_PER_SIDE], done = 0;
  UNROLL for (int j = 0; j < CELLS_PER_SIDE; ++j) word[j] = whole || j < b->columns ? m->next[j] : 0;
  m->from += CELL_H * d->plane_pitch;
  fetch(m);
  if (met >= 3) done = whole || b->rows > 3 ? add_row(m->three, word, mine + 3 * CELLS_PER_SIDE) : m->three;
  if (met >= 2) m->three = whole || b->rows > 2 ? add_row(m->two, word, mine + 2 * CELLS_PER_SIDE) : m->two;
  if (met >= 1) m->two = whole || b->rows > 1 ? add_row(m->one, word, mine + CELLS_PER_SIDE) : m->one;
  m->one = whole || b->rows > 0 ? add_row(0, word, mine) : 0;
  return done;
}
/// Up to the last row of cells of the first candidates.
static ALWAYS_INLINE SlidingWindow begin_window(const Data* d, const Block* b, const uint* mine, int x, int first,
                                                const bool whole) {
  SlidingWindow m;
  m.one = m.two = m.three = 0;
  m.from =
      d->cells + (b->y + first) * d->plane_pitch + b->x + x;  // beyond the plane there is memory that does not count
  fetch(&m);
  step(&m, d, b, mine, 0, whole);
  step(&m, d, b, mine, 1, whole);
  step(&m, d, b, mine, 2, whole);
  return m;
}
