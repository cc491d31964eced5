// SPDX-License-Identifier: Apache-2.0
// Whole sums over the work-items that have a point, the same for all of them. Any order of addition gives the same
// bits.

// The launch configuration, and what the device can do:
#ifndef LANES
#define LANES 32  // work-items of a point
#endif
#ifndef SHORT_SUMS
#define SHORT_SUMS 0  // 1: a work-item's sums fit 32 bits
#endif
#ifndef WARP_SUM
#define WARP_SUM 0  // 1: an instruction adds up a warp's words
#endif

#include "packed.h"
#include "track/registers.h"

// The lanes of a warp exchange words by instructions; several warps combine theirs in local memory, once per sum.
#if defined(VERGENCE_NVIDIA) && LANES % 32 == 0
#define WARPS (LANES / 32)
#else
#define WARPS 0
#endif

#define MOST_SUMS 9
#if LANES == 1 || WARPS == 1
#define SHARED_SUMS 1
#elif WARPS > 1
#define SHARED_SUMS (2 * MOST_SUMS * WARPS)
#else
#define SHARED_SUMS (MOST_SUMS * (LANES + 1))
#endif

#if SHORT_SUMS
typedef int Sum;
#else
typedef int64 Sum;
#endif

typedef struct {
  LOCAL_POINTER int64* words;  // SHARED_SUMS of them
  int lane;
  int turn;  // which half of them is next
} Shared;

#if WARPS > 0
static inline uint word_total(uint word) {
#if WARP_SUM
  return sum_of_warp(word);
#else
  REGISTERS for (uint lanes = 16; lanes > 0; lanes /= 2) word += from_lane_across(word, lanes);
  return word;
#endif
}
// In two words that cannot overflow: sums of a work-item are below 2^52.
static inline int64 warp_total(Sum own) {
#if SHORT_SUMS
  return (int64)(int)word_total((uint)(own >> 16)) * 65536 + word_total((uint)own & 0xFFFFu);
#else
  return (int64)(int)word_total((uint)(int)(own >> 26)) * 67108864 + word_total((uint)own & 0x3FFFFFFu);
#endif
}
#endif

// `count` sums at once; every work-item of the group is here.
static ALWAYS_INLINE void add_up(const Sum* own, int64* totals, int count, Shared* shared) {
#if LANES == 1
  for (int i = 0; i < count; ++i) totals[i] = own[i];
#elif WARPS > 0
  REGISTERS for (int i = 0; i < count; ++i) totals[i] = warp_total(own[i]);
#if WARPS > 1
  // The half that was read at the last turn is left alone until all have come past the barrier of this one.
  LOCAL_POINTER int64* words = shared->words + shared->turn * (MOST_SUMS * WARPS);
  shared->turn ^= 1;
  if (shared->lane % 32 == 0)
    REGISTERS for (int i = 0; i < count; ++i) words[MOST_SUMS * (shared->lane / 32) + i] = totals[i];
  GROUP_BARRIER();
  REGISTERS for (int i = 0; i < count; ++i) {
    totals[i] = 0;
    REGISTERS for (int warp = 0; warp < WARPS; ++warp) totals[i] += words[MOST_SUMS * warp + i];
  }
#endif
#else
  for (int i = 0; i < count; ++i) shared->words[MOST_SUMS * (shared->lane + 1) + i] = own[i];
  GROUP_BARRIER();
  for (int i = shared->lane; i < count; i += LANES) {
    int64 sum = 0;
    for (int lane = 0; lane < LANES; ++lane) sum += shared->words[MOST_SUMS * (lane + 1) + i];
    shared->words[i] = sum;
  }
  GROUP_BARRIER();
  for (int i = 0; i < count; ++i) totals[i] = shared->words[i];
#endif
}
