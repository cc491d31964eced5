// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SAD on bytes, without most of its sums: successive elimination (W. Li and E. Salari, "Successive
// elimination algorithm for motion estimation", IEEE Transactions on Image Processing, 1995; X. Gao, C. Duanmu and C. Zou, "A
// multilevel successive elimination algorithm for block matching motion estimation", the same, 2000). A block is cut into 4x4 cells,
// and no SAD is below the sum of what cells differ by in their sums. Three looks, each at what the one before has left:
//
// 1. at all candidates by the cells' means, four to a word: 4 instructions take the differences of 16 cells. A cell's means
//    differ by n where its sums differ by more than n x AREA - AREA. A work-item marches down a column of candidates, and each
//    word that it reads is the first row of cells of one candidate, the second one of another, and so on.
// 2. at the sums themselves.
// 3. at sums of quarters of cells.
// 4. at the pixels: 32 work-items have a candidate.
//
// What counts as too bad is the least J known: first that of the candidates, one for each 32 work-items, with the lowest bound
// by means; for the last look that of those with the lowest bound by sums. None is left out whose bound is not above it, so the
// winner never is, nor its equals. Blocks that leave too many are left to full_sad.cl. For NVIDIA's GPUs: a team of 32
// work-items is a warp.
#include "definitions/motion/block.h"
#include "definitions/motion/rate.h"
#include "motion/cells.h"
#include "motion/keys.h"
#include "packed.h"
#if !defined(BLOCK_W) || !defined(BLOCK_H) || !defined(FIRST_X) || !defined(LAST_X) || !defined(FIRST_Y) || !defined(LAST_Y)
#error "elimination needs BLOCK_W, BLOCK_H (powers of two, 16 to 64), FIRST_X, LAST_X, FIRST_Y and LAST_Y (the range)"
#endif
#if !defined(PAD) || !defined(LAMBDA) || !defined(GROUP) || !defined(SEGMENTS) || !defined(MOST_LEFT) || !defined(WARP_MINIMUM)
#error "elimination needs PAD, LAMBDA, GROUP (a multiple of 32), SEGMENTS (of a column), MOST_LEFT (for the last look) and WARP_MINIMUM"
#endif

#define WORDS (BLOCK_W / 4)  // of a row of a block's pixels
#define ACROSS (LAST_X - FIRST_X + 1)
#define DOWN (LAST_Y - FIRST_Y + 1)
#define SEGMENT ((DOWN + SEGMENTS - 1) / SEGMENTS)  // candidates of a work-item
#define CHUNKS ((SEGMENT + CELL_H - 1) / CELL_H + 3)  // of CELL_H rows: three until all of a candidate's cells are met
#define WAITING (GROUP * (CELL_H + 1))  // a chunk, and what is kept from others
#define TEAM 32
#define TEAMS (GROUP / TEAM)
#if LAMBDA == 0
#define BOUND uint
#else
#define BOUND uint64
#endif
#define NO_BOUND (~(BOUND)0)

static inline uint least_of_team(uint value) {
#if WARP_MINIMUM
  return least_of_warp(value);
#else
  for (uint step = TEAM / 2; step > 0; step /= 2) value = min(value, from_lane_across(value, step));
  return value;
#endif
}
static inline uint sum_of_team(uint value) {
  for (uint step = TEAM / 2; step > 0; step /= 2) value += from_lane_across(value, step);
  return value;
}

/// A block and its candidates, all in the plane's terms: candidate (x, y) is the displacement (FIRST_X + x, FIRST_Y + y).
typedef struct {
  int x, y, w, h;             // as the frame leaves it
  int left, right, low, high;  // which x and y count
  int rows;                   // of whole cells
  int cells;                  // whole ones
  uint mask;                  // bytes of whole cells
  int px, py;                 // prediction, in quarter pixels
} Block;

static inline BOUND rate(const Block* b, int x, int y) {
#if LAMBDA == 0
  return 0;
#else
  return motion_rate(LAMBDA, vector_bits(4 * (FIRST_X + x), 4 * (FIRST_Y + y), b->px, b->py));
#endif
}

