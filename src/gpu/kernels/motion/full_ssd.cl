// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SSD on bytes, by the instructions that multiply small matrices of bytes (NVIDIA, compute
// capability 8.0 on). SSD = sum of the block's squares + sum of the reference's squares under it - twice their
// products, and sums of products of a row at 128 displacements x = 16 n + s are one product of matrices: A has a row
// for each s of 0 to 15, the block's row moved s to the right; B has a column for each n of 0 to 7, the reference's row
// from pixel 16 n on. B needs no work: its registers are words of the reference's row as they lie. All is in integers,
// so that the order of sums is free.
//
// A group has a block and a tile of candidates: 128 displacements in x, TALL for each of its warps in y. Sums of the
// reference's squares come from `square_rows` and `square_boxes`, once for all blocks of one size: whole ones and those
// that the frame's edge leaves partial.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef BLOCK_W
#define BLOCK_W 16  // width of a block in px: a multiple of 16
#endif
#ifndef BLOCK_H
#define BLOCK_H 16  // height of a block in px: a multiple of 8
#endif
#ifndef SECOND_BEST
#define SECOND_BEST 0  // 1: only the second best J is wanted, of blocks whose vectors are known
#endif
// The launch configuration, and what the device can do:
#ifndef GROUP_W
#define GROUP_W 128  // work-items of a group of square_rows and square_boxes
#endif
#ifndef WARPS
#define WARPS 4  // warps of a group of full_ssd: 4 or 8
#endif
#ifndef TILES_X
#define TILES_X 1  // tiles of a row of candidates
#endif
#ifndef TILES
#define TILES 1  // tiles of a block
#endif
// More of them: motion/candidates.h.

#include "definitions/motion/rate.h"
#include "definitions/motion/second_best.h"
#include "gpu/shared/motion/full_ssd.h"
#include "motion/candidates.h"
#include "motion/edge_word.h"
#include "motion/keys.h"
#include "packed.h"

#define STRIP SQUARE_BOXES_ROWS

// The plane is the reference as candidates see it: its edges go on, and its pixel (0, 0) is the reference's (ORIGIN_X,
// FIRST_Y). Both kernels begin at the plane's column and row that are given.

static inline uint add_squares(uint sum, uint four) { return add_byte_products(sum, four, four); }

/// Sums of squares of `w` pixels from each of the plane's pixels on. A work-item has four of them, which begin a word.
__kernel WORK_GROUP(GROUP_W, 1) void square_rows(__global const uchar* restrict reference, __global uint* restrict sums,
                                                 GRID_CONSTANT SquareRowsArguments arguments) {
  const int width = arguments.width, w = arguments.count;
  const int x = arguments.first_column / 4 * 4 + 4 * (int)get_global_id(0), y = (int)get_global_id(1);
  if (x >= arguments.plane_pitch) return;
  const int there = x + ORIGIN_X;
  __global const uchar* row = reference + (int64)padded(y + FIRST_Y, arguments.height) * arguments.pitch;
  uint sum[4] = {0, 0, 0, 0};
  if (w % 4 == 0 && there >= 0 && there + w + 4 <= width) {
    __global const uint* words = (__global const uint*)(row + there);
    uint whole = 0;
    for (int i = 0; i < w / 4; ++i) whole = add_squares(whole, words[i]);
    const uint leaves = words[0], enters = words[w / 4];
    sum[0] = whole;
    sum[1] = add_squares(whole, enters & 0xFFu) - add_squares(0, leaves & 0xFFu);
    sum[2] = add_squares(whole, enters & 0xFFFFu) - add_squares(0, leaves & 0xFFFFu);
    sum[3] = add_squares(whole, enters & 0xFFFFFFu) - add_squares(0, leaves & 0xFFFFFFu);
  } else {
    for (int i = 0; i < w + 3; ++i) {
      const uint pixel = row[padded(there + i, width)];
      for (int k = 0; k < 4; ++k)
        if (i >= k && i < k + w) sum[k] += pixel * pixel;
    }
  }
  uint4 four;
  four.x = sum[0], four.y = sum[1], four.z = sum[2], four.w = sum[3];
  *(__global uint4*)(sums + (int64)y * arguments.plane_pitch + x) = four;
}

