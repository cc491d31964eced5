// SPDX-License-Identifier: Apache-2.0
// A source map as remap.cl reads it: 4.5 bytes a pixel instead of 8 where neighbours come from neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/rectify/maps.hpp"

namespace vergence::gpu {

struct PackedMap {
  int pixels = 0;  ///< Neighbours of a work-item.
  int items = 0;   ///< Work-items of a row; pixels beyond the width are the last one again.
  /// Places are whole: x in a word, y in another. Otherwise a word has what x and, from bit 16 on, y have more than
  /// `starts` has for the REMAP_RUN pixels.
  bool wide = false;
  std::vector<std::uint32_t> words;  ///< [row][pixel of a work-item][x, y where wide][work-item]
  std::vector<std::int32_t> starts;  ///< [row][REMAP_RUN pixels][x, y]; two numbers where wide.
};

/// Whether a pixel has a source is left out. `pixels` divides REMAP_RUN.
PackedMap pack_map(const rectify::SourceMap& map, int pixels);

}  // namespace vergence::gpu
