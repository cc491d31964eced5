// SPDX-License-Identifier: Apache-2.0
// Reference: the test-zone search: growing diamonds, a raster where they end far away, then diamonds about each new
// best.
#include <cstdint>

#include "definitions/motion/tz.h"
#include "reference/motion/block_search.hpp"
#include "reference/motion/pyramid.hpp"
#include "reference/motion_stages.hpp"

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
  /// Diamonds of 1, 2, 4, ... px about the best, until so many in turn bring no gain.
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

}  // namespace

template <class P>
void tz(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps) {
  const int levels = plan.options.levels;
  const Pyramid<P> pyramid(pictures, levels);
  for_blocks(plan, pictures, maps, [&](const BlockSearch<P>& search) {
    Candidate start = start_of(search);
    if (levels > 0) {
      const Candidate coarse = exhaustive(coarse_search(search, pyramid, levels));
      search.improve(start, coarse.dx * (1 << levels), coarse.dy * (1 << levels));
    }
    return TestZone<P>(search, plan.farthest, start).run();
  });
}

template void tz(const MotionPlan&, const MotionPictures<std::uint8_t>&, const MotionMaps&);
template void tz(const MotionPlan&, const MotionPictures<std::uint16_t>&, const MotionMaps&);

}  // namespace vergence::reference
