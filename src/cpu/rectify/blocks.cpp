// SPDX-License-Identifier: Apache-2.0
// Cuts a source map into runs and blocks.
#include "cpu/rectify/blocks.hpp"

#include <algorithm>

#include "definitions/rectify/bilinear.h"

namespace vergence::cpu {
namespace {

constexpr int block_bytes = 16, block_rows = 3;

/// The pair above and its fractions. In the last column and row the pair before is taken, with the fraction 1024.
struct PairPlace {
  int column, row, x, y;
};
PairPlace pair_place(const rectify::SourceMap& map, int u, int v) {
  const int x = definitions::source_place(map.x(u, v)), y = map.y(u, v);
  const int column = std::min(x / 1024, map.source.width - 2), row = std::min(y / 1024, map.source.height - 2);
  return {column, row, x - 1024 * column, y - 1024 * row};
}

/// One block; false where its pairs do not fit.
template <class P>
bool fill_block(const rectify::SourceMap& map, int first, int v, RemapBlocks& blocks) {
  constexpr int columns = block_bytes / static_cast<int>(sizeof(P)), pixels = remap_block<P>;
  PairPlace pairs[8 / sizeof(P)];
  int column = map.source.width - columns, row = map.source.height - block_rows;
  if (column < 0 || row < 0 || column > 0xFFFF || row > 0xFFFF) return false;
  for (int i = 0; i < pixels; ++i) {
    pairs[i] = pair_place(map, std::min(first + i, map.x.width() - 1), v);
    column = std::min(column, pairs[i].column);
    row = std::min(row, pairs[i].row);
  }
  for (int i = 0; i < pixels; ++i) {
    const int across = pairs[i].column - column, down = pairs[i].row - row;
    if (across > columns - 2 || down > block_rows - 2) return false;
    const int in_block = across * static_cast<int>(sizeof(P)) + 16 * down;
    blocks.left(first + i, v) = static_cast<std::int16_t>(32 * (pairs[i].x - 1024) + in_block);
    blocks.upper(first + i, v) = static_cast<std::int16_t>(16 * (pairs[i].y - 1024));
  }
  blocks.places(first / pixels, v) = static_cast<std::uint32_t>(row) << 16 | static_cast<std::uint32_t>(column);
  return true;
}

template <class T>
std::size_t bytes_of(const Image<T>& image) {
  return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
}

}  // namespace

std::size_t RemapBlocks::bytes() const { return bytes_of(left) + bytes_of(upper) + bytes_of(places); }

template <class P>
RemapBlocks make_remap_blocks(Context& context, const rectify::SourceMap& map) {
  const int runs = (map.x.width() + remap_run - 1) / remap_run, height = map.x.height();
  RemapBlocks blocks{Image<std::int16_t>(runs * remap_run, height), Image<std::int16_t>(runs * remap_run, height),
                     Image<std::uint32_t>(runs * remap_run / remap_block<P>, height)};
  constexpr int rows_worth_a_thread = 16;
  context.threads.rows(height, rows_worth_a_thread, [&](int first, int last, int) {
    for (int v = first; v < last; ++v)
      for (int start = 0; start < blocks.left.width(); start += remap_run) {
        bool fits = true;
        for (int u = start; fits && u < start + remap_run; u += remap_block<P>) fits = fill_block<P>(map, u, v, blocks);
        if (!fits) blocks.places(start / remap_block<P>, v) = RemapBlocks::scattered;
      }
  });
  return blocks;
}
template RemapBlocks make_remap_blocks<std::uint8_t>(Context&, const rectify::SourceMap&);
template RemapBlocks make_remap_blocks<std::uint16_t>(Context&, const rectify::SourceMap&);

}  // namespace vergence::cpu
