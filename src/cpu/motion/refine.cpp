// SPDX-License-Identifier: Apache-2.0
// Half- and quarter-pixel refinement about the whole-pixel vectors that a search found.
#include <cstdint>

#include "cpu/motion/interpolate.hpp"
#include "cpu/motion/scratch.hpp"
#include "definitions/motion/interpolate.h"
#include "definitions/motion/pattern.h"

namespace vergence::cpu {
namespace {

/// Vectors are in quarter pixels here.
template <class P>
class Refinement {
 public:
  Refinement(const MotionPlan& plan, Interpolate<P> interpolate, MotionWorker<P>& worker)
      : max_pixel_(plan.max_pixel), interpolate_(interpolate), worker_(worker) {}

  Candidate candidate(int dx, int dy) const {
    const BlockWalk<P>& walk = worker_.walk;
    const SearchFrame<P>& frame = walk.frame();
    interpolate_(Interpolation::luma(dx & 3, dy & 3, max_pixel_), walk.there(dx >> 2, dy >> 2),
                 frame.reference->stride(), walk.block().width, walk.block().height, worker_.filtered.data(),
                 worker_.moved.pixels.data());
    const std::uint64_t cost = frame.costs.one(walk.pixels(), worker_.moved.pixels.data(), PackedBlock<P>::stride);
    const MotionVector prediction = walk.prediction();
    const int bits = definitions::vector_bits(dx, dy, prediction.dx, prediction.dy);
    return {dx, dy, cost, cost + definitions::motion_rate(frame.lambda, bits)};
  }

  /// The best of it and its eight neighbours at that distance.
  Candidate best_around(const Candidate& centre, int distance) const {
    Candidate best = centre;
    for (int k = 0; k < 8; ++k) {
      const int dx = centre.dx + distance * definitions::neighbour_x(k);
      const int dy = centre.dy + distance * definitions::neighbour_y(k);
      if (!is_candidate(dx, dy)) continue;
      const Candidate tried = candidate(dx, dy);
      if (is_better(tried, best)) best = tried;
    }
    return best;
  }

 private:
  bool is_candidate(int dx, int dy) const {
    const BlockWalk<P>& walk = worker_.walk;
    const SearchFrame<P>& frame = walk.frame();
    const MotionRange& x = frame.range_x;
    const MotionRange& y = frame.range_y;
    if (dx < 4 * x.first || dx > 4 * x.last || dy < 4 * y.first || dy > 4 * y.last) return false;
    const Rect& block = walk.block();
    const Size size = frame.reference->size();
    return frame.border == MotionBorder::pad ||
           (definitions::is_inside_quarters(block.x, block.width, dx, size.width) &&
            definitions::is_inside_quarters(block.y, block.height, dy, size.height));
  }

  int max_pixel_;
  Interpolate<P> interpolate_;
  MotionWorker<P>& worker_;
};

}  // namespace

template <class P>
void refine(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, Size block, const MotionMaps& maps) {
  const Interpolate<P> function = interpolate<P>(context.target);
  for_blocks(context, scratch, maps.vectors.size(), [&](MotionWorker<P>& worker, int column, int row) {
    worker.walk.begin(scratch.frame, block_rect(plan.size, block, column, row), prediction_of(maps, column, row));
    const Refinement<P> refinement(plan, function, worker);
    MotionVector& vector = maps.vectors(column, row);
    Candidate best = refinement.best_around(refinement.candidate(vector.dx, vector.dy), 2);
    if (plan.options.subpel == MotionSubpel::quarter) best = refinement.best_around(best, 1);
    vector = {static_cast<std::int16_t>(best.dx), static_cast<std::int16_t>(best.dy)};
    put_costs(maps, column, row, best);
  });
}

template void refine(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&, Size, const MotionMaps&);
template void refine(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&, Size, const MotionMaps&);

}  // namespace vergence::cpu
