// SPDX-License-Identifier: Apache-2.0
// SAD on bytes of candidates that lie close together: a work-item has a column of four pixels of the block and ROWS of
// its rows, which stay in registers, and each word of the reference that it reads serves all candidates that need it.

// The launch configuration, and what the device can do:
#ifndef COLUMNS
#define COLUMNS 4  // words of four pixels in a row of the block; a power of two
#endif
#ifndef ROWS
#define ROWS 8  // rows of the block of a work-item
#endif

#include "motion/spread.h"
#include "motion/task.h"
#include "motion/team.h"

/// What a work-item has of it.
typedef struct {
  Task task;
  int column, row;  // the work-item's first pixel, from the block's corner
  uint mask;        // its pixels of a row that count
  bool whole;       // all pixels of all work-items count
  uint mine[ROWS];  // the block's pixels
} Search;

/// The best so far.
typedef struct {
  uint j, place;
  int x, y;
} Best;

static inline bool is_around(const int x, const int y, const int reach, const int far) {
  return (x < reach ? reach - x : x - reach) + (y < reach ? reach - y : y - reach) <= far;
}

/// Adds the work-item's part of the SAD of the candidates (x + k - reach, y + l - reach) to sums[(2 reach + 1) l + k]:
/// those no farther than `far`, counted along rows and columns. Reach is at most 2.
static inline void add_candidates(const Search* s, uint* sums, int x, int y, const int reach, const int far,
                                  const bool whole) {
  const Words words = words_at(&s->task, s->task.block.x + s->column + x - reach);
  const int top = s->task.block.y + s->row + y - reach, side = 2 * reach + 1;
  SPREAD for (int r = 0; r < ROWS + 2 * reach; ++r) {
    __global const uchar* from = s->task.reference + (int64)padded(top + r, s->task.size.height) * s->task.size.pitch;
    const uint a = word_of(from, &words, 0), b = word_of(from, &words, 1), c = reach > 0 ? word_of(from, &words, 2) : 0;
    const uint low = pick_bytes(a, b, words.digits), high = reach > 0 ? pick_bytes(b, c, words.digits) : 0;
    SPREAD for (int k = 0; k < side; ++k) {
      uint four = k == 0 ? low : k == 4 ? high : pick_bytes(low, high, BYTES_FROM(k));
      if (!whole) four &= s->mask;
      SPREAD for (int l = 0; l < side; ++l) {
        const int i = r - l;
        if (i < 0 || i >= ROWS || !is_around(k, l, reach, far)) continue;
        if (whole || s->row + i < s->task.block.h)
          sums[side * l + k] = add_byte_differences(sums[side * l + k], four, s->mine[i]);
      }
    }
  }
}
static inline void add_around(const Search* s, uint* sums, int x, int y, const int reach, const int far) {
  SPREAD for (int i = 0; i < (2 * reach + 1) * (2 * reach + 1); ++i) sums[i] = 0;
  if (s->whole)
    add_candidates(s, sums, x, y, reach, far, true);
  else
    add_candidates(s, sums, x, y, reach, far, false);
}
/// One candidate: adds it up in `slot`.
static inline void put_candidate(const Search* s, Team* team, uint* mine, int x, int y, int slot) {
  uint sum[1];
  add_around(s, sum, x, y, 0, 0);
  put_sum(team, mine, sum[0], slot);
}

/// The work-item's pixels of the block; 0 where they do not count.
static inline void load_block(Search* s, __global const uchar* restrict current, int lane) {
  s->column = lane % COLUMNS * 4, s->row = lane / COLUMNS * ROWS;
  const int left = s->task.block.w - s->column;
  s->mask = left >= 4 ? ~0u : left <= 0 ? 0 : (1u << (8 * left)) - 1;
  s->whole = s->task.block.w == 4 * COLUMNS && s->task.block.h == ROWS * (GROUP / COLUMNS);
  const int x = left > 0 ? s->task.block.x + s->column : s->task.block.x;
  const uint digits = BYTES_FROM(x & 3);
  SPREAD for (int i = 0; i < ROWS; ++i) {
    const int y = s->task.block.y + min(s->row + i, s->task.block.h - 1);
    __global const uint* from = (__global const uint*)(current + (int64)y * s->task.size.pitch + (x & ~3));
    s->mine[i] = s->row + i < s->task.block.h ? pick_bytes(from[0], from[1], digits) & s->mask : 0;
  }
}

/// The group's best among candidates, each lane of 32 with its own, if any, and the best so far; whether that has
/// moved.
static inline bool improve(const Search* s, Team* team, Best* best, uint sad, int x, int y, bool tried) {
  const bool counts = tried && is_candidate(&s->task, x, y);
  const uint j = counts ? sad + rate_of(&s->task, x, y) : NO_BEST_J;
  const uint least = least_of_team(team, j);
  const uint place = least_of_team(team, counts && j == least ? (uint)motion_place(x, y) : ~0u);
  if (least > best->j || (least == best->j && place >= best->place)) return false;
  best->j = least, best->place = place;
  best->x = x_of_motion((int)place), best->y = y_of_motion((int)place);
  return true;
}
