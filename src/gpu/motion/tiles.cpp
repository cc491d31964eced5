// SPDX-License-Identifier: Apache-2.0
// The tiles of candidates of exhaustive searches, and what their kernels are told of them.
#include "gpu/motion/tiles.hpp"

#include <cstdint>

#include "gpu/shared/motion/exhaustive.h"

namespace vergence::gpu {

int first_column(MotionRange x) { return WINDOW_ORIGIN_X(x.first); }

int window_words(const Tiles& tiles, int panel_words) { return WINDOW_READ_WORDS(tiles.columns, panel_words); }

std::size_t window_bytes(const Tiles& tiles, int panel_words, int panel_rows) {
  return sizeof(std::uint32_t) * static_cast<std::size_t>(WINDOW_ROW_COUNT(tiles.slabs, tiles.tall, panel_rows) *
                                                          WINDOW_ROW_WORDS(tiles.columns, panel_words));
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
