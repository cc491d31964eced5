// SPDX-License-Identifier: Apache-2.0
// The test-zone search: growing diamonds, a raster where they end far away, then diamonds about each new best.
#include "definitions/motion/tz.h"

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

}  // namespace

template <class P>
void tz(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps) {
  search_blocks(plan, context, scratch, maps, [&](MotionWorker<P>& worker) {
    const int levels = plan.options.levels;
    Candidate start = worker.walk.start();
    if (levels > 0) {
      begin_coarse(scratch, levels, worker.walk, worker.coarse);
      const Candidate coarse = best_of_all(scratch, worker.coarse, worker);
      worker.walk.improve(start, coarse.dx * (1 << levels), coarse.dy * (1 << levels));
    }
    return TestZone<P>(worker.walk, plan.farthest, start).run();
  });
}

template void tz(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, const MotionMaps&);
template void tz(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::cpu