/// No J of the candidate is below this: by means, whose differences add up to n.
static inline BOUND bound_by_means(const Block* b, uint n, int x, int y) {
  const uint slack = (uint)(b->cells * (AREA - 1));
  return (n * AREA > slack ? n * AREA - slack : 0) + rate(b, x, y);
}
/// The same by sums of whole pieces of w x h pixels; a whole block has `in_row` of them in a row.
static inline BOUND bound_by_sums(const Block* b, __global const ushort* sums, int plane_pitch, LOCAL_POINTER const uint* mine,
                                  const int in_row, const int w, const int h, int x, int y) {
  const int across = b->w / w, down = b->h / h;
  const int corner = (b->y + y) * plane_pitch + b->x + x;
  uint bound = 0;
  NO_UNROLL for (int j = 0; j < down; ++j) {
    UNROLL for (int k = 0; k < in_row; ++k) {
      const int difference = (int)sums[corner + j * h * plane_pitch + k * w] - (int)mine[j * in_row + k];
      if (k < across) bound += (uint)(difference < 0 ? -difference : difference);
    }
  }
  return bound + rate(b, x, y);
}

/// A work-item's part of a candidate's SAD. `block` holds 0 where `masks` do. A team takes whole rows of words, or several.
static inline uint part_of_sad(const Block* b, __global const uchar* plane, int plane_pitch, LOCAL_POINTER const uint* block,
                               LOCAL_POINTER const uint* masks, int x, int y, int lane) {
  const int column = b->x + x, shift = column & 3, word = lane % TEAM % WORDS, row = lane % TEAM / WORDS;
  const uint digits = 0x3210u + 0x1111u * (uint)shift, mask = masks[word];
  __global const uint* from = (__global const uint*)(plane + (b->y + y + row) * plane_pitch + (column - shift)) + word;
  const int pitch = plane_pitch / 4 * (TEAM / WORDS);
  uint sum = 0;
  block += lane % TEAM;
  UNROLL for (int i = 0; i < BLOCK_H / (TEAM / WORDS); ++i) {
    if (i * (TEAM / WORDS) + row < b->h) sum = add_byte_differences(sum, pick_bytes(from[i * pitch], from[i * pitch + 1], digits) & mask, block[i * TEAM]);
  }
  return sum;
}

/// The block's pixels, the bytes that count in a column of its words, and sums of its cells and of their quarters.
static inline void load_block(const Block* b, __global const uchar* restrict current, int pitch, LOCAL_POINTER uint* block,
                              LOCAL_POINTER uint* masks, LOCAL_POINTER uint* cell, LOCAL_POINTER uint* part, int lane) {
  if (lane < WORDS) {
    const int left = b->w - 4 * lane;
    masks[lane] = left >= 4 ? ~0u : left <= 0 ? 0 : (1u << (8 * left)) - 1;
  }
  GROUP_BARRIER();
  for (int i = lane; i < WORDS * BLOCK_H; i += GROUP) {
    const int row = i / WORDS, column = i % WORDS;
    uint four = 0;
    if (row < b->h && masks[column] != 0)
      four = *(__global const uint*)(current + (int64)(b->y + row) * pitch + b->x + 4 * column) & masks[column];
    block[i] = four;
  }
  GROUP_BARRIER();
  for (int i = lane; i < 64; i += GROUP) {
    uint sum = 0;
    for (int row = i / 8 * PART_H; row < (i / 8 + 1) * PART_H; ++row) {
#if PART_W >= 4
      UNROLL for (int k = 0; k < PART_W / 4; ++k) sum = add_byte_differences(sum, block[row * WORDS + i % 8 * (PART_W / 4) + k], 0);
#else
      sum = add_byte_differences(sum, block[row * WORDS + i % 8 / 2] & (i % 2 == 0 ? 0xFFFFu : 0xFFFF0000u), 0);
#endif
    }
    part[i] = sum;
  }
  GROUP_BARRIER();
  if (lane < 16) {
    const int first = lane / 4 * 16 + lane % 4 * 2;
    cell[lane] = part[first] + part[first + 1] + part[first + 8] + part[first + 9];
  }
  GROUP_BARRIER();
}

static inline Block block_of(int index, int across, int width, int height, __global const short* predictions, int predicted) {
  Block b;
  const int column = index % across, row = index / across;
  b.x = column * BLOCK_W, b.w = block_extent(column, BLOCK_W, width);
  b.y = row * BLOCK_H, b.h = block_extent(row, BLOCK_H, height);
  b.left = (PAD ? FIRST_X : max(FIRST_X, -b.x)) - FIRST_X;
  b.right = (PAD ? LAST_X : min(LAST_X, width - b.x - b.w)) - FIRST_X;
  b.low = (PAD ? FIRST_Y : max(FIRST_Y, -b.y)) - FIRST_Y;
  b.high = (PAD ? LAST_Y : min(LAST_Y, height - b.y - b.h)) - FIRST_Y;
  const int columns = b.w / CELL_W;
  b.rows = b.h / CELL_H;
  b.cells = columns * b.rows;
  b.mask = columns == 4 ? ~0u : (1u << (8 * columns)) - 1;
  b.px = predicted != 0 ? predictions[2 * index] : 0;
  b.py = predicted != 0 ? predictions[2 * index + 1] : 0;
  return b;
}
/// A work-item's candidates: a column, and those of its rows that count, if any.
typedef struct {
  int x, first, low, high;
} March;
static inline March march_of(const Block* b, int lane) {
  March m;
  const int segment = min(lane / ACROSS, SEGMENTS - 1);
  m.x = lane % ACROSS, m.first = segment * SEGMENT;
  m.low = max(b->low, m.first), m.high = min(b->high, m.first + SEGMENT - 1);
  if (lane >= SEGMENTS * ACROSS || m.x < b->left || m.x > b->right) m.high = m.low - 1;
  return m;
}

