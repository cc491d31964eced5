// SPDX-License-Identifier: Apache-2.0
// Reference: the exhaustive search for blocks of 8, 16, 32 and 64 px at once, by sums of the costs of 8x8 blocks. It
// finds what `full` finds for each of these sizes: larger blocks are made of whole 8x8 blocks, partial ones included,
// and no cost crosses them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/motion/choice.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {
namespace {

/// All candidates of all blocks of one size.
struct Level {
  Size block, grid;
  std::vector<std::vector<Candidate>> candidates;
};

/// Costs of the 8x8 blocks under one displacement, whether they are candidates of their own or parts of one.
template <class P>
Image<std::uint64_t> tile_costs(const MotionPlan& plan, const MotionPictures<P>& pictures, int dx, int dy) {
  Image<std::uint64_t> costs(plan.grids.front());
  for (int row = 0; row < costs.height(); ++row)
    for (int column = 0; column < costs.width(); ++column)
      costs(column, row) =
          distortion(plan.options.cost, pictures, make_block(plan.size, plan.blocks.front(), column, row), dx, dy);
  return costs;
}

/// Sum of the 8x8 blocks that a block of this level consists of.
std::uint64_t sum(const Image<std::uint64_t>& tiles, const Level& level, int column, int row) {
  const int across = level.block.width / 8;
  std::uint64_t cost = 0;
  for (int y = row * across; y < std::min((row + 1) * across, tiles.height()); ++y)
    for (int x = column * across; x < std::min((column + 1) * across, tiles.width()); ++x) cost += tiles(x, y);
  return cost;
}

template <class P>
void add_candidates(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps,
                    const Image<std::uint64_t>& tiles, int dx, int dy, Level& level) {
  for (int row = 0; row < level.grid.height; ++row)
    for (int column = 0; column < level.grid.width; ++column) {
      const BlockSearch<P> search =
          make_search(plan, pictures, level.block, column, row, prediction_of(maps, column, row));
      if (search.is_candidate(dx, dy))
        level.candidates[static_cast<std::size_t>(row * level.grid.width + column)].push_back(
            search.candidate(dx, dy, sum(tiles, level, column, row)));
    }
}

}  // namespace

template <class P>
void all_sizes(const MotionPlan& plan, const MotionPictures<P>& pictures, std::span<const MotionMaps> maps) {
  std::vector<Level> levels;
  for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
    levels.push_back({plan.blocks[i], plan.grids[i], {}});
    levels.back().candidates.resize(static_cast<std::size_t>(plan.grids[i].width * plan.grids[i].height));
  }
  const MotionOptions& o = plan.options;
  for (int dy = o.range_y.first; dy <= o.range_y.last; ++dy)
    for (int dx = o.range_x.first; dx <= o.range_x.last; ++dx) {
      const Image<std::uint64_t> tiles = tile_costs(plan, pictures, dx, dy);
      for (std::size_t i = 0; i < levels.size(); ++i) add_candidates(plan, pictures, maps[i], tiles, dx, dy, levels[i]);
    }
  for (std::size_t i = 0; i < levels.size(); ++i)
    for (int row = 0; row < levels[i].grid.height; ++row)
      for (int column = 0; column < levels[i].grid.width; ++column)
        put_choice(maps[i], column, row,
                   levels[i].candidates[static_cast<std::size_t>(row * levels[i].grid.width + column)]);
}

template void all_sizes(const MotionPlan&, const MotionPictures<std::uint8_t>&, std::span<const MotionMaps>);
template void all_sizes(const MotionPlan&, const MotionPictures<std::uint16_t>&, std::span<const MotionMaps>);

}  // namespace vergence::reference
