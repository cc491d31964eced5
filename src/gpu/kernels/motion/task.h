// SPDX-License-Identifier: Apache-2.0
// A block, its candidates, and reads of four pixels of the reference from any position on, also beside the frame,
// without a branch.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef PAD
#define PAD 0  // 1: the frame's edges go on; 0: candidates stay inside
#endif
#ifndef LAMBDA
#define LAMBDA 0  // weight of a vector's bits in J, 0 and up
#endif

#include "definitions/motion/block.h"
#include "definitions/motion/order.h"
#include "definitions/motion/rate.h"
#include "gpu/shared/motion/search.h"
#include "motion/keys.h"
#include "motion/spread.h"
#include "packed.h"

#define NO_BEST_J (~0u)  // J of SAD on bytes is below 2^23

/// A block as large as the frame leaves it, or what stands for it on a coarse level.
typedef struct {
  int x, y, w, h;
} Region;

/// A block's search on one level.
typedef struct {
  __global const uchar* reference;
  FrameArguments size;
  Region block;
  int first_x, last_x, first_y, last_y;
  int px, py;  // prediction, in quarter pixels
} Task;

/// Which aligned words hold 12 pixels of a row from `x` on, which may lie beside the frame, and how to make pixels of
/// them.
typedef struct {
  int at[3];
#if PAD
  uint order[3];  // of a word's bytes, so that the frame's edges go on
#endif
  uint digits;
} Words;

static inline Words words_at(const Task* s, int x) {
  Words words;
  const int first = x & ~3;
  words.digits = 0x3210u + 0x1111u * (uint)(x & 3);
  SPREAD for (int i = 0; i < 3; ++i) {
#if PAD
    words.at[i] = clamp(first + 4 * i, 0, (s->size.width - 1) & ~3);
    words.order[i] = 0;
    SPREAD for (int k = 0; k < 4; ++k)
      words.order[i] |= (uint)(padded(first + 4 * i + k, s->size.width) - words.at[i]) << (4 * k);
#else
    words.at[i] = clamp(first + 4 * i, 0, s->size.pitch - 4);  // a candidate that leaves the frame does not count
#endif
  }
  return words;
}
static inline uint word_of(__global const uchar* row, const Words* words, const int i) {
  const uint word = *(__global const uint*)(row + words->at[i]);
#if PAD
  return pick_bytes(word, word, words->order[i]);
#else
  return word;
#endif
}

static inline bool is_candidate(const Task* s, int x, int y) {
  if (x < s->first_x || x > s->last_x || y < s->first_y || y > s->last_y) return false;
  return PAD ||
         (is_inside(s->block.x, s->block.w, x, s->size.width) && is_inside(s->block.y, s->block.h, y, s->size.height));
}
static inline uint rate_of(const Task* s, int x, int y) {
  return LAMBDA == 0 ? 0 : (uint)motion_rate(LAMBDA, vector_bits(4 * x, 4 * y, s->px, s->py));
}

/// Two numbers of 16 bits in a word.
static inline int pack_vector(int x, int y) { return (int)((uint)x & 0xFFFFu) | (int)((uint)y << 16); }
static inline int x_of(int packed) { return (int)(short)(packed & 0xFFFF); }
static inline int y_of(int packed) { return packed >> 16; }