/// Sums of differences of means, by rows of cells that are still to come: three chunks of candidates at once.
typedef struct {
  uint one[CELL_H], two[CELL_H], three[CELL_H];
} Ring;

/// The next CELL_H rows of means: `n` gets the sums of the candidates that have met their last row of cells. Rows of cells
/// that the block lacks have no bits in `row_masks`.
static inline void march(Ring* ring, uint* n, __global const uint* means, int plane_pitch, const uint* mine, const uint* row_masks) {
  UNROLL for (int i = 0; i < CELL_H; ++i) {
    const uint word = means[i * plane_pitch];
    n[i] = add_byte_differences(ring->three[i], word & row_masks[3], mine[3]);
    ring->three[i] = add_byte_differences(ring->two[i], word & row_masks[2], mine[2]);
    ring->two[i] = add_byte_differences(ring->one[i], word & row_masks[1], mine[1]);
    ring->one[i] = add_byte_differences(0, word & row_masks[0], mine[0]);
  }
}
static inline void clear(Ring* ring) {
  UNROLL for (int i = 0; i < CELL_H; ++i) ring->one[i] = ring->two[i] = ring->three[i] = 0;
}

static inline uint pack_place(int x, int y) { return (uint)y << 16 | (uint)x; }
static inline int x_of_place(uint place) { return (int)(place & 0xFFFFu); }
static inline int y_of_place(uint place) { return (int)(place >> 16); }
/// What fits, for comparisons among bounds alone.
static inline uint short_bound(BOUND bound) { return bound > 0xFFFFFFFEu ? 0xFFFFFFFEu : (uint)bound; }

/// The least J of the candidates that teams propose, each the one with the lowest bound among its work-items; of no use where
/// `bound` is NO_BOUND.
static inline BOUND least_j(const Block* b, __global const uchar* plane, int plane_pitch, LOCAL_POINTER const uint* block,
                            LOCAL_POINTER const uint* masks, LOCAL_POINTER BOUND* limits, uint bound,
                            uint place, int lane) {
  const uint least = least_of_team(bound);
  place = least_of_team(bound == least ? place : ~0u);
  const bool any = least != ~0u;
  const int x = any ? x_of_place(place) : 0, y = any ? y_of_place(place) : 0;
  const uint part = any ? part_of_sad(b, plane, plane_pitch, block, masks, x, y, lane) : 0;
  const BOUND j = sum_of_team(part) + rate(b, x, y);
  if (lane % TEAM == 0) limits[lane / TEAM] = any ? j : NO_BOUND;
  GROUP_BARRIER();
  BOUND limit = limits[0];
  for (int i = 1; i < TEAMS; ++i) limit = min(limit, limits[i]);
  GROUP_BARRIER();
  return limit;
}

