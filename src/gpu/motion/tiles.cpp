// SPDX-License-Identifier: Apache-2.0
// How exhaustive searches cut the candidates of a block, and what their kernels are told of them.
#include "gpu/motion/tiles.hpp"

namespace vergence::gpu {

int first_column(MotionRange x) { return -((3 - x.first) / 4 * 4); }

int window_words(const Tiles& tiles, int panel_words) { return (tiles.columns - 1) / 4 + panel_words; }

std::size_t window_bytes(const Tiles& tiles, int panel_words, int panel_rows) {
  const int words = (window_words(tiles, panel_words) + 7) / 16 * 16 + 8;  // WORDS in window.h
  return 4 * static_cast<std::size_t>((tiles.slabs * tiles.tall + panel_rows - 1) * 4 * words);
}

Defines candidate_defines(const MotionOptions& options) {
  Defines defines;
  defines.set("PAD", options.border == MotionBorder::pad ? 1 : 0)
      .set("LAMBDA", options.lambda)
      .set("FIRST_X", options.range_x.first)
      .set("LAST_X", options.range_x.last)
      .set("FIRST_Y", options.range_y.first)
      .set("LAST_Y", options.range_y.last);
  return defines;
}

void set_tiles(Defines& defines, const Tiles& tiles) {
  defines.set("TILES_X", tiles.tiles_x)
      .set("TILES", tiles.count())
      .set("GROUP", tiles.group())
      .set("COLUMNS", tiles.columns)
      .set("SLABS", tiles.slabs)
      .set("TALL", tiles.tall);
}

}  // namespace vergence::gpu
