// SPDX-License-Identifier: Apache-2.0
// Reference: the test-zone search: growing diamonds, a raster where they end far away, then diamonds about each new
// best. With coarse levels: small diamonds about what the next coarser level found here and around.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "definitions/motion/tz.h"
#include "reference/motion/block_search.hpp"
#include "reference/motion/pyramid.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {
namespace {

/// The best candidate so far, and how the last improvement was found.
struct State {
  Candidate best;
  int distance = 0;  ///< of its diamond; 0 = not by a diamond
  int from_x = 0;    ///< direction from the diamond's centre, where the distance is 1
  int from_y = 0;
};

template <class P>
class TestZone {
 public:
  TestZone(const BlockSearch<P>& search, int farthest, const Candidate& start)
      : search_(search), farthest_(farthest), state_{start} {}

  Candidate run() {
    grow(3);
    if (state_.distance == 1) try_missing();
    if (state_.distance > definitions::tz_raster()) raster();
    while (state_.distance > 0) {
      state_.distance = 0;
      grow(farthest_);
      if (state_.distance == 1) try_missing();
    }
    return state_.best;
  }

 private:
  /// Diamonds of 1, 2, 4, ... px about the best, until `patience` of them in turn bring no gain.
  void grow(int patience) {
    const Candidate centre = state_.best;
    int idle = 0;
    for (int distance = 1; distance <= farthest_ && idle < patience; distance *= 2)
      idle = diamond(centre, distance) ? 0 : idle + 1;
  }

  bool diamond(const Candidate& centre, int distance) {
    bool gain = false;
    for (int k = 0; k < definitions::tz_count(distance); ++k) {
      const int x = definitions::tz_x(distance, k);
      const int y = definitions::tz_y(distance, k);
      if (!search_.improve(state_.best, centre.dx + x, centre.dy + y)) continue;
      gain = true;
      state_.distance = definitions::tz_distance(distance, k);
      state_.from_x = x;
      state_.from_y = y;
    }
    return gain;
  }

  /// A gain counts as found at distance 2, so that another round follows.
  void try_missing() {
    const Candidate centre = state_.best;
    state_.distance = 0;
    for (int i = 0; i < 2; ++i)
      if (search_.improve(state_.best, centre.dx + definitions::tz_missing_x(state_.from_x, state_.from_y, i),
                          centre.dy + definitions::tz_missing_y(state_.from_x, state_.from_y, i)))
        state_.distance = 2;
  }

  void raster() {
    constexpr int mesh = definitions::tz_raster();
    for (int dy = search_.range_y.first; dy <= search_.range_y.last; dy += mesh)
      for (int dx = search_.range_x.first; dx <= search_.range_x.last; dx += mesh) search_.improve(state_.best, dx, dy);
    state_.distance = mesh;
  }

  const BlockSearch<P>& search_;
  int farthest_;
  State state_;
};

/// The vectors of a coarse level's cells, in its whole pixels.
struct Cells {
  Size cell, grid;
  std::vector<Candidate> found;
};

/// Tries zero, then the doubled vectors of the cell of the coarser level that lies here and of the four beside it, each
/// with the four points next to it, and a prediction that is not zero in the same way.
template <class P>
Candidate best_start(const BlockSearch<P>& search, const Cells& coarser) {
  Candidate best = search.candidate(0, 0);
  const auto about = [&](int dx, int dy) {
    search.improve(best, dx, dy);
    for (int k = 0; k < 4; ++k)
      search.improve(best, dx + definitions::small_diamond_x(k), dy + definitions::small_diamond_y(k));
  };
  const int predicted_x = definitions::whole_pixels(search.prediction.dx);
  const int predicted_y = definitions::whole_pixels(search.prediction.dy);
  if (predicted_x != 0 || predicted_y != 0) about(predicted_x, predicted_y);
  const int column = definitions::tz_parent(search.block.x, search.block.width, coarser.cell.width);
  const int row = definitions::tz_parent(search.block.y, search.block.height, coarser.cell.height);
  for (int k = 0; k < 5; ++k) {
    const int x = column + definitions::tz_cell_x(k), y = row + definitions::tz_cell_y(k);
    if (x < 0 || x >= coarser.grid.width || y < 0 || y >= coarser.grid.height) continue;
    const Candidate& coarse = coarser.found[static_cast<std::size_t>(y * coarser.grid.width + x)];
    about(2 * coarse.dx, 2 * coarse.dy);
  }
  return best;
}

/// Level by level down to 1: the coarsest exhaustively.
template <class P>
Cells coarse_cells(const MotionPlan& plan, const Pyramid<P>& pyramid, int farthest) {
  const MotionOptions& o = plan.options;
  Cells coarser;
  for (int level = o.levels; level > 0; --level) {
    const MotionPictures<P>& pictures = pyramid.level(level);
    const Size size = pictures.current.size();
    Cells cells;
    cells.cell = {definitions::tz_cell(o.block.width, level), definitions::tz_cell(o.block.height, level)};
    cells.grid = {definitions::block_count(size.width, cells.cell.width),
                  definitions::block_count(size.height, cells.cell.height)};
    for (int row = 0; row < cells.grid.height; ++row)
      for (int column = 0; column < cells.grid.width; ++column) {
        const Block block = make_block(size, cells.cell, column, row);
        const BlockSearch<P> search = level_search(plan, pictures, block, level);
        cells.found.push_back(level == o.levels ? exhaustive(search)
                                                : TestZone<P>(search, farthest, best_start(search, coarser)).run());
      }
    coarser = std::move(cells);
  }
  return coarser;
}

}  // namespace

template <class P>
void tz(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps) {
  const int levels = plan.options.levels;
  const int farthest = definitions::tz_farthest(levels, plan.farthest);
  const Pyramid<P> pyramid(pictures, levels);
  const Cells coarser = coarse_cells(plan, pyramid, farthest);
  for_blocks(plan, pictures, maps, [&](const BlockSearch<P>& search) {
    const Candidate start = levels > 0 ? best_start(search, coarser) : start_of(search);
    return TestZone<P>(search, farthest, start).run();
  });
}

template void tz(const MotionPlan&, const MotionPictures<std::uint8_t>&, const MotionMaps&);
template void tz(const MotionPlan&, const MotionPictures<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::reference
