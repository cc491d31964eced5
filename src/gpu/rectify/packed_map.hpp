// SPDX-License-Identifier: Apache-2.0
// A source map as remap.cl reads it: 3 bytes a pixel instead of 8 where places nearly follow lines.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/rectify/maps.hpp"

namespace vergence::gpu {

/// The maps of both cameras, the left one's first.
struct PackedMaps {
  /// Places are whole: x in a word, y in another. Otherwise a pixel has a byte for x and one for y. The place of pixel
  /// i of a run of REMAP_RUN pixels is start + i * step + byte, moved into the source picture.
  bool wide = false;
  int fours = 0;  ///< Times four runs of a row; pixels beyond the width have no meaning.
  /// [camera][row][four runs][pixel of a run][x, y], the byte of the first run in the lowest place.
  /// Where wide: [camera][row][x, y][pixel].
  std::vector<std::uint32_t> words;
  /// [camera][row][run][start of x, start of y, step of x, step of y]; four numbers where wide. REMAP_OUTSIDE is
  /// subtracted from the start of x but where all places, and the pixels right of them and below, lie in the source
  /// picture as they are.
  std::vector<std::int32_t> runs;
};

/// Of pictures of one size, from pictures of one size. Whether a pixel has a source is left out.
PackedMaps pack_maps(const rectify::SourceMap& left, const rectify::SourceMap& right);

}  // namespace vergence::gpu
