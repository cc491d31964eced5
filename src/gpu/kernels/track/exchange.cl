// SPDX-License-Identifier: Apache-2.0
// Gradients that devices hand to each other lie in two planes of 16 bits, across and down, with rows and levels where
// those of the words are.
#ifndef THREADS
#define THREADS 64  // work-items of a group
#endif

#include "track/levels.h"

#define PLACE                                                    \
  const Level level = level_of(table, number);                   \
  const int x = (int)get_global_id(0), y = (int)get_group_id(1); \
  if (x >= level.width) return;                                  \
  const int64 at = level.offset + (int64)y * level.pitch + x

__kernel WORK_GROUP(THREADS, 1) void join(__global const ushort* restrict across, __global const ushort* restrict down,
                                          __global uint* restrict gradients, __global const int* restrict table,
                                          int number) {
  PLACE;
  gradients[at] = (uint)across[at] | (uint)down[at] << 16;
}

__kernel WORK_GROUP(THREADS, 1) void split(__global const uint* restrict gradients, __global ushort* restrict across,
                                           __global ushort* restrict down, __global const int* restrict table,
                                           int number) {
  PLACE;
  across[at] = (ushort)(gradients[at] & 0xFFFFu);
  down[at] = (ushort)(gradients[at] >> 16);
}
