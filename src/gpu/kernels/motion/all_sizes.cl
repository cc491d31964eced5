// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SAD or SSD on bytes for blocks of 8, 16, 32 and 64 px at once. A group has a square of 64x64
// px and a tile of candidates (window.h), of which a work-item has one column and TALL rows. It goes through the 8x8
// blocks of the square, in an order in which the four parts of a larger block follow each other, and adds up their
// sums, size by size, in registers. As soon as a block's sums are complete for all candidates of the group, its best
// candidate is found: the best of each work-item's column, then of 32 work-items, then of the group.
//
// The candidates with dy = 0 are the first row of a work-item: so a work-item's rows lie all above it or all at and
// below it, and among candidates of equal J in its column the one nearest to dy = 0 wins.
//
// The result is the best key of each tile; choose.cl takes the least of a block's keys. `predicted` has a bit for
// each size. `sixteen` is 16, passed as an argument: the compiler multiplies by a factor that it does not
// know, in a unit that is idle. By a known factor it would shift, in the unit that sums differences.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef COST
#define COST 0  // 0 SAD, 1 SSD
#endif
#ifndef SECOND_BEST
#define SECOND_BEST 0  // 1: only the second best J is wanted, of blocks whose vectors are known
#endif
// The launch configuration, and what the device can do:
#ifndef WARP_MINIMUM
#define WARP_MINIMUM 0  // 1: an instruction finds the least word and the sum of a warp
#endif
// More of them: motion/candidates.h and motion/window.h.

#include "definitions/motion/rate.h"
#include "definitions/motion/second_best.h"
#include "gpu/shared/motion/exhaustive.h"
#include "motion/candidates.h"
#include "motion/keys.h"
#if COST == 1
#define ADD_WORD add_byte_squares
#endif
#define CHUNK 8  // the rows of an 8x8 block
#define PANEL_WORDS ALL_SIZES_PANEL_WORDS
#define PANEL_ROWS ALL_SIZES_PANEL_ROWS
#include "motion/window.h"

#define SQUARE ALL_SIZES_SQUARE
#define SLOTS ALL_SIZES_BLOCKS
#define ORIGIN_Y \
  (-((TALL - 1 - (FIRST_Y)) / TALL * TALL))  // FIRST_Y, which is not positive, rounded down to a multiple of TALL
#define NO_BEST (~0u)                        // no J, and no place
#ifdef VERGENCE_NVIDIA
#define TEAM 32  // work-items that pass words among them: a warp
#else
#define TEAM 1
#endif
#define TEAMS (GROUP / TEAM)

static inline int first_slot(const int level) { return level == 0 ? 0 : level == 1 ? 64 : level == 2 ? 80 : 84; }
/// The 8x8 blocks of a square are numbered so that four that make a larger block follow each other, on every level:
/// where they lie, in px.
static inline int x_of_number(int number) { return 8 * (number & 1) + 4 * (number & 4) + 2 * (number & 16); }
static inline int y_of_number(int number) { return 4 * (number & 2) + 2 * (number & 8) + (number & 32); }

/// What a work-item knows of its candidates.
typedef struct {
  Work square;
  int width, height;
  int thread;
  int dx, dy;        // its column, its first row
  bool counts;       // the column is in the range
  bool whole;        // all its rows are, and no block leaves the frame under any candidate of the tile
  bool simple;       // besides, no block of the square is partial
  bool below;        // dy >= 0; else all rows are above row 0
  uint sixteen;      // 16
  uint place, step;  // motion_place of the row nearest to row 0, and from each row to the next one
} Item;

/// Predictions and vectors of the blocks of all sizes.
typedef struct {
  __global const short* predictions[4];
  __global const short* vectors[4];
  int predicted;
} Fields;

static inline uint bits_of(int v) {  // component_bits without its loop
  const uint u = (uint)(v > 0 ? 2 * v : 1 - 2 * v);
  return 2 * (31 - (uint)clz(u)) + 1;
}

/// Rows first to last of a work-item's column, a bit for each: bit 0 is the row nearest to row 0.
static inline uint bits_of_rows(const Item* item, int first, int last) {
  const int low = max(0, item->below ? first - item->dy : item->dy + TALL - 1 - last);
  const int high = min(TALL - 1, item->below ? last - item->dy : item->dy + TALL - 1 - first);
  return high < low ? 0 : (2u << high) - (1u << low);
}

