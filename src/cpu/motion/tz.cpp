// SPDX-License-Identifier: Apache-2.0
// The test-zone search: growing diamonds, a raster where they end far away, then diamonds about each new best. With
// coarse levels: small diamonds about what the next coarser level found here and around.
#include "definitions/motion/tz.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "cpu/motion/pyramid.hpp"
#include "cpu/motion/scratch.hpp"

namespace vergence::cpu {
namespace {

/// The points of the diamonds of 1 and 2 px.
template <int kDistance>
constexpr auto diamond_points() {
  std::array<PixelVector, static_cast<std::size_t>(definitions::tz_count(kDistance))> points{};
  for (std::size_t k = 0; k < points.size(); ++k)
    points[k] = {definitions::tz_x(kDistance, static_cast<int>(k)), definitions::tz_y(kDistance, static_cast<int>(k))};
  return points;
}
constexpr auto diamond_1 = diamond_points<1>();
constexpr auto diamond_2 = diamond_points<2>();

/// Pixels whose |x| + |y| from a centre is at most `reach` have all been tried; -1: none.
struct Known {
  PixelVector centre;
  int reach = -1;
  bool has(int dx, int dy) const { return std::abs(dx - centre.dx) + std::abs(dy - centre.dy) <= reach; }
};

/// The best candidate so far, and how the last improvement was found.
template <class P>
class TestZone {
 public:
  TestZone(const BlockWalk<P>& walk, int farthest, const Candidate& start, const Known& known = {})
      : walk_(walk), farthest_(farthest), best_(start), known_(known) {}

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
  /// Diamonds of 1, 2, 4, ... px about the best, until `patience` of them in turn bring no gain.
  void grow(int patience) {
    const Candidate centre = best_;
    int idle = 0;
    for (int distance = 1; distance <= farthest_ && idle < patience; distance *= 2)
      idle = diamond(centre, distance) ? 0 : idle + 1;
    if (farthest_ >= 2) known_ = {{centre.dx, centre.dy}, 2};  // the first two diamonds leave no point out
  }

  bool diamond(const Candidate& centre, int distance) {
    if (distance == 1) return near_diamond<1>(centre, diamond_1);
    if (distance == 2) return near_diamond<2>(centre, diamond_2);
    bool gain = false;
    for (int k = 0; k < definitions::tz_count(distance); ++k) {
      const int x = definitions::tz_x(distance, k);
      const int y = definitions::tz_y(distance, k);
      if (!walk_.improve(best_, centre.dx + x, centre.dy + y)) continue;
      gain = true;
      found(distance, k, x, y);
    }
    return gain;
  }

  /// Points that were tried before cannot be better than the best.
  template <int kDistance, std::size_t kCount>
  bool near_diamond(const Candidate& centre, const std::array<PixelVector, kCount>& points) {
    if (PixelVector{centre.dx, centre.dy} == known_.centre) {  // as about the first centre
      if (kDistance <= known_.reach) return false;
      bool gain = false;
      walk_.improve_all(best_, centre.dx, centre.dy, points, kDistance, [&](std::size_t k) {
        gain = true;
        found(kDistance, static_cast<int>(k), points[k].dx, points[k].dy);
      });
      return gain;
    }
    std::array<PixelVector, kCount> left;
    std::array<int, kCount> places;
    std::size_t count = 0;
    for (std::size_t k = 0; k < kCount; ++k) {
      left[count] = points[k];
      places[count] = static_cast<int>(k);
      if (!known_.has(centre.dx + points[k].dx, centre.dy + points[k].dy)) ++count;
    }
    bool gain = false;
    if (count > 0)
      walk_.improve_all(best_, centre.dx, centre.dy, {left.data(), count}, kDistance, [&](std::size_t k) {
        gain = true;
        found(kDistance, places[k], left[k].dx, left[k].dy);
      });
    return gain;
  }

  void found(int distance, int k, int x, int y) {
    distance_ = definitions::tz_distance(distance, k);
    from_x_ = x;
    from_y_ = y;
  }

  /// A gain counts as found at distance 2, so that another round follows.
  void try_missing() {
    const Candidate centre = best_;
    distance_ = 0;
    std::array<PixelVector, 2> points;
    for (int i = 0; i < 2; ++i)
      points[static_cast<std::size_t>(i)] = {definitions::tz_missing_x(from_x_, from_y_, i),
                                             definitions::tz_missing_y(from_x_, from_y_, i)};
    walk_.improve_all(best_, centre.dx, centre.dy, points, 1, [&](std::size_t) { distance_ = 2; });
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
  Known known_;
  int distance_ = 0;  ///< of the diamond of the last gain; 0 = not by a diamond
  int from_x_ = 0;    ///< direction from the diamond's centre, where the distance is 1
  int from_y_ = 0;
};

/// From zero, a prediction that is not zero, and the doubled vectors of the cells of the coarser level that lie here
/// and beside: all but zero with the four points next to them. Neighbours mostly agree, so each vector is tried once.
template <class P>
Candidate find_from(const BlockWalk<P>& walk, int farthest, const MotionLevel<P>& coarser) {
  static constexpr std::array<PixelVector, 5> cross{{{0, 0}, {0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
  std::array<PixelVector, 6> tried;
  auto last = tried.begin();
  Candidate best = walk.candidate(0, 0);
  const auto about = [&](PixelVector v) {
    if (last != tried.begin() && *(last - 1) == v) return;
    if (std::find(tried.begin(), last, v) != last) return;
    *last++ = v;
    walk.improve_all(best, v.dx, v.dy, cross, 1, [](std::size_t) {});
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
  const PixelVector start{best.dx, best.dy};
  const bool has_cross = std::find(tried.begin(), last, start) != last;
  return TestZone<P>(walk, farthest, best, {start, has_cross ? 1 : -1}).run();
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
      const auto place = static_cast<std::size_t>(row * here.grid.width + column);
      const Candidate best =
          level == levels ? best_of_all(scratch, walk, worker, column > 0 ? here.found[place - 1] : PixelVector{})
                          : find_from(walk, farthest, scratch.levels[static_cast<std::size_t>(level)]);
      here.found[place] = {best.dx, best.dy};
    });
  }
  search_blocks(plan, context, scratch, maps, [&](MotionWorker<P>& worker) {
    if (levels > 0) return find_from(worker.walk, farthest, scratch.levels.front());
    return TestZone<P>(worker.walk, farthest, worker.walk.start()).run();
  });
}

template void tz(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, const MotionMaps&);
template void tz(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::cpu