/// Sums of `h` of these from each pixel on.
__kernel WORK_GROUP(GROUP_W, 1) void square_boxes(__global const uint* restrict sums, __global uint* restrict boxes,
                                                  GRID_CONSTANT SquareBoxesArguments arguments) {
  const int plane_h = arguments.plane_height, plane_pitch = arguments.plane_pitch, h = arguments.count;
  const int x = arguments.first_column + (int)get_global_id(0);
  const int top = arguments.first_row + (int)get_group_id(1) * STRIP;
  if (x >= arguments.plane_width) return;
  boxes += arguments.offset;  // whose plane begins there
  uint box = 0;
  for (int j = 0; j < h; ++j) box += sums[(int64)min(top + j, plane_h - 1) * plane_pitch + x];
  for (int y = top; y < top + STRIP && y < plane_h; ++y) {
    boxes[(int64)y * plane_pitch + x] = box;
    box += sums[(int64)min(y + h, plane_h - 1) * plane_pitch + x] - sums[(int64)y * plane_pitch + x];
  }
}

#ifdef VERGENCE_NVIDIA

#define TALL FULL_SSD_TALL
#define COLUMNS FULL_SSD_COLUMNS
#define CHUNKS FULL_SSD_PIECES(BLOCK_W)
#define PITCH FULL_SSD_WINDOW_ROW(BLOCK_W)
#define WINDOW_ROWS FULL_SSD_WINDOW_ROWS(BLOCK_H, WARPS)
#define PADDED FULL_SSD_BLOCK_ROW(BLOCK_W)
#define PAIRS FULL_SSD_PAIRS
#define GROUP (32 * WARPS)
#define WINDOW_FOURS ((WINDOW_ROWS * PITCH / 4 + GROUP - 1) / GROUP)  // of a work-item

/// sums += a * b, a of 16 x 32 and b of 32 x 8 bytes, as the instruction spreads them over a warp.
static inline void multiply_add(int* sums, const uint* a, uint b_0, uint b_1) {
  int c_0, c_1, c_2, c_3;
  VERGENCE_ASM_VOLATILE(
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, "
      "%13};"
      : "=r"(c_0), "=r"(c_1), "=r"(c_2), "=r"(c_3)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_0), "r"(b_1), "r"(sums[0]), "r"(sums[1]), "r"(sums[2]),
        "r"(sums[3]));
  sums[0] = c_0, sums[1] = c_1, sums[2] = c_2, sums[3] = c_3;
}

/// A block as the frame leaves it, and the first candidate of its tile.
typedef struct {
  int x, y, w, h;
  int dx, dy;
} Work;