/// The best of a column, all of which counts: its sum and, in the lowest 4 bits, how far from row 0 among the rows.
static inline uint best_of_whole(const uint* sums, const bool below, uint sixteen) {
  uint least = NO_BEST;  // a sum is at most 4096 x 255^2
  SPREAD for (int i = 0; i < TALL; ++i) least = min(least, sixteen * sums[i] + (uint)(below ? i : TALL - 1 - i));
  return least;
}
/// The best of the rows that have a bit in `rows`: J and, in `order`, how far from row 0 among the rows. bits_x and py
/// are for the rate.
static inline uint best_of_some(const uint* sums, uint rows, int dy, uint bits_x, int py, const bool below,
                                uint* order) {
  uint best = NO_BEST;
  SPREAD for (int k = 0; k < TALL; ++k) {
    const int i = below ? k : TALL - 1 - k;
    uint j = sums[i];
#if LAMBDA != 0
    j += (uint)motion_rate(LAMBDA, (int)(bits_x + bits_of(4 * (dy + i) - py)));
#endif
    if ((rows & 1u << k) != 0 && j < best) best = j, *order = (uint)k;
  }
  return best;
}

/// Keeps the least of what the work-items of a team have; all of the group call it. Every team has its own `best`.
static ALWAYS_INLINE void keep_best(LOCAL_POINTER uint2* best, int thread, uint j, uint place) {
  uint2 least;
  least.x = j, least.y = place;
#ifdef VERGENCE_NVIDIA
#if WARP_MINIMUM
  least.x = least_of_warp(j);
  least.y = least_of_warp(j == least.x ? place : NO_BEST);
#else
  for (uint step = TEAM / 2; step > 0; step /= 2) least.x = min(least.x, from_lane_across(least.x, step));
  least.y = j == least.x ? place : NO_BEST;
  for (uint step = TEAM / 2; step > 0; step /= 2) least.y = min(least.y, from_lane_across(least.y, step));
#endif
#endif
  if (thread % TEAM == 0) *best = least;
}

/// Finds the best candidate of the block of 8 << level px whose last part is the 8x8 block of that number; all of the
/// group call it.
static ALWAYS_INLINE void put_block(const Item* item, const Fields* fields, LOCAL_POINTER uint2* bests,
                                    const uint* sums, const int level, int number) {
  bool counts = item->counts, whole = item->whole;
  uint rows = 0, bits_x = 0;
  int py = 0;
  if (!item->simple || LAMBDA != 0 || SECOND_BEST) {
    const int side = 8 << level;
    const int x = item->square.x + (x_of_number(number) & -side), y = item->square.y + (y_of_number(number) & -side);
    counts = counts && x < item->width && y < item->height;
    int low = FIRST_Y, high = LAST_Y;
#if !PAD
    if (!whole) {
      const int w = min(side, item->width - x), h = min(side, item->height - y);
      counts = counts && is_inside(x, w, item->dx, item->width);
      low = max(FIRST_Y, -y), high = min(LAST_Y, item->height - y - h);
      whole = item->dy >= low && item->dy + TALL - 1 <= high;
    }
#endif
    rows = bits_of_rows(item, low, high);
#if LAMBDA != 0 || SECOND_BEST
    const int index = counts ? y / side * block_count(item->width, side) + x / side : 0;
#endif
#if SECOND_BEST
    const int best_x = fields->vectors[level][2 * index] / 4, best_y = fields->vectors[level][2 * index + 1] / 4;
    if (!may_be_second_best_vector(item->dx, best_y, best_x, best_y))
      rows &= ~bits_of_rows(item, best_y - 1, best_y + 1), whole = false;
#endif
#if LAMBDA != 0
    const bool predicted = (fields->predicted >> level & 1) != 0;
    const int px = predicted ? fields->predictions[level][2 * index] : 0;
    py = predicted ? fields->predictions[level][2 * index + 1] : 0;
    bits_x = bits_of(4 * item->dx - px);
    whole = false;
#endif
  }
  uint j = NO_BEST, order = 0;
  if (counts && whole) {
    const uint best =
        item->below ? best_of_whole(sums, true, item->sixteen) : best_of_whole(sums, false, item->sixteen);
    j = best >> 4, order = best & 15u;
  } else if (counts) {
    j = item->below ? best_of_some(sums, rows, item->dy, bits_x, py, true, &order)
                    : best_of_some(sums, rows, item->dy, bits_x, py, false, &order);
  }
  keep_best(bests + first_slot(level) + (number >> (2 * level)), item->thread, j, item->place + order * item->step);
}