/// A group has a block; `found` gets its best key, as full_sad.cl has them, or NO_KEY.
__kernel WORK_GROUP(GROUP, 1) void elimination(__global const uchar* restrict current, __global const uchar* restrict plane,
                                             __global const ushort* restrict cells, __global const ushort* restrict parts,
                                             __global const uint* restrict means, __global const short* restrict predictions,
                                             __global uint64* restrict found, int width, int height, int pitch, int plane_pitch,
                                             int across, int predicted) {
  __local uint block[WORDS * BLOCK_H], masks[WORDS], cell[16], part[64];
  __local uint by_means[WAITING], by_cells[WAITING], left[MOST_LEFT];
  __local BOUND limits[TEAMS], bounds[MOST_LEFT];
  __local uint64 keys[TEAMS];
  __local int counts[3];
  const int lane = (int)get_local_id(0), index = (int)get_group_id(0), team = lane / TEAM;
  const Block b = block_of(index, across, width, height, predictions, predicted);
  const March m = march_of(&b, lane);
  if (lane < 3) counts[lane] = 0;
  load_block(&b, current, pitch, block, masks, cell, part, lane);
  uint mine[4], row_masks[4];
  UNROLL for (int j = 0; j < 4; ++j) {
    row_masks[j] = j < b.rows ? b.mask : 0;
    mine[j] = 0;
    for (int k = 0; k < 4; ++k) mine[j] |= cell[4 * j + k] / AREA << (8 * k);
    mine[j] &= row_masks[j];
  }
  means += (b.y + m.first) * plane_pitch + b.x + m.x;  // beyond the plane there is memory that does not count
  Ring ring;
  uint n[CELL_H];

  // The first look, for the candidate of each team that promises most.
  BOUND least = NO_BOUND;
  int best = 0;
  clear(&ring);
  NO_UNROLL for (int chunk = 0; chunk < CHUNKS; ++chunk) {
    march(&ring, n, means + chunk * CELL_H * plane_pitch, plane_pitch, mine, row_masks);
    UNROLL for (int i = 0; i < CELL_H; ++i) {
      const int y = m.first + (chunk - 3) * CELL_H + i;
      const BOUND bound = y >= m.low && y <= m.high ? bound_by_means(&b, n[i], m.x, y) : NO_BOUND;
      if (bound < least) least = bound, best = y;
    }
  }
  BOUND limit = least_j(&b, plane, plane_pitch, block, masks, limits, least == NO_BOUND ? ~0u : short_bound(least),
                        pack_place(m.x, best), lane);

  // The first look again, chunk by chunk, and the next two.
  clear(&ring);
  NO_UNROLL for (int chunk = 0; chunk < CHUNKS; ++chunk) {
    march(&ring, n, means + chunk * CELL_H * plane_pitch, plane_pitch, mine, row_masks);
    UNROLL for (int i = 0; i < CELL_H; ++i) {
      const int y = m.first + (chunk - 3) * CELL_H + i;
      if (y >= m.low && y <= m.high && bound_by_means(&b, n[i], m.x, y) <= limit)
        by_means[atomic_add(counts, 1)] = pack_place(m.x, y);
    }
    GROUP_BARRIER();
    // Few are kept for the next chunk, so that easy blocks wait for each other less.
    const int waiting = counts[0];
    GROUP_BARRIER();
    if (waiting >= GROUP || chunk == CHUNKS - 1) {
      for (int i = lane; i < waiting; i += GROUP) {
        const uint place = by_means[i];
        const BOUND bound =
            bound_by_sums(&b, cells, plane_pitch, cell, 4, CELL_W, CELL_H, x_of_place(place), y_of_place(place));
        if (bound <= limit) by_cells[atomic_add(counts + 1, 1)] = place;
      }
      GROUP_BARRIER();
      for (int i = lane; i < counts[1]; i += GROUP) {
        const uint place = by_cells[i];
        const BOUND bound =
            bound_by_sums(&b, parts, plane_pitch, part, 8, PART_W, PART_H, x_of_place(place), y_of_place(place));
        if (bound <= limit) {
          const int at = atomic_add(counts + 2, 1);
          if (at < MOST_LEFT) left[at] = place, bounds[at] = bound;
        }
      }
      GROUP_BARRIER();
      if (lane < 2) counts[lane] = 0;
      GROUP_BARRIER();
    }
  }

  // The last one, those that promise most first; then each team lowers its own limit as it goes.
  const int count = counts[2], remaining = count <= MOST_LEFT ? count : 0;
  uint lowest = ~0u, promising = 0;
  for (int i = lane; i < remaining; i += GROUP)
    if (short_bound(bounds[i]) < lowest) lowest = short_bound(bounds[i]), promising = left[i];
  limit = min(limit, least_j(&b, plane, plane_pitch, block, masks, limits, lowest, promising, lane));
  uint64 key = NO_KEY;
  for (int first = 0; first < remaining; first += TEAMS) {
    const int at = min(first + team, remaining - 1), x = x_of_place(left[at]), y = y_of_place(left[at]);
    const bool counts_here = bounds[at] <= limit;
    const uint mine_of_sad = counts_here ? part_of_sad(&b, plane, plane_pitch, block, masks, x, y, lane) : 0;
    const BOUND j = sum_of_team(mine_of_sad) + rate(&b, x, y);
    if (counts_here) {
      limit = min(limit, j);
      key = min(key, key_of(j, FIRST_X + x, FIRST_Y + y));
    }
  }
  if (lane % TEAM == 0) keys[team] = key;
  GROUP_BARRIER();
  if (lane != 0) return;
  for (int i = 1; i < TEAMS; ++i) key = min(key, keys[i]);
  found[index] = key;
}