/// The block's rows between zeros, and the sum of its squares.
static inline void load_block(LOCAL_POINTER uint* block, LOCAL_POINTER uint* squares,
                              __global const uchar* restrict current, Work work, int pitch, int thread) {
  uint sum = 0;
  for (int i = thread; i < PADDED * BLOCK_H; i += GROUP) {
    const int row = i / PADDED, column = i % PADDED - 4, left = work.w - 4 * column;
    uint four = 0;
    if (row < work.h && column >= 0 && left > 0) {
      four = *(__global const uint*)(current + (int64)(work.y + row) * pitch + work.x + 4 * column);
      if (left < 4) four &= (1u << (8 * left)) - 1;
    }
    sum = add_byte_products(sum, four, four);
    block[i] = four;
  }
  atomic_add(squares, sum);
}
/// Where the window lies in the frame, four words at a time, all of which are asked for before the first is put down;
/// else a warp has a row at a time.
static inline void load_window(LOCAL_POINTER uint* window, __global const uchar* restrict reference, Work work,
                               int width, int height, int pitch, int thread) {
  const int left = work.x + work.dx, top = work.y + work.dy;
  const bool inside = left >= 0 && left + 4 * PITCH <= width && top >= 0 && top + WINDOW_ROWS <= height;
  if (inside && left % 16 == 0 && pitch % 16 == 0) {
    __global const uchar* from = reference + (int64)top * pitch + left;
    uint4 fours[WINDOW_FOURS];
    UNROLL for (int i = 0; i < WINDOW_FOURS; ++i) {
      const int four = min(thread + i * GROUP, WINDOW_ROWS * PITCH / 4 - 1);
      fours[i] = *(__global const uint4*)(from + four / (PITCH / 4) * pitch + 16 * (four % (PITCH / 4)));
    }
    UNROLL for (int i = 0; i < WINDOW_FOURS; ++i)
      *(LOCAL_POINTER uint4*)(window + 4 * min(thread + i * GROUP, WINDOW_ROWS * PITCH / 4 - 1)) = fours[i];
    return;
  }
  UNROLL_4 for (int row = thread >> 5; row < WINDOW_ROWS; row += WARPS) {
    __global const uchar* pixels = reference + (int64)padded(top + row, height) * pitch;
    UNROLL for (int i = 0; i < (PITCH + 31) / 32; ++i) {
      const int word = min((thread & 31) + 32 * i, PITCH - 1), x = left + 4 * word;
      // Without PAD no candidate that counts has pixels beside the frame.
      uint four = *(__global const uint*)(pixels + clamp(x, 0, (width - 1) & ~3));
      if (PAD && (x < 0 || x + 4 > width)) four = edge_word(pixels, x, width);
      window[row * PITCH + word] = four;
    }
  }
}
// A product takes two pieces of 16 columns: of one row, or, where their number is odd, the last ones of both rows of a
// pair. (Pieces of two rows in each product would have the compiler move words between registers all the time.)
static inline int row_of_piece(int product, int second) {
  return product < CHUNKS / 2 ? 0 : product < CHUNKS / 2 * 2 ? 1 : second;
}
static inline int place_of_piece(int product, int second) {
  return product < CHUNKS / 2 * 2 ? product % (CHUNKS / 2) * 2 + second : CHUNKS - 1;
}

/// A of PAIRS pairs of rows, from row `first` on, as the instruction wants it: four words of each work-item.
static inline void load_factors(LOCAL_POINTER uint* factors, LOCAL_POINTER const uint* block, int first, int thread) {
  const int part = thread & 3, lane = thread >> 2 & 31;
  for (int pair = thread >> 7; pair < PAIRS; pair += WARPS / 4) {
    UNROLL for (int product = 0; product < CHUNKS; ++product) {
      const int row = first + 2 * pair + row_of_piece(product, part >> 1);
      const int place = 16 * place_of_piece(product, part >> 1) + 4 * (lane & 3) - (lane >> 2) - 8 * (part & 1) + 16;
      LOCAL_POINTER const uint* words = block + row * PADDED + (place >> 2);
      factors[(pair * CHUNKS + product) * 128 + (thread & 127)] =
          pick_bytes(words[0], words[1], 0x3210u + 0x1111u * (uint)(place & 3));
    }
  }
}

/// Adds the products of PAIRS pairs of rows to a work-item's part of TALL rows of candidates.
static inline void add_products(int (*sums)[4], LOCAL_POINTER const uint* factors, LOCAL_POINTER const uint* window,
                                int lane) {
  NO_UNROLL for (int pair = 0; pair < PAIRS; ++pair) {
    uint a[CHUNKS][4], upper[CHUNKS], lower[CHUNKS];
    UNROLL for (int m = 0; m < CHUNKS; ++m) {
      const uint4 four = *(LOCAL_POINTER const uint4*)(factors + ((pair * CHUNKS + m) * 32 + lane) * 4);
      a[m][0] = four.x, a[m][1] = four.y, a[m][2] = four.z, a[m][3] = four.w;
    }
    LOCAL_POINTER const uint* row = window + 2 * pair * PITCH;
    UNROLL for (int c = 0; c < CHUNKS; ++c) upper[c] = row[4 * c];
    UNROLL for (int i = 0; i < TALL; ++i) {
      UNROLL for (int c = 0; c < CHUNKS; ++c) lower[c] = row[(i + 1) * PITCH + 4 * c];
      UNROLL for (int m = 0; m < CHUNKS; ++m)
        multiply_add(sums[i], a[m], (row_of_piece(m, 0) == 0 ? upper : lower)[place_of_piece(m, 0)],
                     (row_of_piece(m, 1) == 0 ? upper : lower)[place_of_piece(m, 1)]);
      UNROLL for (int c = 0; c < CHUNKS; ++c) upper[c] = lower[c];
    }
  }
}