static inline void clear_sums(uint* sums) {
  SPREAD for (int i = 0; i < TALL; ++i) sums[i] = 0;
}
/// Adds the sums of a block to those of the larger one that it is a part of.
static inline void add_sums(uint* larger, const uint* sums) {
  SPREAD for (int i = 0; i < TALL; ++i) larger[i] += sums[i];
}

/// Sums of an 8x8 block, of w x h pixels in the frame, if any; both of `window` and `block` begin with it.
static ALWAYS_INLINE void sum_block(uint* sums, LOCAL_POINTER const uint* window, LOCAL_POINTER const uint* block,
                                    int w, int h) {
  clear_sums(sums);
  if (w >= 8 && h >= 8) {
    SPREAD for (int word = 0; word < 2; ++word) add_chunk(sums, window + word, block + word * PANEL_ROWS, CHUNK);
    return;
  }
  NO_UNROLL for (int word = 0; 4 * word < min(w, 8); ++word) {
    const int left = w - 4 * word;
    const uint mask = left < 4 ? (1u << (8 * left)) - 1 : ~0u;
    NO_UNROLL for (int row = 0; row < min(h, 8); ++row)
      add_row(sums, window + row * ROW + word, block[word * PANEL_ROWS + row], mask);
  }
}

static inline Item make_item(int thread, int square, int tile, int width, int height, int sixteen) {
  const int across = block_count(width, SQUARE);
  Item item;
  item.width = width, item.height = height, item.thread = thread, item.sixteen = (uint)sixteen;
  item.square.x = square % across * SQUARE, item.square.w = block_extent(square % across, SQUARE, width);
  item.square.y = square / across * SQUARE, item.square.h = block_extent(square / across, SQUARE, height);
  item.square.dx = ORIGIN_X + tile % TILES_X * COLUMNS;
  item.square.dy = ORIGIN_Y + tile / TILES_X * (SLABS * TALL);
  item.dx = item.square.dx + thread % COLUMNS;
  item.dy = item.square.dy + min(thread / COLUMNS, SLABS - 1) * TALL;
  item.counts = thread < COLUMNS * SLABS && item.dx >= FIRST_X && item.dx <= LAST_X;
  item.whole = item.dy >= FIRST_Y && item.dy + TALL - 1 <= LAST_Y;
#if !PAD
  item.whole = item.whole && item.square.x + item.square.dx >= 0 &&
               item.square.x + item.square.w + item.square.dx + COLUMNS - 1 <= width &&
               item.square.y + item.square.dy >= 0 &&
               item.square.y + item.square.h + item.square.dy + SLABS * TALL - 1 <= height;
#endif
  item.simple = item.whole && item.square.w == SQUARE && item.square.h == SQUARE;
  item.below = item.dy >= 0;
  const int nearest = item.below ? item.dy : item.dy + TALL - 1;
  item.place = (uint)motion_place(item.dx, nearest);
  item.step = (uint)(motion_place(item.dx, nearest + (item.below ? 1 : -1)) - motion_place(item.dx, nearest));
  return item;
}

/// None of the tile's candidates is one of any block of the square: where no 8x8 block has one, no larger one has.
static inline bool is_idle(const Work* square, int width, int height) {
  const int last_x = square->x + (square->w - 1) / 8 * 8, last_y = square->y + (square->h - 1) / 8 * 8;
  const int left = PAD ? FIRST_X : max(FIRST_X, -last_x),
            right = PAD ? LAST_X : min(LAST_X, width - square->x - min(8, square->w));
  const int low = PAD ? FIRST_Y : max(FIRST_Y, -last_y),
            high = PAD ? LAST_Y : min(LAST_Y, height - square->y - min(8, square->h));
  return square->dx > right || square->dx + COLUMNS <= left || square->dy > high || square->dy + SLABS * TALL <= low;
}

