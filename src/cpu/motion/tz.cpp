// SPDX-License-Identifier: Apache-2.0
// The test-zone search: growing diamonds, a raster where they end far away, then diamonds about each new best. With
// coarse levels: small diamonds about what the next coarser level found here and around.
#include "definitions/motion/tz.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cpu/motion/pyramid.hpp"
#include "cpu/motion/scratch.hpp"

namespace vergence::cpu {
namespace {

/// The best candidate so far, and how the last improvement was found.
template <class P>
class TestZone {
 public:
  TestZone(const BlockWalk<P>& walk, int farthest, const Candidate& start)
      : walk_(walk), farthest_(farthest), best_(start) {}

  Candidate run() {
    grow(3);
    if (distance_ == 1) try_missing();
    if (distance_ > definitions::tz_raster()) raster();
    while (distance_ > 0) {
      distance_ = 0;
      grow(farthest_);
      if (distance_ == 1) try_missing();
    }
    return best_;
  }

 private:
  /// Diamonds of 1, 2, 4, ... px about the best, until so many in turn bring no gain.
  void grow(int patience) {
    const Candidate centre = best_;
    int idle = 0;
    for (int distance = 1; distance <= farthest_ && idle < patience; distance *= 2)
      idle = diamond(centre, distance) ? 0 : idle + 1;
  }

  bool diamond(const Candidate& centre, int distance) {
    bool gain = false;
    for (int k = 0; k < definitions::tz_count(distance); ++k) {
      const int x = definitions::tz_x(distance, k);
      const int y = definitions::tz_y(distance, k);
      if (!walk_.improve(best_, centre.dx + x, centre.dy + y)) continue;
      gain = true;
      distance_ = definitions::tz_distance(distance, k);
      from_x_ = x;
      from_y_ = y;
    }
    return gain;
  }

  /// A gain counts as found at distance 2, so that another round follows.
  void try_missing() {
    const Candidate centre = best_;
    distance_ = 0;
    for (int i = 0; i < 2; ++i)
      if (walk_.improve(best_, centre.dx + definitions::tz_missing_x(from_x_, from_y_, i),
                        centre.dy + definitions::tz_missing_y(from_x_, from_y_, i)))
        distance_ = 2;
  }

  void raster() {
    constexpr int mesh = definitions::tz_raster();
    const MotionRange x = walk_.frame().range_x, y = walk_.frame().range_y;
    for (int dy = y.first; dy <= y.last; dy += mesh)
      for (int dx = x.first; dx <= x.last; dx += mesh) walk_.improve(best_, dx, dy);
    distance_ = mesh;
  }

  const BlockWalk<P>& walk_;
  int farthest_;
  Candidate best_;
  int distance_ = 0;  ///< of the diamond of the last gain; 0 = not by a diamond
  int from_x_ = 0;    ///< direction from the diamond's centre, where the distance is 1
  int from_y_ = 0;
};

/// Zero, a prediction that is not zero, and the doubled vectors of the cells of the coarser level that lie here and
/// around: all but zero with the four points next to them. Neighbours mostly agree, so each vector is tried once.
template <class P>
Candidate best_start(const BlockWalk<P>& walk, const MotionLevel<P>& coarser) {
  std::array<PixelVector, 6> tried;
  std::size_t count = 0;
  Candidate best = walk.candidate(0, 0);
  const auto about = [&](PixelVector v) {
    if (std::find(tried.begin(), tried.begin() + count, v) != tried.begin() + count) return;
    tried[count++] = v;
    walk.improve(best, v.dx, v.dy);
    for (int k = 0; k < 4; ++k)
      walk.improve(best, v.dx + definitions::small_diamond_x(k), v.dy + definitions::small_diamond_y(k));
  };
  const PixelVector predicted{definitions::whole_pixels(walk.prediction().dx),
                              definitions::whole_pixels(walk.prediction().dy)};
  if (predicted != PixelVector{}) about(predicted);
  const Rect& block = walk.block();
  const int column = definitions::tz_parent(block.x, block.width, coarser.cell.width);
  const int row = definitions::tz_parent(block.y, block.height, coarser.cell.height);
  for (int k = 4; k >= 0; --k) {
    const int x = column + definitions::tz_cell_x(k), y = row + definitions::tz_cell_y(k);
    if (x < 0 || x >= coarser.grid.width || y < 0 || y >= coarser.grid.height) continue;
    const PixelVector& coarse = coarser.found[static_cast<std::size_t>(y * coarser.grid.width + x)];
    about({2 * coarse.dx, 2 * coarse.dy});
  }
  return best;
}

}  // namespace

template <class P>
void tz(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps) {
  const int levels = plan.options.levels;
  const int farthest = definitions::tz_farthest(levels, plan.farthest);
  for (int level = levels; level > 0; --level) {
    MotionLevel<P>& here = scratch.levels[static_cast<std::size_t>(level - 1)];
    for_blocks(context, scratch, here.grid, [&](MotionWorker<P>& worker, int column, int row) {
      BlockWalk<P>& walk = worker.coarse;
      walk.begin(here.frame, block_rect(here.plane.size(), here.cell, column, row), {});
      const Candidate best =
          level == levels
              ? best_of_all(scratch, walk, worker)
              : TestZone<P>(walk, farthest, best_start(walk, scratch.levels[static_cast<std::size_t>(level)])).run();
      here.found[static_cast<std::size_t>(row * here.grid.width + column)] = {best.dx, best.dy};
    });
  }
  search_blocks(plan, context, scratch, maps, [&](MotionWorker<P>& worker) {
    const Candidate start = levels > 0 ? best_start(worker.walk, scratch.levels.front()) : worker.walk.start();
    return TestZone<P>(worker.walk, farthest, start).run();
  });
}

template void tz(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, const MotionMaps&);
template void tz(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::cpu