static inline Work work_of(int index, int tile, int across, int width, int height) {
  const int column = index % across, row = index / across;
  Work work;
  work.x = column * BLOCK_W, work.w = block_extent(column, BLOCK_W, width);
  work.y = row * BLOCK_H, work.h = block_extent(row, BLOCK_H, height);
  work.dx = ORIGIN_X + tile % TILES_X * COLUMNS;
  work.dy = FIRST_Y + tile / TILES_X * (TALL * WARPS);
  return work;
}

/// The column of candidates that element e of a work-item's sums belongs to, in px from the tile's first one.
static inline int column_of_element(int lane, const int e) {
  return 16 * (2 * (lane & 3) + (e & 1)) + (lane >> 2) + 8 * (e >> 1);
}

/// What a work-item's candidates are judged by.
typedef struct {
  int left, right, low, high;  // displacements that count
  __global const uint* boxes;  // sums of the reference's squares, of blocks as large as this one
  int plane_pitch;
  uint squares;        // of the block
  int px, py;          // prediction, in quarter pixels
  int best_x, best_y;  // the best vector in px, where the second-best J is wanted
} Judge;

/// The best key of a work-item's candidates; without a rate their SSD replace the products in `sums`, *least is the
/// least of them, and there is no key yet.
static ALWAYS_INLINE uint64 best_of_own(int (*sums)[4], uint* least, const Work* work, const Judge* by, int warp,
                                        int lane) {
  uint64 key = NO_KEY;
  UNROLL for (int e = 0; e < 4; ++e) {
    const int dx = work->dx + column_of_element(lane, e);
    const bool is_column = dx >= by->left && dx <= by->right;
    __global const uint* box =
        by->boxes + (work->y + work->dy + TALL * warp - FIRST_Y) * by->plane_pitch + work->x + dx - ORIGIN_X;
    UNROLL for (int i = 0; i < TALL; ++i) {
      const int dy = work->dy + TALL * warp + i;
      const bool counts = is_column && dy >= by->low && dy <= by->high &&
                          (!SECOND_BEST || may_be_second_best_vector(dx, dy, by->best_x, by->best_y));
      // Read whether it counts or not, and then masked: loads behind conditions would wait for each other.
      const uint ssd = (by->squares + box[i * by->plane_pitch] - 2u * (uint)sums[i][e]) | (counts ? 0 : ~0u);
#if LAMBDA == 0
      *least = min(*least, ssd);
      sums[i][e] = (int)ssd;
#else
      if (counts)
        key = min(key, key_of(ssd + motion_rate(LAMBDA, vector_bits(4 * dx, 4 * dy, by->px, by->py)), dx, dy));
#endif
    }
  }
  return key;
}

#if LAMBDA == 0
/// The best key among candidates of the group's least SSD: only work-items that have one look at their vectors. SSD are
/// below 2^31. All of the group call it; `leasts` has a word for each warp.
static ALWAYS_INLINE uint64 key_of_least(int (*sums)[4], uint least, LOCAL_POINTER uint* leasts, const Work* work,
                                         int warp, int lane) {
  uint64 key = NO_KEY;
  uint least_of_group = least_of_warp(least);
  if (lane == 0) leasts[warp] = least_of_group;
  GROUP_BARRIER();
  for (int i = 0; i < WARPS; ++i) least_of_group = min(least_of_group, leasts[i]);
  if (least != ~0u && least == least_of_group)
    UNROLL for (int i = 0; i < TALL; ++i)
      UNROLL for (int e = 0; e < 4; ++e)
        if ((uint)sums[i][e] == least)
          key = min(key, key_of(least, work->dx + column_of_element(lane, e), work->dy + TALL * warp + i));
  return key;
}
#endif

