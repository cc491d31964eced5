// SPDX-License-Identifier: Apache-2.0
// Words of four pixels that may lie beside the frame.
#include "definitions/motion/block.h"

/// Pixels x to x + 3 of a row whose edge pixels are repeated without end.
static inline uint edge_word(__global const uchar* row, int x, int width) {
  uint word = 0;
  for (int i = 0; i < 4; ++i) word |= (uint)row[padded(x + i, width)] << (8 * i);
  return word;
}
