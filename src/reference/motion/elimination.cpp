// SPDX-License-Identifier: Apache-2.0
// Reference: the exhaustive search by multi-level successive elimination, written plainly. It finds what `full` finds;
// fast backends may do as it does. After Li and Salari, "Successive elimination algorithm for motion estimation", IEEE
// Trans. Image Processing, 1995, and Gao, Duanmu and Zou, "A multilevel successive elimination algorithm for block
// matching motion estimation", IEEE Trans. Image Processing, 2000.
#include "definitions/motion/elimination.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "reference/motion/block_search.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {
namespace {

/// Sum of current minus reference pixels over a tile of the block.
template <class P>
std::int64_t difference(const BlockSearch<P>& search, const Block& tile, int dx, int dy) {
  std::int64_t sum = 0;
  for (int y = tile.y; y < tile.y + tile.height; ++y)
    for (int x = tile.x; x < tile.x + tile.width; ++x)
      sum += current_pixel(search.pictures, x, y) - reference_pixel(search.pictures, x + dx, y + dy);
  return sum;
}

/// A level: the block divided into tiles of that side, the last ones as large as is left.
template <class P>
std::uint64_t bound(const BlockSearch<P>& search, int side, int dx, int dy) {
  const Block& block = search.block;
  std::uint64_t sum = 0;
  for (int y = 0; y < block.height; y += side)
    for (int x = 0; x < block.width; x += side) {
      const Block tile{block.x + x, block.y + y, std::min(side, block.width - x), std::min(side, block.height - y)};
      const std::int64_t d = difference(search, tile, dx, dy);
      sum += search.cost == MotionCost::sad ? definitions::sad_bound(d)
                                            : definitions::ssd_bound(d, tile.width * tile.height);
    }
  return sum;
}

/// SATD has but one level, its own tiles.
template <class P>
std::uint64_t satd_bound(const BlockSearch<P>& search, int dx, int dy) {
  const Block& block = search.block;
  std::uint64_t sum = 0;
  for (int y = 0; y < block.height; ++y)
    for (int x = 0; x < block.width; ++x) {
      const int tile = definitions::satd_tile(x, y, block.width, block.height);
      if (x % tile == 0 && y % tile == 0)
        sum += definitions::satd_bound(difference(search, {block.x + x, block.y + y, tile, tile}, dx, dy), tile);
    }
  return sum;
}

/// Whether some level proves that (dx, dy) cannot be better than `best`.
template <class P>
bool cannot_win(const BlockSearch<P>& search, const Candidate& best, int dx, int dy) {
  const std::uint64_t rate = search.rate(dx, dy);
  const auto eliminated = [&](std::uint64_t lower) {
    return definitions::is_eliminated(lower + rate, dx, dy, best.j, best.dx, best.dy);
  };
  if (search.cost == MotionCost::satd) return eliminated(satd_bound(search, dx, dy));
  constexpr std::array<int, 4> sides{64, 16, 8, 4};
  return std::any_of(sides.begin(), sides.end(), [&](int side) { return eliminated(bound(search, side, dx, dy)); });
}

}  // namespace

template <class P>
std::int64_t elimination(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps) {
  std::int64_t tried = 0;
  for_blocks(plan, pictures, maps, [&](const BlockSearch<P>& search) {
    Candidate best = start_of(search);  // a good start lets more be eliminated, and changes nothing else
    for (int dy = search.range_y.first; dy <= search.range_y.last; ++dy)
      for (int dx = search.range_x.first; dx <= search.range_x.last; ++dx) {
        if (!search.is_candidate(dx, dy) || cannot_win(search, best, dx, dy)) continue;
        ++tried;
        search.improve(best, dx, dy);
      }
    return best;
  });
  return tried;
}

template std::int64_t elimination(const MotionPlan&, const MotionPictures<std::uint8_t>&, const MotionMaps&);
template std::int64_t elimination(const MotionPlan&, const MotionPictures<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::reference