/// The least key of the group, in work-item 0; all of the group call it. `keys` has a key for each warp.
static ALWAYS_INLINE uint64 least_key(LOCAL_POINTER uint64* keys, uint64 key, int thread) {
  key = least_long_of_warp(key);
  if (thread % 32 == 0) keys[thread / 32] = key;
  GROUP_BARRIER();
  if (thread == 0)
    UNROLL for (int i = 1; i < WARPS; ++i) key = min(key, keys[i]);
  return key;
}

__kernel WORK_GROUP(GROUP,
                    1) void full_ssd(__global const uchar* restrict current, __global const uchar* restrict reference,
                                     __global const uint* restrict boxes, __global const short* restrict predictions,
                                     __global const short* restrict vectors, __global uint64* restrict keys,
                                     GRID_CONSTANT FullSsdArguments arguments) {
  __local ALIGN_16 uint window[WINDOW_ROWS * PITCH];
  __local ALIGN_16 uint factors[FULL_SSD_FACTORS(BLOCK_W)];
  __local uint block[PADDED * BLOCK_H + 1];  // a word is read behind its end
  __local uint squares, leasts[WARPS];
  __local uint64 best[WARPS];
  const int thread = (int)get_local_id(0), lane = thread & 31, warp = thread >> 5;
  const int index = (int)get_group_id(0), tile = (int)get_group_id(1);
  const int width = arguments.width, height = arguments.height, pitch = arguments.pitch;
  const Work work = work_of(index, tile, arguments.across, width, height);
  if (thread == 0) squares = 0, block[PADDED * BLOCK_H] = 0;
  GROUP_BARRIER();
  load_block(block, &squares, current, work, pitch, thread);
  load_window(window, reference, work, width, height, pitch, thread);
  int sums[TALL][4];
  UNROLL for (int i = 0; i < TALL; ++i)
    UNROLL for (int e = 0; e < 4; ++e) sums[i][e] = 0;
  for (int first = 0; first < work.h; first += 2 * PAIRS) {
    GROUP_BARRIER();
    load_factors(factors, block, first, thread);
    GROUP_BARRIER();
    add_products(sums, factors, window + (TALL * warp + first) * PITCH + lane, lane);
  }

  Judge by;
  by.left = PAD ? FIRST_X : max(FIRST_X, -work.x), by.right = PAD ? LAST_X : min(LAST_X, width - work.x - work.w);
  by.low = PAD ? FIRST_Y : max(FIRST_Y, -work.y), by.high = PAD ? LAST_Y : min(LAST_Y, height - work.y - work.h);
  by.px = arguments.predicted != 0 ? predictions[2 * index] : 0,
  by.py = arguments.predicted != 0 ? predictions[2 * index + 1] : 0;
  by.best_x = SECOND_BEST ? vectors[2 * index] / 4 : 0, by.best_y = SECOND_BEST ? vectors[2 * index + 1] / 4 : 0;
  // Partial blocks have boxes of their own, one plane of them after the other.
  const int size = (work.w < BLOCK_W ? 1 : 0) + (work.h < BLOCK_H ? 2 : 0);
  by.boxes = boxes + (int64)size * arguments.plane_height * arguments.plane_pitch;
  by.plane_pitch = arguments.plane_pitch, by.squares = squares;
  uint least = ~0u;
  uint64 key = best_of_own(sums, &least, &work, &by, warp, lane);
#if LAMBDA == 0
  key = key_of_least(sums, least, leasts, &work, warp, lane);
#endif
  key = least_key(best, key, thread);
  if (thread == 0) keys[index * TILES + tile] = key;
}

#endif