__kernel WORK_GROUP(GROUP, 1) void all_sizes(
    __global const uchar* restrict current, __global const uchar* restrict reference,
    __global const short* restrict predictions_8, __global const short* restrict predictions_16,
    __global const short* restrict predictions_32, __global const short* restrict predictions_64,
    __global const short* restrict vectors_8, __global const short* restrict vectors_16,
    __global const short* restrict vectors_32, __global const short* restrict vectors_64,
    __global uint64* restrict keys_8, __global uint64* restrict keys_16, __global uint64* restrict keys_32,
    __global uint64* restrict keys_64, GRID_CONSTANT AllSizesArguments arguments) {
  __local ALIGN_16 uint window[WINDOW_ROWS * ROW];
  __local ALIGN_16 uint block[PANEL_WORDS * PANEL_ROWS];
  __local uint2 bests[TEAMS * SLOTS];  // of each team: J and motion_place
  const int thread = (int)get_local_id(0), tile = (int)get_group_id(1);
  const int width = arguments.width, height = arguments.height;
  const Item item = make_item(thread, (int)get_group_id(0), tile, width, height, arguments.sixteen);
  const Fields fields = {{predictions_8, predictions_16, predictions_32, predictions_64},
                         {vectors_8, vectors_16, vectors_32, vectors_64},
                         arguments.predicted};
  for (int i = thread; i < TEAMS * SLOTS; i += GROUP) bests[i].x = NO_BEST;
  LOCAL_POINTER const uint* mine =
      window + min(thread / COLUMNS, SLABS - 1) * TALL * ROW + (thread % COLUMNS & 3) * WORDS + (thread % COLUMNS >> 2);
  uint sums[4 * TALL];  // of each size
  clear_sums(sums + 3 * TALL);
  const int panels = is_idle(&item.square, width, height) ? 0 : 4;  // barriers stand in no condition but those of loops
  NO_UNROLL for (int panel = 0; panel < panels; ++panel) {
    GROUP_BARRIER();
    load_panel(window, block, current, reference, item.square, panel % 2 * PANEL_ROWS, panel / 2 * PANEL_ROWS, thread,
               width, height, arguments.pitch);
    GROUP_BARRIER();
    clear_sums(sums + TALL), clear_sums(sums + 2 * TALL);
    NO_UNROLL for (int number = 16 * panel; number < 16 * panel + 16; ++number) {
      const int word = x_of_number(number & 15) / 4, row = y_of_number(number & 15);
      const int w = item.simple ? 8 : item.square.w - x_of_number(number),
                h = item.simple ? 8 : item.square.h - y_of_number(number);
      sum_block(sums, mine + row * ROW + word, block + word * PANEL_ROWS + row, w, h);
      SPREAD for (int level = 0; level < 4; ++level) {
        if (level > 0 && (number + 1) % (1 << (2 * level)) != 0) break;  // not all of its parts are known
        put_block(&item, &fields, bests + thread / TEAM * SLOTS, sums + level * TALL, level, number);
        if (level < 3) add_sums(sums + (level + 1) * TALL, sums + level * TALL);
        if (level == 1) clear_sums(sums + TALL);
      }
    }
  }
  GROUP_BARRIER();
  for (int slot = thread; slot < SLOTS; slot += GROUP) {
    const int level = slot >= first_slot(3) ? 3 : slot >= first_slot(2) ? 2 : slot >= first_slot(1) ? 1 : 0;
    const int side = 8 << level, number = (slot - first_slot(level)) << (2 * level);
    const int x = item.square.x + x_of_number(number), y = item.square.y + y_of_number(number);
    if (x >= width || y >= height) continue;
    uint64 key = NO_KEY;
    for (int i = slot; i < TEAMS * SLOTS; i += SLOTS)
      if (bests[i].x != NO_BEST) key = min(key, (uint64)bests[i].x << KEY_PLACE_BITS | bests[i].y);
    __global uint64* keys = level == 0 ? keys_8 : level == 1 ? keys_16 : level == 2 ? keys_32 : keys_64;
    keys[(y / side * block_count(width, side) + x / side) * TILES + tile] = key;
  }
}
