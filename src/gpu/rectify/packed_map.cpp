// SPDX-License-Identifier: Apache-2.0
// Packs source maps.
#include "gpu/rectify/packed_map.hpp"

#include <algorithm>
#include <cstddef>

#include "definitions/rectify/bilinear.h"
#include "gpu/shared/rectify/remap.h"

namespace vergence::gpu {
namespace {

struct MapPlace {
  std::int32_t x, y;
};
MapPlace place_at(const rectify::SourceMap& map, int u, int v) {
  const int column = std::min(u, map.x.width() - 1);
  return {definitions::source_place(map.x(column, v)), map.y(column, v)};
}

/// Appends the words of a row, and where they start; false where differences are too large.
bool append_differences(const rectify::SourceMap& map, int v, PackedMap& packed) {
  const std::size_t first_start = packed.starts.size();
  for (int u = 0; u < packed.items * packed.pixels; u += REMAP_RUN) {
    MapPlace least = place_at(map, u, v), most = least;
    for (int i = 1; i < REMAP_RUN; ++i) {
      const MapPlace place = place_at(map, u + i, v);
      least = {std::min(least.x, place.x), std::min(least.y, place.y)};
      most = {std::max(most.x, place.x), std::max(most.y, place.y)};
    }
    if (most.x - least.x > 0xFFFF || most.y - least.y > 0xFFFF) return false;
    packed.starts.insert(packed.starts.end(), {least.x, least.y});
  }
  for (int i = 0; i < packed.pixels; ++i)
    for (int item = 0; item < packed.items; ++item) {
      const MapPlace place = place_at(map, packed.pixels * item + i, v);
      const std::size_t start = first_start + 2 * static_cast<std::size_t>(packed.pixels * item / REMAP_RUN);
      packed.words.push_back(static_cast<std::uint32_t>(place.x - packed.starts[start]) |
                             static_cast<std::uint32_t>(place.y - packed.starts[start + 1]) << 16);
    }
  return true;
}

void append_places(const rectify::SourceMap& map, int v, PackedMap& packed) {
  for (int i = 0; i < packed.pixels; ++i) {
    for (int item = 0; item < packed.items; ++item)
      packed.words.push_back(static_cast<std::uint32_t>(place_at(map, packed.pixels * item + i, v).x));
    for (int item = 0; item < packed.items; ++item)
      packed.words.push_back(static_cast<std::uint32_t>(place_at(map, packed.pixels * item + i, v).y));
  }
}

}  // namespace

PackedMap pack_map(const rectify::SourceMap& map, int pixels) {
  const int height = map.x.height();
  PackedMap packed;
  packed.pixels = pixels;
  packed.items = (map.x.width() + pixels - 1) / pixels;
  const std::size_t count = static_cast<std::size_t>(packed.items * pixels) * static_cast<std::size_t>(height);
  packed.words.reserve(count);
  for (int v = 0; v < height && !packed.wide; ++v) packed.wide = !append_differences(map, v, packed);
  if (!packed.wide) return packed;
  packed.words.clear();
  packed.words.reserve(2 * count);
  packed.starts.assign(2, 0);
  for (int v = 0; v < height; ++v) append_places(map, v, packed);
  return packed;
}

}  // namespace vergence::gpu
