// SPDX-License-Identifier: Apache-2.0
// A lane's numbers in a volume, and the words of two candidates that packed_step.h works with.
#include "packed.h"

#define OWN_WORDS ((OWN * VALUE_BYTES + 3) / 4)

// The numbers of a lane's candidates move together: as one, or as several words of 16 bytes.
#if OWN * VALUE_BYTES == 2
#define MOVED ushort
#elif OWN * VALUE_BYTES == 4
#define MOVED uint
#elif OWN * VALUE_BYTES == 8
#define MOVED uint2
#else
#define MOVED uint4
#endif
typedef union {
  uint words[OWN_WORDS];
  MOVED moved[OWN * VALUE_BYTES / sizeof(MOVED)];
} Own;

// What is stored of pairs. `whole`: no candidate is absent. Else what is stored of these must not be so large that sums
// of theirs overflow into their neighbours'.
static ALWAYS_INLINE void own_of_pairs(Own* own, const uint* pairs, bool whole) {
#if VALUE_BYTES == 2
  UNROLL for (int i = 0; i < OWN_WORDS; ++i) own->words[i] = whole ? pairs[i] : pairs[i] & ~NO_LEVELS;
#else
  UNROLL for (int i = 0; i < OWN_WORDS; ++i)
    own->words[i] = pick_bytes(pairs[2 * i], pairs[min(2 * i + 1, PAIRS - 1)], 0x6420);
#endif
}
static ALWAYS_INLINE void store_own_words(Own own, __global VALUE* pixel, int lane) {
  __global MOVED* to = (__global MOVED*)(pixel + lane * OWN);
  UNROLL for (int i = 0; i < (int)(sizeof(own.moved) / sizeof(MOVED)); ++i) to[i] = own.moved[i];
}
static ALWAYS_INLINE void store_pairs(const uint* pairs, bool whole, __global VALUE* pixel, int lane) {
  Own own;
  own_of_pairs(&own, pairs, whole);
  store_own_words(own, pixel, lane);
}
static ALWAYS_INLINE void load_words(Own* own, __global const VALUE* pixel, int lane) {
  __global const MOVED* from = (__global const MOVED*)(pixel + lane * OWN);
  UNROLL for (int i = 0; i < (int)(sizeof(own->moved) / sizeof(MOVED)); ++i) own->moved[i] = from[i];
}
static ALWAYS_INLINE void pairs_of_words(uint* pairs, const uint* words) {
#if VALUE_BYTES == 2
  UNROLL for (int i = 0; i < PAIRS; ++i) pairs[i] = words[i];
#else
  UNROLL for (int i = 0; i < PAIRS; ++i) pairs[i] = pick_bytes(words[i / 2], 0, i % 2 == 0 ? 0x4140 : 0x4342);
#endif
}
static ALWAYS_INLINE void load_pairs(uint* pairs, __global const VALUE* pixel, int lane) {
  Own own;
  load_words(&own, pixel, lane);
  pairs_of_words(pairs, own.words);
}
